"""Text to terms: the one analyzer for indexing and querying."""

from brainkit.analyze.analyzer import Analyzer, Token, highlight_spans

__all__ = ["Analyzer", "Token", "highlight_spans"]
