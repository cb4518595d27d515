"""The names of the snapshot's FTS5 tables (`schema.sql` says what is in them)."""

CHUNKS, NEURONS, SUBSTRINGS = "chunk_fts", "neuron_fts", "substring_fts"
WORDS = (CHUNKS, NEURONS)  # their postings lie in common files
