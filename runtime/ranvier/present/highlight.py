"""Marks: the words of a text that the query asks for, wrapped in `<mark>`, with everything else escaped."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ranvier import text
from ranvier.text import Token

SNIPPET_TOKENS = 32  # [003]
_BLANKS = re.compile(r"\s+")
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})


def escape(plain: str) -> str:
    """Escape text for HTML, in an element or in a quoted attribute: `a<b` → `a&lt;b`."""
    return plain.translate(_ESCAPES)


@dataclass(frozen=True, slots=True)
class Marker:
    """Finds a query's words in texts. `whole` are terms; `starts` are beginnings of terms."""

    whole: frozenset[str]
    starts: tuple[str, ...] = ()

    def wants(self, token: Token) -> str:
        """Return the query word that a token stands for; empty where it is none."""
        if token.term in self.whole:
            return token.term
        return next((start for start in self.starts if token.term.startswith(start)), "")

    def typed(self, plain: str, token: Token) -> bool:
        """Tell whether the word as written begins as the query does, though its stem does not."""
        return bool(self.starts) and text.fold(plain[token.start : token.end]).startswith(self.starts)

    def found(self, plain: str) -> set[str]:
        """Return the query words that a text holds."""
        return {word for token in text.tokens(plain) if (word := self.word(plain, token))}

    def word(self, plain: str, token: Token) -> str:
        """Return the query word for a token by its term, or by its spelling."""
        return self.wants(token) or (self.starts[0] if self.typed(plain, token) else "")

    def mark(self, plain: str) -> str:
        """Mark a whole text: `Two <b> cats`, cat → `Two &lt;b&gt; <mark>cats</mark>`."""
        return self._marked(plain, text.tokens(plain), 0, len(plain))

    def snippet(self, plain: str, tokens_max: int = SNIPPET_TOKENS) -> str:
        """Mark the stretch of about `tokens_max` words that holds most of the query's words."""
        tokens = text.tokens(plain)
        if not tokens:
            return escape(_BLANKS.sub(" ", plain.strip())[:200])
        first = self._best_window(plain, tokens, tokens_max)
        window = tokens[first : first + tokens_max]
        start = 0 if first == 0 else window[0].start
        end = len(plain) if first + tokens_max >= len(tokens) else window[-1].end
        body = self._marked(plain, window, start, end).strip()
        return ("… " if start else "") + _BLANKS.sub(" ", body) + (" …" if end < len(plain) else "")

    def _best_window(self, plain: str, tokens: list[Token], size: int) -> int:
        """Return the first token of the window with most distinct words, then most words, then the earliest."""
        places = [(at, word) for at, token in enumerate(tokens) if (word := self.word(plain, token))]
        best, best_score = 0, (0, 0)
        for at, _ in places:
            inside = [word for other, word in places if at <= other < at + size]
            score = (len(set(inside)), len(inside))
            if score > best_score:
                best, best_score = at, score
        # A few words of lead-in read better than a match at the very edge.
        return max(0, min(best - 4, len(tokens) - size))

    def _marked(self, plain: str, tokens: list[Token], start: int, end: int) -> str:
        out, at = [], start
        for token in tokens:
            if self.word(plain, token):
                out += [escape(plain[at : token.start]), "<mark>", escape(plain[token.start : token.end]), "</mark>"]
                at = token.end
        return "".join((*out, escape(plain[at:end])))
