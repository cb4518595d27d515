"""Text → vectors: readers of static embedding models."""
