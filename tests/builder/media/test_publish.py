"""Published pictures have no metadata (N7, A2). `tests/e2e` tests that they look the same."""

from contextlib import suppress
from pathlib import Path

import pytest
from ranvier_builder.media.publish import published_bytes, without_metadata
from ranvier_builder.media.refused import RefusedError
from ranvier_builder.work import limits
from support.pictures import (
    AVIF,
    AVIF_FRAMES,
    BMP,
    GIF,
    JPEG,
    PNG,
    PROGRESSIVE,
    SECRET,
    WEBP,
    WEBP_FRAMES,
    chunk,
    exif,
    ico,
    private_jpeg,
    private_png,
    published,
    segment,
)

PRIVATE = {
    "camera.jpg": private_jpeg(),
    "progressive.JPEG": private_jpeg(PROGRESSIVE, order="<"),
    "screen.png": private_png(),
    "moving.gif": GIF,
    "lossless.webp": WEBP,
    "moving.webp": WEBP_FRAMES,
    "new.avif": AVIF,
    "moving.avif": AVIF_FRAMES,
    "favicon.ico": ico(private_png(), BMP[14:]),
}


@pytest.mark.parametrize("name", PRIVATE)
def test_picture_metadata_is_removed(tmp_path: Path, name: str) -> None:
    """A2: EXIF, XMP, IPTC, comments, thumbnails, and data after the end. A second pass changes nothing."""
    data = PRIVATE[name]
    assert SECRET in data
    clean = published(tmp_path, name, data)
    assert SECRET not in clean
    assert b"SECRE" not in clean
    assert published(tmp_path, name, clean) == clean
    assert published(tmp_path, name, data, strip_metadata=False) == data


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("turned", range(10))
def test_picture_orientation_is_kept(tmp_path: Path, turned: int, order: str) -> None:
    """N7: only the orientation of the EXIF data; 1 is upright, and invalid values are dropped."""
    orientation = exif(turned, ">")[:10] if 1 < turned < 9 else b""
    jpeg = published(tmp_path, "a.jpg", private_jpeg(JPEG, turned, order))
    png = published(tmp_path, "a.png", PNG[:33] + chunk(b"eXIf", exif(turned, order)) + PNG[33:])
    small = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01" + bytes((0, turned, 0, 0)) + bytes(4) if orientation else b""
    assert jpeg == JPEG[:20] + (segment(0xE1, b"Exif\0\0" + small) if orientation else b"") + ICC + JPEG[20:]
    assert png == PNG[:33] + (chunk(b"eXIf", small) if orientation else b"") + PNG[33:]


ICC = segment(0xE2, b"ICC_PROFILE\0\x01\x01colours")


def test_colour_profile_and_loop_count_are_kept(tmp_path: Path) -> None:
    """N7."""
    assert ICC in published(tmp_path, "a.jpg", PRIVATE["camera.jpg"])
    assert b"iCCP" in published(tmp_path, "a.png", PRIVATE["screen.png"])
    assert b"NETSCAPE2.0" in published(tmp_path, "a.gif", GIF)
    assert b"VP8X" in published(tmp_path, "a.webp", WEBP)


@pytest.mark.parametrize(
    "data",
    [
        JPEG[:20] + b"\xff\xff\xff" + segment(0xFE, SECRET)[1:] + JPEG[20:],  # any number of 0xFF before a marker
        JPEG[:20] + segment(0xE0, b"JFXX\0\x10" + SECRET) + segment(0xEE, b"Adobe\0d\0\0\0\0\x01" + SECRET) + JPEG[20:],
        JPEG[:-2],  # no end: browsers show it
        JPEG[:2] + segment(0xE0, b"JFIF\0\x01\x01\0\0\x01\0\x01\x01\x01" + SECRET[:3]) + JPEG[20:],
        PROGRESSIVE[: PROGRESSIVE.rindex(b"\xff\xda")]
        + segment(0xFE, SECRET)
        + PROGRESSIVE[PROGRESSIVE.rindex(b"\xff\xda") :],  # a comment between two scans
        JPEG[:20] + segment(0xE1, b"Exif\0\0MM\0*" + SECRET) + JPEG[20:],  # EXIF data that are damaged
        JPEG[:20] + segment(0xE1, b"Exif\0\0" + exif(3)[:12]) + JPEG[20:],
    ],
)
def test_unusual_jpegs_are_cleaned(tmp_path: Path, data: bytes) -> None:
    clean = published(tmp_path, "a.jpg", data)
    assert b"SEC" not in clean
    scan = data[data.rindex(b"\xff\xda") :].removesuffix(b"\xff\xd9")
    assert clean.endswith(scan + b"\xff\xd9")


@pytest.mark.parametrize("name", PRIVATE)
def test_damaged_picture_is_refused_or_cleaned(name: str) -> None:
    """N7, N9: no other error occurs, and no unread data is published."""
    ending, data = Path(name).suffix.lower(), PRIVATE[name]
    refused = 0
    for end in range(len(data)):
        try:
            assert SECRET not in b"".join(without_metadata(ending, data[:end]))
        except RefusedError:
            refused += 1
    assert refused > len(data) // 4
    for at in range(len(data)):
        damaged = data[:at] + bytes((data[at] ^ 0xFF,)) + data[at + 1 :]
        with suppress(RefusedError):
            b"".join(without_metadata(ending, damaged))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.png", PNG[:8] + PNG[33:]),  # no header
        ("a.png", PNG[:33] + PNG[-12:]),  # no picture
        ("a.png", PNG[:33] + chunk(b"CgBI", b"") + PNG[33:]),
        ("a.jpg", JPEG[:20] + b"\xff\xd9"),
        ("a.jpg", JPEG[:20] + b"\xff\xfe\0\0" + JPEG[20:]),  # a length of nothing
        ("a.gif", GIF[:13] + b"\x3b"),
        ("a.webp", b"RIFF\x04\0\0\0WEBP"),
        ("a.ico", b"\0\0\1\0\0\0"),
        ("a.avif", AVIF[:40]),
    ],
)
def test_file_without_a_picture_is_refused(tmp_path: Path, name: str, data: bytes) -> None:
    """N7."""
    with pytest.raises(RefusedError, match=r"damaged|browsers show|incomplete"):
        published(tmp_path, name, data)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.jpg", JPEG[:-2] + b"\xff" * 4_000_000 + b"\0"),
        ("a.jpg", JPEG[:20] + b"\xff" * 1_000_000 + JPEG[20:]),
        ("a.ico", b"\0\0\1\0\xff\xff" + ico(PNG)[6:18] * 65535 + bytes(300_000)),
        ("a.gif", GIF[:13] + b"\x21\xfe\x01x\0" * 300_000),
        ("a.webp", b"RIFF\xff\xff\x0f\0WEBP" + b"XMP \0\0\0\0" * 131_071),
    ],
)
def test_hostile_picture_takes_linear_time(tmp_path: Path, name: str, data: bytes) -> None:
    """N9: within the limits of a file."""

    def attempt(picture: bytes) -> None:
        with suppress(RefusedError):
            published(tmp_path, name, picture)

    assert limits.each(attempt, [data], len) == [None]


def test_picture_above_the_size_limit_is_refused(tmp_path: Path) -> None:
    """N9: pictures are read as a whole; films are not."""
    for name in ("a.png", "a.svg"):
        with (tmp_path / name).open("wb") as file:
            file.truncate((128 << 20) + 1)
        with pytest.raises(RefusedError, match="larger than 128 MB"):
            b"".join(published_bytes(tmp_path / name))
