"""Whether a query is in a language of the model (I4, L3)."""

import pytest
from ranvier.vectors.language import supports

CASES = [  # languages of the model, query, possible languages of the query → whether the model reads it
    ((), "wie wird das Brot gebacken", ("de", "en"), True),  # a model of any language
    ((), "", (), True),
    (("en",), "how is bread made", ("en",), True),
    (("en",), "Brot backen", ("en",), True),  # a site of one language
    (("en",), "how is bread made", ("de",), False),  # a page or a filter says it is German
    (("en",), "how is bread made", ("ja",), False),  # its script is that of the language
    (("en",), "パンを焼く方法", ("ja",), False),
    (("en",), "how is the bread made", ("en", "de"), True),
    (("en",), "wie wird das Brot gebacken", ("en", "de"), False),
    (("en",), "WIE WIRD DAS BROT GEBACKEN", ("en", "de"), False),
    (("en",), "wie wird das Brot gebacken", ("de", "en"), False),  # the first language of the site
    (("en",), "comment est fait le pain dans la maison", ("en", "de", "fr"), False),
    (("en",), "Kubernetes Cluster", ("en", "de"), True),  # no small words: it may be either
    (("en",), "was", ("en", "de"), True),  # small words of both
    (("en",), "", ("en", "de"), True),
    (("en", "de"), "wie wird das Brot gebacken", ("en", "de"), True),
    (("en", "de"), "wie wird das Brot gebacken", ("en", "de", "fr"), True),
    (("en", "de"), "comment est fait le pain dans la maison", ("en", "de", "fr"), False),
    (("en",), "bread", (), False),  # the model reads none of the possible languages
    (("fr",), "how is bread made", ("en", "de"), False),
]


@pytest.mark.parametrize(("model", "words", "langs", "reads_vectors"), CASES)
def test_language_of_a_query(model: tuple[str, ...], words: str, langs: tuple[str, ...], reads_vectors: bool) -> None:
    """L3: by option, script and function words; unclear queries use the model."""
    assert supports(model, words, langs) is reads_vectors


@pytest.mark.parametrize("words", ["der " * 400, "\ud800", "\x00", "a" * 100_000, "-" * 10_000, "́" * 1000])
def test_language_of_unusual_queries(words: str) -> None:
    """Q5: there is always an answer; repeated words count once."""
    assert supports(("en",), words, ("en", "de")) is (not words.startswith("der"))
