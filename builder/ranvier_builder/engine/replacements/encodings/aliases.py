"""A replacement for the aliases of all encodings: only those of the published encodings."""

aliases = {
    "646": "ascii",
    "us_ascii": "ascii",
    "8859": "latin_1",
    "iso8859_1": "latin_1",
    "iso_8859_1": "latin_1",
    "l1": "latin_1",
    "latin": "latin_1",
    "latin1": "latin_1",
    "u8": "utf_8",
    "utf": "utf_8",
    "utf8": "utf_8",
}
