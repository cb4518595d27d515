"""Text → vectors: the files of static embedding models, read."""
