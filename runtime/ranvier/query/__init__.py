"""What the reader typed → what to look for."""
