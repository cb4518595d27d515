"""The kind of a published file agrees with its extension (N7)."""

from pathlib import Path

import pytest
from ranvier_builder.media.publish import published_bytes
from ranvier_builder.media.refused import RefusedError
from ranvier_builder.paths import MEDIA
from support.pictures import AVIF, BMP, GIF, JPEG, MP3, MP4, PDF, PNG, WEBP, ZIP, ico, published

PAGES = (
    b"<!doctype html><script>alert(1)</script>",
    b" \n\t<html>",
    b"\xef\xbb\xbf<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'/>",
    b"\0\0<script>",
    b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
    b" " * 2000 + b"<b>",
)
OGG, RIFF = b"OggS\0", b"RIFF\0\0\0\0WAVE"
GOOD = (
    {".png": PNG, ".jpg": JPEG, ".jpeg": JPEG, ".gif": GIF, ".webp": WEBP, ".avif": AVIF, ".bmp": BMP, ".ico": ico(PNG)}
    | {".mp3": MP3, ".ogg": OGG, ".oga": OGG, ".opus": OGG, ".ogv": OGG, ".wav": RIFF, ".flac": b"fLaC", ".m4a": MP4}
    | {".mp4": MP4, ".m4v": MP4, ".mov": b"\0\0\0\x08moov", ".webm": b"\x1aE\xdf\xa3", ".pdf": PDF, ".zip": ZIP}
    | {".txt": b"words < more", ".csv": b"\xef\xbb\xbfa;b", ".vtt": b"WEBVTT\n\n<v Ada>", ".srt": b"\n1\n00:00"}
    | {".svg": b'<svg xmlns="http://www.w3.org/2000/svg"/>'}
)


@pytest.mark.parametrize("strip_metadata", [True, False])
@pytest.mark.parametrize("ending", sorted(MEDIA))
def test_html_with_another_extension_is_refused(tmp_path: Path, ending: str, strip_metadata: bool) -> None:
    """A2, N7: a browser that guesses the type would run it."""
    assert published(tmp_path, f"a{ending}", GOOD[ending], strip_metadata=strip_metadata)
    assert published(tmp_path, f"a{ending.upper()}", GOOD[ending], strip_metadata=strip_metadata)
    for page in PAGES:
        with pytest.raises(RefusedError):
            assert not published(tmp_path, f"a{ending}", page, strip_metadata=strip_metadata)


def test_empty_text_file_is_published(tmp_path: Path) -> None:
    assert published(tmp_path, "a.txt", b"") == b""
    assert published(tmp_path, "a.txt", b"\n \n") == b"\n \n"


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.png", PDF, "its format is not PNG but PDF"),
        ("a.mp3", PNG, "its format is not MP3 but PNG"),
        ("a.gif", b"words", "its format is not GIF"),
        ("a.mp4", b"", "its format is not MP4"),
        ("a.mp4", b"<b> ftyp<script>alert(1)</script>", "its format is not MP4"),
        ("a.mov", b"<p> wide<script>alert(1)</script>", "its format is not MOV"),
        ("a.txt", b"\n<b>", 'its text begins with "<", and a browser may take it for a page'),
        ("a.srt", b"NOTE a comment\n\n<b>", 'its text begins with "<", and a browser may take it for a page'),
        ("a.exe", b"MZ", "files of this type are not published"),
    ],
)
def test_refused_file_has_a_reason(tmp_path: Path, name: str, data: bytes, reason: str) -> None:
    """N9."""
    with pytest.raises(RefusedError) as refused:
        published(tmp_path, name, data)
    assert str(refused.value) == reason


def test_large_files_are_copied_in_parts(tmp_path: Path) -> None:
    """N9."""
    (tmp_path / "a.mp4").write_bytes(MP4 + bytes(3 << 20))
    sizes = [len(part) for part in published_bytes(tmp_path / "a.mp4")]
    assert sum(sizes) == len(MP4) + (3 << 20)
    assert max(sizes) <= 1 << 20
