"""Parts of a result, and a query for the semantic site of `tests/runtime/conftest.py`."""

from typing import Any

from ranvier import Library

BY_MEANING = "vessel upon the waves"  # no page has any of these words but for `the`


def codes(result: Any) -> list[str]:
    """Return the codes of the notices."""
    return [notice.code for notice in result.notices]


def paths(result: Any) -> list[str]:
    """Return the paths of the hits in order."""
    return [hit.path for hit in result.hits]


def search_paths(library: Library, query: str, **options: Any) -> list[str]:
    """Search, and return the paths of the hits in order."""
    return paths(library.search(query, **options))


def legs(result: Any) -> set[str]:
    """Return the legs that found any hit."""
    return {leg for hit in result.hits for leg in hit.matched_in}
