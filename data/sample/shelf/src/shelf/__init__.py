"""shelf: a small library catalogue, its search index and its client."""

from shelf.catalogue import Catalogue, SearchResult, load_catalogue, save_catalogue
from shelf.client import ShelfClient
from shelf.config import MAX_RETRIES, ClientConfig, load_config
from shelf.errors import ShelfError
from shelf.index import TermIndex
from shelf.records import Record, normalize_isbn
from shelf.retry import retry_with_backoff
from shelf.server import CatalogueApp
from shelf.signing import SessionSigner

__all__ = [
    "MAX_RETRIES",
    "Catalogue",
    "CatalogueApp",
    "ClientConfig",
    "Record",
    "SearchResult",
    "SessionSigner",
    "ShelfClient",
    "ShelfError",
    "TermIndex",
    "load_catalogue",
    "load_config",
    "normalize_isbn",
    "retry_with_backoff",
    "save_catalogue",
]
