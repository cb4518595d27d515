"""Static embedding models from local files: a tokenizer, and a vector for each of its tokens. Nothing is downloaded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ranvier_builder.embed.tokenizer_file import TokenizerFile, read_tokenizer
from ranvier_builder.errors import ConfigError
from ranvier_builder.search_settings import WORDLLAMA, SearchSettings

_TABLES = ("embedding.weight", "embeddings", "embedding.embeddings")  # names of the vector table in static models
# Positions of table and tokenizer in a model's folder: model2vec's, then sentence-transformers'.
_PLACES = (("model.safetensors", "tokenizer.json"), ("0_StaticEmbedding/model.safetensors", "0_StaticEmbedding/tokenizer.json"))


@dataclass(frozen=True, slots=True, eq=False)
class StaticModel:
    """A model whose vector of a text is the mean of its tokens' vectors, so that queries need no neural network layers (I4)."""

    name: str
    langs: tuple[str, ...]
    tokenizer: TokenizerFile
    rows: NDArray[np.floating]


@lru_cache(maxsize=2)
def embedder(model: str, langs: tuple[str, ...] = ()) -> StaticModel:
    """Return a model: WordLlama by its name, all others by their folder, in the format of model2vec or sentence-transformers.

    `langs` are the languages that a model in a folder supports; empty: any. One that is missing or damaged is a `ConfigError`.
    """
    return _wordllama() if model == WORDLLAMA else _folder(Path(model), langs)


def model_of(settings: SearchSettings) -> StaticModel | None:
    """Return the model of a site's settings; `None` if search by meaning is off, or if `lacks_model`."""
    if settings.vectors is False or lacks_model(settings):
        return None
    return embedder(settings.model, settings.model_langs)


def lacks_model(settings: SearchSettings) -> bool:
    """Return whether a site has no search by meaning only because WordLlama is not installed."""
    return settings.vectors is None and settings.model == WORDLLAMA and _wordllama_folder() is None


def _wordllama_folder() -> Path | None:
    spec = find_spec("wordllama")
    return Path(spec.submodule_search_locations[0]) if spec is not None and spec.submodule_search_locations else None


def _wordllama() -> StaticModel:
    """Read WordLlama's 256 dimensions from its installed package, without importing it."""
    folder = _wordllama_folder()
    if folder is None:
        cure = 'pip install "ranvier[vectors]", or set vectors = false below [search]'
        raise ConfigError("the search by meaning needs WordLlama, which is not installed", cure=cure)
    tokenizer = read_tokenizer(folder / "tokenizers" / "l2_supercat_tokenizer_config.json")
    return StaticModel("WordLlama 256", ("en",), tokenizer, _table(folder / "weights" / "l2_supercat_256.safetensors"))


def _folder(folder: Path, langs: Sequence[str]) -> StaticModel:
    for table, tokenizer in _PLACES:
        if (folder / table).is_file() and (folder / tokenizer).is_file():
            rows, reader = _table(folder / table), read_tokenizer(folder / tokenizer)
            if max([*reader.vocabulary.values(), -1]) >= len(rows):
                message = f"has {len(rows):,} vectors, fewer than its tokenizer has tokens"
                raise ConfigError(message, file=folder / table, cure=_CURE)
            return StaticModel(folder.resolve().name, tuple(langs), reader, rows)
    raise ConfigError("contains no model.safetensors with a tokenizer.json", file=folder, cure=_CURE)


_CURE = "name a folder with a static model in the format of model2vec or sentence-transformers"


def _table(file: Path) -> NDArray[np.floating]:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(file, "numpy") as tensors:
            names = [name for name in _TABLES if name in tensors.keys()]
            tensor: Any = tensors.get_tensor(names[0]) if names else None
    except (OSError, SafetensorError, TypeError) as error:  # TypeError: a number type that numpy lacks, such as bfloat16
        raise ConfigError(f"cannot be read: {error}", file=file, cure=_CURE) from None
    if tensor is None or tensor.ndim != 2 or not min(tensor.shape):
        raise ConfigError(f"contains no table {' or '.join(_TABLES)}", file=file, cure=_CURE)
    table = tensor if np.issubdtype(tensor.dtype, np.floating) else np.asarray(tensor, dtype=np.float64)
    if not (np.isfinite(table).all() and table.any()):
        raise ConfigError("contains only zeros, or values that are not numbers", file=file, cure=_CURE)
    return table
