"""Ranvier's search core: the same package on a server and, in Pyodide, in a reader's browser.

>>> import ranvier
>>> with ranvier.open_snapshot("public") as library:
...     for hit in library.search("how to install", limit=5).hits:
...         print(hit.score, hit.title, hit.url)
"""

from ranvier.engine import Engine
from ranvier.errors import FetchError, ForbiddenError, FormatError, IntegrityError, RanvierError, RequestError
from ranvier.library import Library, open_snapshot
from ranvier.requests import Caller, RetrieveRequest, Scope, SearchRequest
from ranvier.types import (
    Backlink,
    Explanation,
    FacetCount,
    Hit,
    LegRank,
    Need,
    Notice,
    RetrievedChunk,
    RetrieveResult,
    SearchResult,
    Step,
    SubResult,
)

__version__ = "0.1.0"

__all__ = [
    "Backlink",
    "Caller",
    "Engine",
    "Explanation",
    "FacetCount",
    "FetchError",
    "ForbiddenError",
    "FormatError",
    "Hit",
    "IntegrityError",
    "LegRank",
    "Library",
    "Need",
    "Notice",
    "RanvierError",
    "RequestError",
    "RetrieveRequest",
    "RetrieveResult",
    "RetrievedChunk",
    "Scope",
    "SearchRequest",
    "SearchResult",
    "Step",
    "SubResult",
    "open_snapshot",
]
