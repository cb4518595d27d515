"""B7: arrays that grow with the site are in temporary files."""

import os
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from ranvier_builder.array_files import ArrayFile, allocate, empty_array
from ranvier_builder.write.facts import Collection
from support.meaning import clustered_pages
from support.stores import make_store


@pytest.mark.parametrize("in_memory", [False, True])
def test_appended_arrays_are_one_array_of_the_file_type(tmp_path: Path, in_memory: bool) -> None:
    folder = None if in_memory else tmp_path
    file = ArrayFile(np.int16, folder)
    file.append(np.array([1, -2], np.int64))
    file.append(np.zeros(0, np.int64))
    file.append(np.array([[3, 4], [5, 6]], np.int64))
    result = file.array()
    assert result.dtype == np.int16
    assert result.tolist() == [1, -2, 3, 4, 5, 6]
    assert ArrayFile(np.float64, folder).array().tolist() == []


@pytest.mark.parametrize("in_memory", [False, True])
def test_empty_array_has_zeros_that_can_be_replaced(tmp_path: Path, in_memory: bool) -> None:
    folder = None if in_memory else tmp_path
    result = empty_array(5, np.float32, folder)
    result[np.array([3, 1])] = 1.5, 2.5
    assert result.tolist() == [0, 2.5, 0, 1.5, 0]
    assert empty_array(0, np.bool_, folder).tolist() == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can reserve blocks")
def test_array_has_its_blocks_on_disk(tmp_path: Path) -> None:
    """With a full disk, the first access to a block that is missing would end the process without a message."""
    with tempfile.TemporaryFile(dir=tmp_path) as file:
        allocate(file.fileno(), 1 << 20)
        assert os.fstat(file.fileno()).st_blocks * 512 >= 1 << 20


def test_search_files_need_no_temporary_folder_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be in memory, or too small."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    with pytest.raises(FileNotFoundError):
        tempfile.TemporaryFile()
    pages, model = clustered_pages()
    store = make_store(tmp_path / "store", pages, collection=Collection("site", model=model))
    assert store.vectors
    assert store.lists
