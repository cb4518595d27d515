"""Several sites in one list: each has its own snapshot, version and engine; their hits are merged.

A page's own script does the same (`ranvier_web/sites`). The rules of both:

order    the score of a hit times the weight of its site, highest first. Hits of one site keep their order, and equal scores
         have the order of the sites. Hits that a filter names come first. With `sort`, titles, paths or dates are compared; a
         hit has no date of creation, so with `created` the lists of the sites follow each other.
filters  a site that does not have a filter's value has no hits, if another site has it.
words    if a site has pages with all words as typed, sites that corrected the query are searched as typed, too.
notices  messages that an answer is weak are left out if another site has a better one. A message of some sites names them.
failure  a site that fails is a notice; if all fail, the error of the first is raised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple

from ranvier.errors import RanvierError, RequestError
from ranvier.library import Library, open_snapshot
from ranvier.requests import MAX_LIMIT, SORTS, SearchRequest, parse_request
from ranvier.types import FacetCount, Hit, Notice, SearchResult

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Unpack

    from ranvier.options import SearchOptions

LIMIT = 30  # hits, if there is no limit; a preset of one site does not decide for the others
WEAK = ("some-words", "little", "near")  # notices of answers without a page that has all words
FAILED = "no-site"


class SiteHit(NamedTuple):
    """A hit of a merged list. `site` is the index of its site; `score` is that of the hit times the weight of the site."""

    site: int
    score: float
    hit: Hit


class SiteNotice(NamedTuple):
    """A notice of one site, by its index; `None` if it holds for all sites of the list."""

    site: int | None
    notice: Notice


@dataclass(frozen=True, slots=True)
class SitesResult:
    """The merged result of several sites. The fields are those of `SearchResult`; sums and unions over the sites."""

    hits: tuple[SiteHit, ...]
    total_hits: int
    next_offset: int | None
    truncated: bool
    unsettled: bool
    notices: tuple[SiteNotice, ...]
    facets: dict[str, tuple[FacetCount, ...]]


@dataclass(frozen=True, slots=True)
class Site:
    """An open site. `weight` is a factor of its scores."""

    library: Library
    title: str
    weight: float


class Sites:
    """Several open sites.

    >>> with open_sites(["docs/public", ("blog/public", 0.8)]) as sites:
    ...     [(sites.titles[site], hit.title) for site, _, hit in sites.search("install").hits]
    """

    def __init__(self, sites: Sequence[Site]) -> None:
        self._sites = sites

    def __enter__(self) -> Sites:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def titles(self) -> tuple[str, ...]:
        """The titles of the sites, in their order."""
        return tuple(site.title for site in self._sites)

    def close(self) -> None:
        """Close all sites."""
        for site in self._sites:
            site.library.close()

    def search(self, query: str, **options: Unpack[SearchOptions]) -> SitesResult:
        """Search all sites; the options are those of `Library.search`.

        Raises:
            RequestError: an unknown option, or an invalid value.
            RanvierError: all sites fail; the error of the first.

        """
        offset = parse_request(SearchRequest, query, options).offset
        limit = min(options.get("limit") or (MAX_LIMIT if options.get("return_all") else LIMIT), MAX_LIMIT)
        collect = partial(_collect, query=query, count=offset + limit)
        collected, errors = self._answers(collect, dict(options))
        for site in _corrected({site: site_hits.result for site, site_hits in collected.items()}):
            try:
                collected[site] = collect(self._sites[site].library, {**options, "exact": True})
            except RanvierError:
                pass  # the corrected hits stay
        results = _with_known_filters({site: site_hits.result for site, site_hits in collected.items()})
        rows = [_rows(site, self._sites[site].weight, result) for site, result in results.items()]
        hits = merge(rows, options.get("sort", SORTS[0]))
        last = max(offset, sum(site_hits.filter_count for site_hits in collected.values())) + limit
        total = sum(result.total_hits for result in results.values())
        failures = (SiteNotice(site, self._failure(site, error)) for site, error in errors.items())
        return SitesResult(
            hits=tuple(hits[offset:last]),
            total_hits=total,
            next_offset=last if last < total else None,
            truncated=any(result.truncated for result in results.values()),
            unsettled=any(result.unsettled for result in results.values()),
            notices=(*merge_notices(results), *failures),
            facets=add_facets([result.facets for result in results.values()]),
        )

    def _answers(
        self, collect: Callable[[Library, dict[str, Any]], _Collected], options: dict[str, Any]
    ) -> tuple[dict[int, _Collected], dict[int, RanvierError]]:
        """Return the results and the errors by site."""
        results: dict[int, _Collected] = {}
        errors: dict[int, RanvierError] = {}
        for number, site in enumerate(self._sites):
            try:
                results[number] = collect(site.library, options)
            except RanvierError as error:
                errors[number] = error
        if not results:
            raise next(iter(errors.values()))
        return results, errors

    def _failure(self, site: int, error: RanvierError) -> Notice:
        return Notice(FAILED, f"{self.titles[site]} could not be searched: {error}", self.titles[site])


def open_sites(folders: Iterable[str | Path | tuple[str | Path, float]]) -> Sites:
    """Open the folders of several built sites, each alone or with its weight: `["docs", ("blog", 0.8)]`.

    Raises:
        RequestError: there is no site, or a weight is not a positive number.
        FetchError: one of them is not a site.
        FormatError: one of them has another format.

    """
    pairs = [folder if isinstance(folder, tuple) else (folder, 1.0) for folder in folders]
    if not pairs or not all(0 < weight < float("inf") for _, weight in pairs):
        raise RequestError("there must be at least one site, and each weight must be a positive number")
    sites: list[Site] = []
    try:
        for folder, weight in pairs:
            library = open_snapshot(folder)
            sites.append(Site(library, library.source.entry().get("site", {}).get("title") or str(folder), weight))
    except RanvierError:
        Sites(sites).close()
        raise
    return Sites(sites)


class _Collected(NamedTuple):
    """The first hits of a site. `filter_count`: number of hits that a filter names; they come in addition to the limit."""

    result: SearchResult
    filter_count: int


def _collect(library: Library, options: dict[str, Any], query: str, count: int) -> _Collected:
    """Return the first hits of a site: those that filters name, and `count` others."""
    page_size = min(count, MAX_LIMIT)
    first = page = library.search(query, **{**options, "offset": 0, "limit": page_size})
    hits = list(first.hits)
    filter_count = max(0, len(hits) - page_size)
    while page.next_offset is not None and (missing := count + filter_count - len(hits)) > 0:
        next_page = {"facets": (), "offset": page.next_offset, "limit": min(missing, MAX_LIMIT)}
        page = library.search(query, **{**options, **next_page})
        hits += page.hits
    return _Collected(replace(first, hits=tuple(hits)), filter_count)


def _rows(site: int, weight: float, result: SearchResult) -> list[SiteHit]:
    return [SiteHit(site, hit.score * weight, hit) for hit in result.hits]


def merge(lists: Sequence[Sequence[SiteHit]], sort: str) -> list[SiteHit]:
    """Merge lists: the best of their first rows comes next; ties: the row of the first list."""
    keys: dict[str, Callable[[SiteHit], Any]] = {
        "relevance": lambda row: (row.hit.is_filter_result, row.score),
        "title": lambda row: row.hit.title.lower(),
        "path": lambda row: row.hit.path,
        "updated": lambda row: row.hit.updated,
        "created": lambda row: 0,
    }
    choose: Callable[..., SiteHit] = min if sort in ("title", "path") else max
    rest = [list(reversed(rows)) for rows in lists if rows]
    out = []
    while rest:
        out.append(choose((rows[-1] for rows in rest), key=keys[sort]))
        next(rows for rows in rest if rows[-1] is out[-1]).pop()
        rest = [rows for rows in rest if rows]
    return out


def _codes(result: SearchResult) -> set[str]:
    return {notice.code for notice in result.notices}


def _corrected(results: dict[int, SearchResult]) -> list[int]:
    """Return the sites that corrected the query, if another one has a page with all words as typed."""
    corrected = [site for site, result in results.items() if "corrected" in _codes(result)]
    as_typed = (result for site, result in results.items() if site not in corrected and not _codes(result) & {*WEAK})
    return corrected if any(hit.coverage == "all" for result in as_typed for hit in result.hits) else []


def _with_known_filters(results: dict[int, SearchResult]) -> dict[int, SearchResult]:
    """Empty the results of sites that do not have a filter's value, if another site has it."""
    unknown = [site for site, result in results.items() if "unknown-filter" in _codes(result)]
    if len(unknown) == len(results):
        return results
    empty = SearchResult((), 0, None, truncated=False, strategy="bm25")
    return {site: empty if site in unknown else result for site, result in results.items()}


def merge_notices(results: dict[int, SearchResult]) -> list[SiteNotice]:
    """Return each notice once, without a site if all results with hits have it (without any hits: all results)."""
    relevant = {site: result for site, result in results.items() if result.hits} or results
    strong = any(not _codes(result) & {*WEAK} for result in relevant.values())
    sites: dict[tuple[str, str], list[int]] = {}
    first: dict[tuple[str, str], Notice] = {}
    for site, result in relevant.items():
        for notice in result.notices:
            if not (strong and notice.code in WEAK):
                sites.setdefault((notice.code, notice.subject), []).append(site)
                first.setdefault((notice.code, notice.subject), notice)
    return [
        SiteNotice(None if len(notice_sites) == len(relevant) else site, first[key])
        for key, notice_sites in sites.items()
        for site in (notice_sites[:1] if len(notice_sites) == len(relevant) else notice_sites)
    ]


def add_facets(facets: Sequence[dict[str, tuple[FacetCount, ...]]]) -> dict[str, tuple[FacetCount, ...]]:
    """Add the counts of equal values; the largest first, then by value."""
    totals: dict[str, dict[str, int]] = {}
    for counts in facets:
        for facet, values in counts.items():
            of_facet = totals.setdefault(facet, {})
            for item in values:
                of_facet[item.value] = of_facet.get(item.value, 0) + item.count
    return {
        facet: tuple(FacetCount(*pair) for pair in sorted(of_facet.items(), key=lambda pair: (-pair[1], pair[0])))
        for facet, of_facet in totals.items()
    }
