"""Ranvier's search core: the same package on a server and, in Pyodide, in a reader's browser.

>>> import ranvier
>>> with ranvier.open_snapshot("public") as library:
...     for hit in library.search("how to install", limit=5).hits:
...         print(hit.score, hit.title, hit.url)
"""

from ranvier.engine import Engine, Library, open_snapshot
from ranvier.errors import FetchError, FormatError, IntegrityError, RanvierError, RequestError
from ranvier.types import (
    Hit,
    Need,
    Notice,
    RetrievedChunk,
    RetrieveRequest,
    RetrieveResult,
    SearchRequest,
    SearchResult,
    SubResult,
)

__version__ = "0.1.0"

__all__ = [
    "Engine",
    "FetchError",
    "FormatError",
    "Hit",
    "IntegrityError",
    "Library",
    "Need",
    "Notice",
    "RanvierError",
    "RequestError",
    "RetrieveRequest",
    "RetrieveResult",
    "RetrievedChunk",
    "SearchRequest",
    "SearchResult",
    "SubResult",
    "open_snapshot",
]
