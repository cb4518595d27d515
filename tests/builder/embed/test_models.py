"""Static models from files (I4, X1): supported formats, and errors with the file and the cure."""

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ranvier
from ranvier_builder import Config
from ranvier_builder.console import show_report
from ranvier_builder.embed import models
from ranvier_builder.embed.models import embedder, model_of
from ranvier_builder.errors import ConfigError
from ranvier_builder.search_settings import SearchSettings
from rich.console import Console
from safetensors.numpy import save_file
from support.content import build_tree, build_without_engine, write_tree
from support.meaning import write_model

pytestmark = pytest.mark.wordllama

WORDS = ("sea", "ship", "boat", "bread", "oven", "flour", "a", "in")
# Three near rows, three other near rows, and two rows that are near to all.
ROWS = np.array(
    [[9, 1, 0, 1], [8, 2, 0, 1], [9, 2, 1, 1], [0, 1, 9, 1], [1, 0, 8, 1], [0, 2, 9, 1], [1, 1, 1, 3], [1, 0, 1, 3]], float
)


def rows() -> Any:
    """The table with a row for the unknown token first."""
    return np.concatenate([np.zeros((1, 4)), ROWS]).astype(np.float32)


@pytest.mark.parametrize("under", ["", "0_StaticEmbedding"])
@pytest.mark.parametrize("table", ["embeddings", "embedding.weight", "embedding.embeddings"])
@pytest.mark.parametrize("kind", [np.float32, np.float16, np.float64])
def test_model_folders_of_model2vec_and_sentence_transformers(tmp_path: Path, table: str, under: str, kind: Any) -> None:
    """I4: in any precision."""
    folder = write_model(tmp_path / "potion", WORDS, rows().astype(kind), table=table, under=under)
    model = embedder(str(folder), ("en", "de"))
    assert (model.name, model.langs) == ("potion", ("en", "de"))
    assert model.rows.dtype == kind
    assert model.rows.tolist() == rows().tolist()
    assert model.tokenizer.vocabulary == {word: at for at, word in enumerate(WORDS, 1)}
    assert model.tokenizer.tokenizer().encode("ship") == [2]


def test_wordllama_is_the_default_model() -> None:
    """I4: 256 dimensions, a row for each token, English."""
    model = embedder("wordllama")
    assert (model.name, model.langs) == ("WordLlama 256", ("en",))
    assert model.rows.shape[1] == 256
    assert max(model.tokenizer.vocabulary.values()) < len(model.rows)
    assert embedder("wordllama") is model, "it is read once"


def test_wordllama_package_is_not_imported() -> None:
    """I4: only its files are read."""
    text = (
        "import sys; from ranvier_builder.embed.models import embedder as e; e('wordllama'); print('wordllama' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True, timeout=60)
    assert result.stdout.strip() == "False"


def test_missing_wordllama_is_an_error_with_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    """X1: it also names the setting that disables vectors."""
    monkeypatch.setattr(models, "find_spec", lambda _: None)
    embedder.cache_clear()
    try:
        with pytest.raises(ConfigError, match=r'not installed\n  cure: pip install "ranvier\[vectors\]", or set vectors'):
            embedder("wordllama")
    finally:
        embedder.cache_clear()


def test_site_without_vectors_needs_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """X1."""
    monkeypatch.setattr(models, "find_spec", lambda _: None)
    assert model_of(SearchSettings(vectors=False)) is None
    assert not models.lacks_model(SearchSettings(vectors=False))


def test_site_without_the_model_is_searched_by_words_and_the_report_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """I4, X1: unless its settings require vectors; then it is an error."""
    content = write_tree(tmp_path / "content", {"a.md": "# Boats\n\nA ship sails.\n"})
    monkeypatch.setattr(models, "find_spec", lambda _: None)
    embedder.cache_clear()
    try:
        report = build_without_engine(content, tmp_path / "out", vectors=None)
        with pytest.raises(ConfigError, match="not installed"):
            build_without_engine(content, tmp_path / "other", vectors=True)
    finally:
        embedder.cache_clear()
    output = io.StringIO()
    show_report(Console(file=output, width=200), report, tmp_path / "out", verbose=False)
    assert 'no search by meaning: its model is not installed. To add it: pip install "ranvier[vectors]"' in output.getvalue()
    assert (report.vectors, report.warnings) == (0, []), "no warning: --strict must not fail"
    with ranvier.open_snapshot(tmp_path / "out") as library:
        assert [hit.path for hit in library.search("ship").hits] == ["a.md"]


def test_model_in_a_folder_needs_no_wordllama(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """I4."""
    monkeypatch.setattr(models, "find_spec", lambda _: None)
    settings = SearchSettings(model=str(write_model(tmp_path / "m", WORDS, rows())))
    assert model_of(settings) is not None
    assert not models.lacks_model(settings)


def refusal(folder: Path) -> str:
    with pytest.raises(ConfigError) as caught:
        embedder(str(folder))
    assert caught.value.cure
    return str(caught.value)


def test_folder_without_a_model_is_an_error(tmp_path: Path) -> None:
    """X1: it names the folder and the expected files."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("x")
    for file_name in ("model.safetensors", "tokenizer.json"):
        (write_model(tmp_path / f"without {file_name}", WORDS, rows()) / file_name).unlink()
    for name in ("nosuch", "empty", "file", "without model.safetensors", "without tokenizer.json"):
        message = f"{tmp_path / name}: contains no model.safetensors with a tokenizer.json\n  cure: name a folder"
        assert refusal(tmp_path / name).startswith(message)


def test_damaged_model_files_are_an_error(tmp_path: Path) -> None:
    """X1: it names the file."""
    folder = write_model(tmp_path / "m", WORDS, rows())
    whole = (folder / "model.safetensors").read_bytes()
    for spoilt in (b"", b"x" * 100, whole[:-1], whole[: len(whole) // 2]):
        (folder / "model.safetensors").write_bytes(spoilt)
        assert refusal(folder).startswith(f"{folder / 'model.safetensors'}: cannot be read")
    (folder / "model.safetensors").write_bytes(whole)
    (folder / "tokenizer.json").write_text("{")
    assert refusal(folder).startswith(f"{folder / 'tokenizer.json'}: the tokenizer cannot be read")


@pytest.mark.parametrize(
    ("tensors", "message"),
    [
        ({"embeddings": np.zeros((9, 4), np.float32)}, "zeros"),
        ({"embeddings": np.full((9, 4), np.nan, np.float32)}, "not numbers"),
        ({"embeddings": np.full((9, 4), np.inf, np.float32)}, "not numbers"),
        ({"embeddings": np.zeros((9, 0), np.float32)}, "contains no table"),
        ({"other": rows()}, "contains no table embedding.weight or embeddings"),
        ({"embeddings": rows()[0]}, "contains no table embedding.weight or embeddings"),
        ({"embeddings": rows()[None]}, "contains no table embedding.weight or embeddings"),
        ({"embeddings": rows()[:-1]}, "has 8 vectors, fewer than its tokenizer has tokens"),
    ],
)
def test_unusable_token_table_is_refused(tmp_path: Path, tensors: dict[str, Any], message: str) -> None:
    """I4, X1: with the file and the cure."""
    folder = write_model(tmp_path / "m", WORDS, rows())
    save_file({name: np.ascontiguousarray(value) for name, value in tensors.items()}, folder / "model.safetensors")
    text = refusal(folder)
    assert text.startswith(f"{folder / 'model.safetensors'}: ")
    assert message in text


def test_model_may_have_more_rows_than_tokens(tmp_path: Path) -> None:
    assert embedder(str(write_model(tmp_path / "n", WORDS, np.concatenate([rows(), rows()])))).rows.shape == (18, 4)


TREE = {
    "sea.md": "# Harbour\n\nA ship in sea.\n",
    "kitchen.md": "# Kitchen\n\nFlour in a oven.\n",
    "odd.md": "# Zyzzyva\n\nQwerty uiop.\n",
}


def test_site_is_searched_with_its_own_model(tmp_path: Path) -> None:
    """I4, L3: the output does not name the folder of the model."""
    folder = write_model(tmp_path / "secret-place" / "tiny", WORDS, rows())
    config = Config(default_audience="public", search=SearchSettings(model=str(folder)))
    report = build_without_engine(write_tree(tmp_path / "c", dict(TREE)), tmp_path / "out", config, vectors=True)
    assert (report.chunks, report.vectors) == (3, 2), "the third page has only unknown words"
    with ranvier.open_snapshot(tmp_path / "out") as library:
        for query, outcome in (("boat", "sea.md"), ("bread", "kitchen.md")):
            result = library.search(query, strategy="vector")
            assert (result.strategy, [hit.path for hit in result.hits][:1]) == ("vector", [outcome])
            assert result.hits[0].matched_in == ("vector",)
        assert library.search("nosuchword", strategy="vector").hits == ()
        vectors = library.engine.snapshot.vectors
        assert vectors is not None
        assert library.run(vectors.head()).model == "tiny"
    assert not [file for file in (tmp_path / "out").rglob("*") if file.is_file() and b"secret-place" in file.read_bytes()]


def test_missing_model_stops_the_build(tmp_path: Path) -> None:
    """X1: nothing is published."""
    config = Config(default_audience="public", search=SearchSettings(model=str(tmp_path / "nosuch")))
    with pytest.raises(ConfigError, match="nosuch"):
        build_tree(tmp_path, TREE, config, vectors=True)
    assert not (tmp_path / "out").exists()
