"""The names of the snapshot's FTS5 tables."""

CHUNKS, NEURONS, SUBSTRINGS = "chunk_fts", "neuron_fts", "substring_fts"
WORDS = (CHUNKS, NEURONS)  # the postings of both are in the same files
