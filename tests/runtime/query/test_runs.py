"""Long runs of scripts without blanks in a query (Q5, B2)."""

from ranvier.query.runs import MAX_PAIRS
from ranvier.query.syntax import parse
from ranvier.query.tree import LONG_ROW, leaves

SENTENCE = "北海道で梅雨前線の影響を受けることがほとんどないとされているのはなぜですか"
KATAKANA = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホ"


def words(query: str, *, positive_only: bool = True) -> list[tuple[str, ...]]:
    return [term.words for term in leaves(parse(query, langs=("ja",)).tree, positive_only=positive_only)]


def test_a_short_run_is_a_row() -> None:
    (row,) = words("梅雨前線の影響")
    assert row == ("梅雨", "雨前", "前線", "線の", "の影", "影響")


def test_a_long_run_is_its_pairs_without_hiragana_first() -> None:
    """Pairs with one hiragana fill the number up to `LONG_ROW`, spread over the run."""
    pairs = [pair for (pair,) in words(SENTENCE)]
    assert len(pairs) == LONG_ROW
    assert {"北海", "海道", "梅雨", "雨前", "前線", "影響"} <= set(pairs)
    assert pairs == sorted(pairs, key=SENTENCE.find)


def test_a_long_name_is_limited_to_most_pairs_from_all_of_it() -> None:
    pairs = [pair for (pair,) in words(KATAKANA)]
    assert len(pairs) == MAX_PAIRS < len(KATAKANA) - 1
    assert pairs[0] == "アイ"
    assert KATAKANA.find(pairs[-1]) > 25


def test_a_phrase_in_quotes_stays_a_row() -> None:
    (row,) = words(f'"{SENTENCE}"')
    assert len(row) == len(SENTENCE) - 1


def test_words_between_blanks_are_not_changed() -> None:
    assert len(words("one two three four five six seven eight nine ten eleven twelve thirteen")) == 13


def test_an_excluded_run_stays_a_row() -> None:
    """Beside a long run that is searched, too: pages with its pairs in other places are not excluded."""
    *pairs, row = words(f"{SENTENCE} NOT {KATAKANA}", positive_only=False)
    assert len(pairs) == LONG_ROW
    assert len(row) >= len(KATAKANA) - 1


def test_several_runs_share_the_number_of_pairs() -> None:
    """No run is long, but all of them together are. Each keeps at least two pairs."""
    parts = ["東ヨーロッパ時間", "ひがしヨーロッパじ", "協定世界時", "何時間進ませた標準時"]
    assert all(len(run) - 1 <= LONG_ROW for run in parts)
    rows = words("、".join(parts))
    assert all(len(row) == 1 for row in rows)
    assert len(rows) <= MAX_PAIRS < sum(len(run) - 1 for run in parts)
    assert all(sum(pair in run for (pair,) in rows) >= 2 for run in parts)


def test_several_short_runs_stay_rows() -> None:
    assert words("協定世界時 標準時") == [("協定", "定世", "世界", "界時"), ("標準", "準時")]
