"""English: the Snowball (Porter 2) stemmer, words that say nothing alone, and the ends that words take."""

from __future__ import annotations

from functools import lru_cache

# The module itself, not the package's factory: the factory hands out a C stemmer where one is installed.
from snowballstemmer.english_stemmer import EnglishStemmer

_stem_word = EnglishStemmer().stemWord

# Dropped from a query that has other words; never from the index, so that phrases still find them.
STOP_WORDS = frozenset(
    """a about an and are as at be been but by can could did do does for from had has have how i if in into is it its
    me my no not of on or our should so than that the their them then there these they this those to was we were what
    when where which while who why will with would you your""".split()
)

# What may still follow the letters typed so far, for `completions`.
_ENDINGS = tuple(
    """a c d e g l n r s t y al ce cy ed er es le ly ng nt on ss ts ty ul us ent ess ing ion ity ive lly tly able lity ment
    ness tion ility""".split()
)


def stem(word: str) -> str:
    """Stem one folded word: `running` → `run`."""
    stemmed: str = _stem_word(word)
    return stemmed


@lru_cache(maxsize=256)
def completions(start: str) -> tuple[str, ...]:
    """Stems that a word beginning with `start` can have and that do not begin so: `installatio` → `instal`, `usi` → `use`.

    The index holds stems, so a word that is nearly typed may already be longer than what is stored for it.
    """
    stems = {_stem_word(start + ending) for ending in _ENDINGS}
    return tuple(sorted(s for s in stems if s != start and len(s) <= len(start) and start.startswith(s[:-1])))
