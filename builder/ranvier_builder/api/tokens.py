"""Bearer tokens: who calls, and what the caller may see ([000], [001])."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from ranvier import Caller
from ranvier.requests import AUDIENCES

from ranvier_builder.errors import BuildError

VARIABLE = "RANVIER_TOKENS"  # of the environment
_MIN_LENGTH = 16  # characters of a token; shorter ones can be guessed
_NO_SEARCH = "no-search"  # a caller without the capability to search gets an error, and never an empty answer


@dataclass(frozen=True, slots=True)
class Tokens:
    """Digests of tokens, and the caller of each. Without any token every caller may see the whole site."""

    callers: tuple[tuple[bytes, Caller], ...] = ()

    def caller(self, authorization: str) -> Caller | None:
        """Return the caller of an `Authorization` header, or `None`. All tokens are compared, each in constant time."""
        if not self.callers:
            return Caller()
        scheme, _, token = authorization.partition(" ")
        digest = sha256(token.strip().encode("utf-8", "surrogateescape")).digest()
        matches = [caller for other, caller in self.callers if hmac.compare_digest(digest, other)]
        return matches[0] if matches and scheme.lower() == "bearer" else None


def read_tokens(file: Path | None, variable: str | None = None) -> Tokens:
    """Read tokens from a file, or from the value of `RANVIER_TOKENS`.

    A line is `AUDIENCE TOKEN`, or `AUDIENCE TOKEN no-search`. Empty lines and lines that start with `#` are ignored. In the
    variable, `;` separates lines, too. A file or a variable without a token is an error: otherwise every caller would see the
    whole site.

    Raises:
        BuildError: a line is wrong, or the file cannot be read. The message has the line's number, and no token.

    """
    try:
        text = file.read_text("utf-8-sig") if file is not None else (variable or "").replace(";", "\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "they are not UTF-8"
        cure = f"name a readable text file with --tokens, or set {VARIABLE}"
        raise BuildError(f"the tokens cannot be read: {reason}", file=file, cure=cure) from None
    name = str(file) if file is not None else VARIABLE
    tokens = Tokens(tuple(_callers(text.splitlines(), name)))
    if (file is not None or variable is not None) and not tokens.callers:
        cure = "add a line such as: public TOKEN" if file is not None else "set it to public TOKEN, or remove the variable"
        raise BuildError("has no token", file=name, cure=cure)
    return tokens


def _callers(lines: Iterable[str], name: str) -> Iterable[tuple[bytes, Caller]]:
    numbers: dict[str, int] = {}  # of the line of each token
    for number, line in enumerate(lines, 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if not _is_token(words):
            names = ", ".join(AUDIENCES)
            cure = f"write AUDIENCE TOKEN, with an audience of {names} and a token of at least {_MIN_LENGTH} ASCII characters"
            raise BuildError("this line is not a token", file=name, line=number, cure=cure)
        if (first := numbers.setdefault(words[1], number)) != number:
            message = f"this line has the token of line {first}, so its audience is not clear"
            raise BuildError(message, file=name, line=number, cure="give each caller a token of their own")
        yield sha256(words[1].encode()).digest(), Caller(words[0], may_search=_NO_SEARCH not in words[2:])


def _is_token(words: list[str]) -> bool:
    if len(words) not in (2, 3) or words[0] not in AUDIENCES or words[2:] not in ([], [_NO_SEARCH]):
        return False
    return len(words[1]) >= _MIN_LENGTH and words[1].isascii()  # programs send other characters in different encodings
