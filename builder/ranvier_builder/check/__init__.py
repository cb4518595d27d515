"""Proof of what was written, and the health of what was read."""

from ranvier_builder.check.leaks import Leak, Proofs, find_leaks

__all__ = ["Leak", "Proofs", "find_leaks"]
