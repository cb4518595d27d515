"""Versions of one page, as `docs/7.4/routing` and `docs/7.5/routing`, and translations: one leads, the others come last."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from ranvier.query.understand import ParsedQuery
from ranvier.rank.candidate import Candidate
from ranvier.store.snapshot import Translations
from ranvier.text import primary

_VERSION = re.compile(r"(?<!\w)(v\d|\d+\.(\d|x))", re.IGNORECASE)


def lead_by_newest(hits: Sequence[Candidate], newest: Mapping[int, int], query: ParsedQuery) -> None:
    """Give the newest version of a page the best score of all its versions, and the others the lowest scores.

    A version with more of the query's words has priority over a newer one. A query that names a version (`7.4`, `v2`) changes
    nothing. `hits` are best first; `newest`: Neuron → its newest version.
    """

    def lead(versions: list[Candidate], number: int) -> Candidate:
        newest_hit = min(versions, key=lambda hit: (hit.tier, hit.neuron != number))
        if newest_hit.neuron != number:
            newest_hit = versions[0]
        newest_hit.set("versions", versions[0].score, "the best of its versions")
        return newest_hit

    if not _VERSION.search(query.words):
        _put_others_last("versions", hits, newest, lead)


def lead_by_language(hits: Sequence[Candidate], translations: Translations, query: ParsedQuery, page_lang: str) -> None:
    """Leave the score of one translation of each page, and give the others the lowest scores.

    A translation with more of the query's words has priority: a query in another language than the page's finds that language.
    `page_lang` is of the page on which the reader types.
    """
    places = distances(translations, page_lang, query.langs)

    def preference(hit: Candidate) -> tuple[int, int]:
        return hit.tier, places[translations.languages[hit.neuron]]

    _put_others_last("translations", hits, translations.groups, lambda group, _: min(group, key=preference))


def distances(translations: Translations, page_lang: str, query_langs: Sequence[str] = ()) -> dict[int, int]:
    """Return the place of each language in their order for a reader: the query's, then the page's, with its region."""
    langs, page_lang = translations.langs, page_lang.replace("_", "-").lower()

    def preference(at: int) -> tuple[bool | int, ...]:
        main = primary(langs[at])
        return main not in query_langs, langs[at].lower() != page_lang, main != primary(page_lang), at

    return {at: place for place, at in enumerate(sorted(range(len(langs)), key=preference))}


def with_own_language(
    rows: Sequence[tuple[int, int]], limit: int, neuron_of: Callable[[int], int], translations: Translations, query: ParsedQuery
) -> list[tuple[int, int]]:
    """Return the first rows, and as many of pages in the language of the query, or in the site's if they have no translation.

    On a site in 25 languages, a word such as `server` has 200 rows in other languages before all of the reader's.
    """
    langs, groups, languages = translations
    own_lang = query.langs[0] if len(query.langs) == 1 else primary(langs[0])
    own_langs = {at for at, lang in enumerate(langs) if primary(lang) == own_lang}
    own_groups = {groups[neuron] for neuron, at in languages.items() if at in own_langs}
    selection, count = [*rows[:limit]], 0
    for at, row in enumerate(rows):
        neuron = neuron_of(row[0])
        lang = languages.get(neuron, 0)
        if lang in own_langs or not (lang or groups.get(neuron) in own_groups):
            count += 1
            if count > limit:
                break
            if at >= limit:
                selection.append(row)
    return selection


def _put_others_last(
    stage: str, hits: Sequence[Candidate], group_of: Mapping[int, int], lead: Callable[[list[Candidate], int], Candidate]
) -> None:
    groups = defaultdict[int, list[Candidate]](list)
    for hit in hits:
        groups[group_of.get(hit.neuron, hit.neuron)].append(hit)
    lowest = hits[-1].score / (hits[0].score + 1) if hits else 0.0
    for number, group in groups.items():
        if len({hit.neuron for hit in group}) > 1:
            first = lead(group, number).neuron
            for hit in group:
                if hit.neuron != first:
                    hit.demotion += 1.0 / (1.0 + hit.score)
                    hit.times(stage, lowest, f"another of the {stage} of a hit")
