"""The errors of the core.

RanvierError                the base class; `code` is stable, the message may change
├── FormatError             this version cannot read the snapshot                  "format"
├── FetchError              a file could not be fetched                            "fetch"
│   └── IntegrityError      a file differs from the one that the manifest names    "integrity"
├── RequestError            the request is invalid                                 "request"
└── ForbiddenError          the caller lacks permission                            "forbidden"
"""

from __future__ import annotations


class RanvierError(Exception):
    """Base of all errors of the core."""

    code = "internal"


class FormatError(RanvierError):
    """The snapshot has a format that this version does not read."""

    code = "format"


class FetchError(RanvierError):
    """A file of the snapshot could not be fetched. Another try may help: nothing of it was cached."""

    code = "fetch"

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        super().__init__(f"{name}: {reason}")


class IntegrityError(FetchError):
    """A file of the snapshot is not the one that the manifest names: cut short, changed, or a stale copy."""

    code = "integrity"


class RequestError(RanvierError):
    """A request has an invalid value."""

    code = "request"


class ForbiddenError(RanvierError):
    """The caller lacks the capability to search: an error, never an empty answer [001]."""

    code = "forbidden"
