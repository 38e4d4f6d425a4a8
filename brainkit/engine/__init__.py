"""A brain that is open: ``Engine`` asks and changes it; what it needs to be asked is ``Reader``."""

from brainkit.engine.engine import Engine

__all__ = ["Engine"]
