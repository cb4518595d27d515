"""The chunk store: a SQLite file in pieces, and the text of what it finds."""
