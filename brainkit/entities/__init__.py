"""What a brain says of entities: tables, neighbours, paths and the whole graph, readable alone."""

from brainkit.entities.asking import Related

__all__ = ["Related"]
