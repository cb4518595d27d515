"""Stop words, one module per language; a browser gets those of the site's languages."""

from __future__ import annotations

# Stop words in one language that are content words in another, on multilingual sites: "war crimes", "die cut", "son of".
CONTENT_ELSEWHERE = frozenset(
    """
    ai al alle am bin bis can car come den des die do du e el end er for hat her here hier his hun in ja kan ma man mand me
    men mi min mot my no nova on or os over pas per pour prior sale se sin so solo son sous sua sub sue sur te ten tu ut va
    van vi via war was we will
    """.split()
)
