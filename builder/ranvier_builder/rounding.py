"""Numbers that describe the whole site, rounded so that a small edit rarely changes them.

Many files depend on such a number. If it changed with every edit, so would the names of all these files.
"""

from __future__ import annotations

import math


def significant(value: float, bits: int) -> float:
    """Round to a number of significant bits: `significant(1003, 8)` → 1004.0. The result is exact on every machine."""
    fraction, exponent = math.frexp(value)
    return math.ldexp(round(math.ldexp(fraction, bits)), exponent - bits)
