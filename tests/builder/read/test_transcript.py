"""Transcripts (N7): the spoken text with speakers and times, without display settings."""

from pathlib import Path

import pytest
from ranvier_builder.model import Warn
from ranvier_builder.read.transcript import Transcript, read_transcript

VTT = """WEBVTT - A talk
Kind: captions

STYLE
::cue { color: papayawhip }

NOTE a comment --> not times
of two lines

intro
00:01.000 --> 00:04.000 align:start position:0%
<v Ada Byron>Hello <i>all</i>.</v>

00:04.000 --> 00:06.000
<v Ada Byron>We speak of <c.loud>nerves</c> &amp; axons.

NOTE

00:06.500 --> 00:09.000
<v.loud Bob>A <00:00:07.000>question?
<v Ada Byron>Yes.

01:02.000 --> 01:05.000
The next minute begins.

1:00:01.000 --> 1:00:05.000
An hour later.
"""
DIALOGUE = ("Ada Byron: Hello all. We speak of nerves & axons.", "Bob: A question?", "Ada Byron: Yes.")
SRT = """1
00:00:01,000 --> 00:00:04,000
{\\an8}<font color="#fff">Hello</font> all.

2
00:00:04,500 --> 00:00:06,000
A < B, said
she.
"""
# Rolling captions of video platforms: each cue repeats the last line and adds words.
ROLLING = """WEBVTT

00:00:00.000 --> 00:00:02.000
the axon

00:00:02.000 --> 00:00:02.010
the axon

00:00:02.010 --> 00:00:04.000
the axon
conducts the pulse

00:00:04.000 --> 00:00:06.000
conducts the pulse
conducts the pulse quickly

00:00:20.000 --> 00:00:21.000
conducts the pulse quickly
"""


def read(folder: Path, raw: str | bytes, name: str = "x.vtt") -> tuple[Transcript, list[Warn]]:
    (folder / name).write_bytes(raw if isinstance(raw, bytes) else raw.encode())
    return read_transcript(folder, name)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (VTT, ((1, DIALOGUE), (62, ("The next minute begins.",)), (3601, ("An hour later.",)))),
        (SRT, ((1, ("Hello all. A < B, said she.",)),)),
        (ROLLING, ((0, ("the axon conducts the pulse quickly conducts the pulse quickly",)),)),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\nOne\n\n00:30.000 --> 00:31.000\nOne", ((1, ("One One",)),)),  # said twice
        ("00:01.000 --> 00:02.000\nWithout a head", ((1, ("Without a head",)),)),
        ("\ufeffWEBVTT\r\n\r\n00:01.000 --> 00:02.000\r\nLines\r\nof Windows\r\n", ((1, ("Lines of Windows",)),)),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\n\n00:03.000 --> 00:04.000\nAfter an empty one", ((3, ("After an empty one",)),)),
        ("WEBVTT\n\n00:90.000 --> 00:91.000\nlate\n\n00:05.000 --> 00:06.000\nearlier", ((90, ("late",)), (5, ("earlier",)))),
        ("1\n00:00:01,000 --> 00:00:02,000\nNo\n2\n00:01:05,000 --> 00:01:06,000\nblank", ((1, ("No",)), (65, ("blank",)))),
        ("NOTE\n00:01.000 --> 00:02.000\nprivate\n00:03.000 --> 00:04.000\nnote", ()),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\n<b></b>", ()),
        ("", ()),
        ("WEBVTT", ()),
        ("not a transcript\n\nat all", ()),
        ("WEBVTT\n\n00:00 --> x\nno times", ()),
    ],
)
def test_transcript_formats_are_read(tmp_path: Path, raw: str, expected: Transcript) -> None:
    result, warnings = read(tmp_path, raw)
    assert result == expected
    assert [warning.kind for warning in warnings] == ([] if expected else ["media"])


@pytest.mark.parametrize(
    ("raw", "words", "odd"),
    [
        ("WEBVTT\n\n00:01.000 --> 00:02.000\nÜber".encode("utf-16"), "Über", []),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\n😀".encode("utf-32"), "😀", []),
        ("1\n00:00:01,000 --> 00:00:02,000\nÜber".encode("cp1252"), "Über", ["x.vtt:3: not UTF-8: read as Windows-1252"]),
        (
            b"\xff\xfe\x00",
            "",
            ["x.vtt:1: not UTF-16: some characters were replaced", "x.vtt: has no cues: not a transcript that can be read"],
        ),
    ],
)
def test_transcript_encodings_are_read(tmp_path: Path, raw: bytes, words: str, odd: list[str]) -> None:
    """N9."""
    result, warnings = read(tmp_path, raw)
    assert "".join(paragraph for _, message in result for paragraph in message) == words
    assert [str(warning) for warning in warnings] == odd


@pytest.mark.parametrize(
    "raw",
    [
        "WEBVTT\n\n" + "00:01.000 --> 00:02.000\nthe same second\n\n" * 60_000,
        "WEBVTT\n\n00:01.000 --> 00:02.000\n" + "line\n" * 300_000,
        "WEBVTT\n\n00:01.000 --> 00:02.000\n" + "<v " * 300_000,
        "WEBVTT\n\n00:01.000 --> 00:02.000\n" + "{\\" * 300_000 + "<" * 300_000,
        "-->" * 400_000,
        "NOTE\n" + "00:01.000 --> 00:02.000\n" * 300_000,
        ("0" * 100 + ":") * 20_000 + " --> ",
    ],
)
def test_transcripts_take_linear_time(tmp_path: Path, raw: str) -> None:
    """N9: the timeout of the test is the limit."""
    read(tmp_path, raw)


def test_large_or_missing_transcript_is_reported(tmp_path: Path) -> None:
    assert "is larger than 20 MB" in read(tmp_path, b"x" * 20_000_001)[1][0].message
    assert read_transcript(tmp_path, "gone.vtt")[1][0].message == "cannot be read: No such file or directory"
