"""Versions of one page, as `docs/7.4/routing` and `docs/7.5/routing`: one leads, the others come last."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from ranvier.query.understand import ParsedQuery
from ranvier.rank.candidate import Candidate

STAGE = "versions"  # in explanations
_VERSION = re.compile(r"(?<!\w)(v\d|\d+\.(\d|x))", re.IGNORECASE)


def lead_by_newest(hits: Sequence[Candidate], newest: Mapping[int, int], query: ParsedQuery) -> None:
    """Give the newest version of a page the best score of all its versions, and the others the lowest scores.

    A version with more of the query's words has priority over a newer one. A query that names a version (`7.4`, `v2`) changes
    nothing.

    Args:
        hits: best first.
        newest: Neuron → its newest version.
        query: of these hits.

    """
    groups = defaultdict[int, list[Candidate]](list)
    for hit in hits:
        groups[newest.get(hit.neuron, hit.neuron)].append(hit)
    if _VERSION.search(query.words) or len(groups) == len({hit.neuron for hit in hits}):
        return
    lowest = min(hit.score for hit in hits) / (hits[0].score + 1)
    for number, versions in groups.items():
        tier = min(hit.tier for hit in versions)
        lead = next((hit for hit in versions if hit.neuron == number and hit.tier == tier), versions[0])
        lead.set(STAGE, versions[0].score, "the best of its versions")
        for hit in versions:
            if hit.neuron != lead.neuron:
                hit.times(STAGE, lowest, "another version of a hit")
