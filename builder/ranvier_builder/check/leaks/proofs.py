"""What an earlier check proved, and the next need not prove again: the same bytes, the same name, the same needles."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256


@dataclass(slots=True)
class Proofs:
    """Proofs of earlier checks, and of this one. A proof is a digest; what it was about cannot be read from it."""

    known: frozenset[bytes] = frozenset()
    new: set[bytes] = field(default_factory=set)

    def keep(self, proof: bytes) -> None:
        """Take up a proof of this check."""
        if proof:
            self.new.add(proof)


def proof(question: bytes, name: str, digest: bytes) -> bytes:
    """Name the finding that a file with this name and this content's SHA-256 holds nothing of what a check asked for."""
    return sha256(repr((question, name, digest)).encode("utf-8", "surrogateescape")).digest()
