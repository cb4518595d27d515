"""The fields that a page exports in MDX: `export const frontmatter = {draft: true}`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from ranvier_builder.markdown.javascript import literal
from ranvier_builder.read.frontmatter import Split, code_lines
from ranvier_builder.read.settings import folded

_EXPORT = re.compile(r"^export[ \t]+(?:const|let|var)[ \t]+(?:front[mM]atter|meta|metadata)\b[^={\n]*=\s*(?=\{)", re.MULTILINE)
_CHARACTERS_MAX, _EXPORTS_MAX = 8000, 10  # of an export; of a page


def exported_fields(parts: Split) -> Iterator[dict[str, Any]]:
    """Yield the literals among the fields that a page exports, outside of fenced code, for each export."""
    body, exports = parts.body, [*islice(_EXPORT.finditer(parts.body), _EXPORTS_MAX)]
    code = code_lines(body, is_read=parts.is_read) if exports else set()
    for match in exports:
        if body.count("\n", 0, match.start()) not in code:
            fields = folded(literal(body[match.end() : match.end() + _CHARACTERS_MAX]))
            yield {name: value for name, value in fields.items() if value is not None}
