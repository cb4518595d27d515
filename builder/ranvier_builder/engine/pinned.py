"""The exact parts of the engine: the release, the modules that stay, the hash of every finished file.

CONTRIBUTING.md has the steps to another Pyodide. Only the hashes change after a change to the modules, to `replacements/`, or
to the packages of shake.mjs: `npm --prefix tools install --save-exact --package-lock-only NAME@VERSION`. In hot.json,
`deferred` lists large tables by address. Each belongs to a C source file without hot functions, or whose hot functions contain
no address of the table; tests check this.
"""

from __future__ import annotations

from typing import Final

VERSION: Final = "314.0.7"

# From the npm registry, in the form of a subresource integrity.
INTEGRITY: Final = "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
LOADER: Final = "pyodide.mjs"
WHOLE: Final = "pyodide.asm.wasm"  # the module before it is split
LIBRARY: Final = "python_stdlib.zip"
STOCK: Final = (LOADER, "pyodide.asm.mjs", WHOLE, LIBRARY)  # the files that are taken from the package

# The finished files of the engine with their SHA-256.
FILES: Final = {
    LOADER: "ffdfe37cb4ae065867f0ae38bba69687c48d7c88ef36904a6bf4ef10ee6f1a31",
    "pyodide.asm.mjs": "53c26039da074e5a46d4232e183235d7005c7c222f8972d7bdc35898f5fc9b8a",
    WHOLE: "c055f037aca04bcd546b4e3f6e32aca237d4fd658b6252eafe03c67039cf2b49",
    "pyodide.primary.wasm": "b35552b660cc066726d3acbdcc97cfb6b8936cdd099638ec242dc0a3dec927f4",
    "pyodide.secondary.wasm": "5b7b070d68b6a5ec3734597f15da31e270a06a27e62237acc238122a23b3de76",
    LIBRARY: "5f3ff617f2acb2de1ce13a6ebf732af019e4832f261ed9427c88f3d129454bd3",
}

_MODULE_GROUPS: Final = (
    # Pyodide's own modules; a boot never imports `console`, `http` and `ffi.wrappers`.
    "_pyodide _pyodide._base _pyodide._core_docs _pyodide._future_helper _pyodide._importhook",
    "_pyodide.docstring _pyodide.jsbind pyodide pyodide._package_loader pyodide.code pyodide.ffi",
    # Pyodide needs one function of each when it starts; our versions contain only that function.
    "asyncio inspect",
    # Small versions of ours: the originals import many modules that no search needs.
    "collections dataclasses functools hashlib heapq re sqlite3 traceback types typing warnings",
    # The basis of the interpreter.
    "__future__ bisect importlib re._casefix re._compiler re._constants re._parser struct",
    # Text and data, for the core.
    "datetime json json.decoder json.encoder json.scanner",
    # The core uses no other encodings by name.
    "encodings encodings.aliases encodings.ascii encodings.latin_1 encodings.utf_16_be encodings.utf_8",
)

# The published modules of the standard library: all that a start and the core import. `abc`, `codecs`, `io`, `ntpath`, `os`,
# `posixpath`, `site`, `stat`, `importlib.util`, `importlib.machinery` and similar ones are not listed, because they are frozen
# into the wasm file, and so are modules written in C (`math`, `zlib`, `unicodedata`, `array`, `itertools`, `time`). If the core
# imports another module, add its name here and the new hash above.
MODULES: Final = tuple(sorted(name for line in _MODULE_GROUPS for name in line.split()))
