"""The only error of this package."""


class RefusedError(Exception):
    """A file is not published. The message is a reason that is appended after a comma: "it is not a PNG file"."""
