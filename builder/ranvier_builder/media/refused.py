"""The one error of this package."""


class RefusedError(Exception):
    """A file that is not published. The text is a reason that follows a comma: "it is not a PNG file"."""
