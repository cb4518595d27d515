"""Chunks → files: the SQLite snapshot, its split into pieces, the text shards, the manifest."""
