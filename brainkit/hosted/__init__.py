"""Models behind an OpenAI-compatible address: where they are, what they cost, how they fail."""

from brainkit.hosted.endpoint import Endpoint
from brainkit.hosted.prices import Price, price_of

__all__ = ["Endpoint", "Price", "price_of"]
