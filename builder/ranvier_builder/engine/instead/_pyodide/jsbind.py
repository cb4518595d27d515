"""Stands in for what reads how a function of JavaScript was declared with Python types: none is, all are called as they are."""

from _pyodide_core import JsFuncSignature, js2py_default_call_result, py2js_default  # type: ignore[import-not-found]

no_default = object()


def _anything(*args: object, **named: object) -> None:
    """Has the parameters of a call that nothing is known of."""


default_signature = JsFuncSignature(
    _anything, False, 0, (), (), py2js_default, (), (), (), py2js_default, js2py_default_call_result
)
