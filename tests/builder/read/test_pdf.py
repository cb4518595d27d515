"""PDF files (N7, N9): their text and title, and damaged, hostile or encrypted files."""

import logging
import re
import sys
import zlib
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
from pypdf import PageObject, PdfReader, PdfWriter
from pypdf.errors import DependencyError
from ranvier_builder.model import Warn
from ranvier_builder.read import pdf as module
from ranvier_builder.read.pdf import Pdf, read_pdf
from support.pdf import pdf


def read(folder: Path, raw: bytes) -> tuple[Pdf, list[Warn]]:
    (folder / "x.pdf").write_bytes(raw)
    return read_pdf(folder, "x.pdf")


def test_pdf_pages_and_title_are_read(tmp_path: Path) -> None:
    raw = pdf(["The first page says axon.", "It goes on."], [], ["The third page."], title="On nerves")
    assert read(tmp_path, raw) == (
        Pdf("On nerves", ((1, ("The first page says axon. It goes on.",)), (3, ("The third page.",)))),
        [],
    )


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Über Nerven", "Über Nerven"),
        ("  A   title ", "A title"),
        ("", ""),
        ("Untitled", ""),
        ("untitled-3", ""),
        ("Microsoft Word - draft.doc", ""),
        ("thesis_final.tex", ""),
        ("Document1", ""),
        ("- -", ""),
        ("x" * 300, ""),
        ("Slides about nerves", "Slides about nerves"),
    ],
)
def test_generated_pdf_title_is_ignored(tmp_path: Path, title: str, expected: str) -> None:
    assert read(tmp_path, pdf(["x"], title=title))[0].title == expected


@pytest.mark.parametrize(
    ("lines", "paragraphs"),
    [
        (["one line and", "another"], ("one line and another",)),
        (["a hyphen-", "ated word"], ("a hyphenated word",)),
        (["North-", "South"], ("North- South",)),
        (["one", " ", " ", " ", "two"], ("one", "two")),
        ([" ", " ", "one"], ("one",)),
        (["A sentence that is as long as the column is.", "It ends.", "The next one begins here, as lines do."], 2),
    ],
)
def test_pdf_lines_are_joined_to_paragraphs(tmp_path: Path, lines: list[str], paragraphs: tuple[str, ...] | int) -> None:
    result = read(tmp_path, pdf(lines))[0].pages[0][1]
    assert result == paragraphs or len(result) == paragraphs


def test_pdf_without_text_is_reported(tmp_path: Path) -> None:
    (warning,) = read(tmp_path, pdf([]))[1]
    assert str(warning) == "x.pdf: has no text: words in pictures cannot be found"


@pytest.mark.parametrize("word", ["", "secret"])
def test_encrypted_pdf_is_read_only_if_it_needs_no_password(tmp_path: Path, word: str) -> None:
    writer = PdfWriter(clone_from=PdfReader(BytesIO(pdf(["An encrypted axon."]))))
    writer.encrypt(word, "owner", algorithm="RC4-128")
    out = BytesIO()
    writer.write(out)
    result, warnings = read(tmp_path, out.getvalue())
    assert [page for page, _ in result.pages] == ([] if word else [1])
    assert [warning.message for warning in warnings] == (["is encrypted: its text is left out"] if word else [])


SOUND = pdf(["Some text of a page."] * 30, ["And another."], title="A title")
LOOP = SOUND.replace(b"/Kids [4 0 R 6 0 R]", b"/Kids [2 0 R 2 0 R]")
ITSELF = SOUND.replace(b"/Contents 5 0 R", b"/Contents 4 0 R")


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"x",
        b"%PDF-1.4",
        b"%PDF-1.4\n" + b"\0" * 10_000,
        b"%PDF-1.7\n" + b"[" * 100_000,
        b"%PDF-1.7\n" + b"<<" * 100_000,
        b"%PDF-1.4\ntrailer << /Root 1 0 R >>\nstartxref\n0\n%%EOF",
        b"%PDF-1.4\nxref\n0 99999999999\ntrailer << /Size 99999999999 /Prev 9 >>\nstartxref\n9\n%%EOF",
        SOUND[: len(SOUND) // 2],
        SOUND[:-100],
        LOOP,
        ITSELF,
        SOUND.replace(b"stream", b"strem"),
        SOUND.replace(b"/Count 2", b"/Count -7"),
        SOUND.replace(b"/Parent 2 0 R", b"/Parent 4 0 R"),
        b"<html><body>Not found</body></html>",
    ],
)
@pytest.mark.timeout(60)
def test_damaged_pdf_is_reported(
    tmp_path: Path, raw: bytes, recwarn: pytest.WarningsRecorder, caplog: pytest.LogCaptureFixture
) -> None:
    """N9: no crash, no endless loop, and no foreign output on the terminal."""
    result, warnings = read(tmp_path, raw)
    assert result.pages or warnings
    assert {warning.kind for warning in warnings} <= {"media"}
    assert not recwarn.list
    assert not caplog.records


@pytest.mark.timeout(120)
def test_random_bytes_do_not_crash_the_pdf_reader(tmp_path: Path) -> None:
    random = Random(7)
    for _ in range(150):
        raw = bytearray(SOUND)
        for _ in range(random.randint(1, 30)):
            raw[random.randrange(len(raw))] = random.randrange(256)
        read(tmp_path, bytes(raw))


def test_large_pdf_is_cut_and_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """N9: the report names the place of the cut."""
    raw = pdf(["Ten words of text make up this line of it."], ["Page two."], ["Page three."])
    monkeypatch.setattr(module, "PAGES_MAX", 2)
    result, warnings = read(tmp_path, raw)
    assert [page for page, _ in result.pages] == [1, 2]
    assert [str(warning) for warning in warnings] == ["x.pdf: has 3 pages: the text of the first 2 is read"]
    monkeypatch.setattr(module, "CHARACTERS_MAX", 20)
    result, warnings = read(tmp_path, raw)
    assert result.pages == ((1, ("Ten words of text ma",)),)
    assert "the rest is left out, from page 1 on" in warnings[0].message
    monkeypatch.setattr(module, "BYTES_MAX", 20)
    assert "is larger than" in read(tmp_path, raw)[1][0].message


def test_pdf_reader_stops_after_a_number_of_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """N9: it counts steps, not seconds, so that the result is the same on every machine."""
    monkeypatch.setattr(module, "CALLS_MAX", 3000)
    result, warnings = read(tmp_path, pdf(*[["Some text."] * 20] * 20))
    assert re.match(r"takes too much work to read: its text is left out after page \d+", warnings[0].message)
    assert len(result.pages) < 20


def test_pdf_work_is_limited_by_file_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """N9: a small file that shows one page 300 times is a bomb; 30 pages of text are not."""
    monkeypatch.setattr(module, "CALLS_MIN", 100_000)
    lines = ["Ten words of text make up this line of it."] * 40
    bomb = pdf(lines).replace(b"[4 0 R] /Count 1", b"[" + b"4 0 R " * 300 + b"] /Count 300")
    result, warnings = read(tmp_path, bomb)
    assert re.match(r"takes too much work to read: its text is left out after page \d+", warnings[0].message)
    assert 0 < len(result.pages) < 300
    result, warnings = read(tmp_path, pdf(*[lines] * 30))
    assert (len(result.pages), warnings) == (30, [])


def test_missing_package_for_an_encryption_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """N9: many PDFs that forbid printing are encrypted with AES, and need no password."""

    def without_package(_: PageObject) -> str:
        raise DependencyError("cryptography>=3.1 is required for AES algorithm")

    monkeypatch.setattr(PageObject, "extract_text", without_package)
    _, warnings = read(tmp_path, pdf(["x"], ["y"]))
    reason = "cannot be read as a PDF: DependencyError: cryptography>=3.1 is required for AES algorithm"
    assert [warning.message for warning in warnings] == [reason]


def test_pdf_stream_bomb_is_rejected(tmp_path: Path) -> None:
    """N9: a stream that unpacks to gigabytes."""
    packed = zlib.compress(b" " * 300_000_000, 9)
    head = f"<< /Length {len(packed)} /Filter /FlateDecode >>\nstream\n".encode()
    raw = pdf(["x"])
    at = raw.index(b"5 0 obj\n") + 8
    _, warnings = read(tmp_path, raw[:at] + head + packed + b"\nendstream\nendobj\n" + raw[raw.index(b"6 0 obj") :])
    assert warnings[0].message == "page 1 cannot be read: left out"


def test_missing_pdf_is_reported(tmp_path: Path) -> None:
    assert read_pdf(tmp_path, "gone.pdf")[1][0].message == "cannot be read: No such file or directory"


def test_pdf_reader_restores_profiler_and_logging(tmp_path: Path) -> None:
    """N7: also after a damaged file."""
    log, profiler = logging.getLogger("pypdf"), sys.getprofile()
    log.setLevel(logging.WARNING)
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7\nbroken")
    read_pdf(tmp_path, "broken.pdf")
    assert (log.level, sys.getprofile()) == (logging.WARNING, profiler)
    log.setLevel(logging.NOTSET)
