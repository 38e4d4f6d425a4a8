"""Text to terms: the one analyzer for indexing and querying."""

from brainkit.analyze.analyzer import Analyzer, Token, highlight_spans
from brainkit.analyze.whole import embedded_text

__all__ = ["Analyzer", "Token", "embedded_text", "highlight_spans"]
