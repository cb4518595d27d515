"""Proof of what was written, and the health of what was read."""
