"""The legs of a search: each recalls a ranked list of chunks, and knows nothing of the others."""
