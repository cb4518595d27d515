"""A replacement for the module that reads the Python types of JavaScript functions. Ours have none."""

from _pyodide_core import JsFuncSignature, js2py_default_call_result, py2js_default  # type: ignore[import-not-found]

no_default = object()


def _any_signature(*args: object, **kwargs: object) -> None:
    """Accept all arguments."""


default_signature = JsFuncSignature(
    _any_signature, False, 0, (), (), py2js_default, (), (), (), py2js_default, js2py_default_call_result
)
