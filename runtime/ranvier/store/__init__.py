"""The chunk store: a SQLite file in pieces, and the texts of its rows."""
