"""What the engine is made of, to the byte: the release, the modules that stay, the hash of every finished file.

To move to another Pyodide: change the version and its npm integrity here, and `ENGINE_LOCK` in ranvier_web; write `{"module":
"", "functions": "", "deferred": []}` into hot.json; run `python -m ranvier_builder.engine --show-hashes`, which says of which
module the list has to be; write its digest there, run it again, and write the hashes that it prints into `FILES`. Then run
`python tests/benchmarks/hot.py`, which fills the list, and the same once more. `deferred` has large tables, by their
addresses, each of a source file in C of which no function is hot, or none that has an address in the table; its tests say
where that is not so. Only the hashes change after a change to the modules or to what stands in for some of them (`instead/`),
or to what shake.mjs runs on: `npm --prefix tools install --save-exact --package-lock-only NAME@VERSION`. Then run
tests/builder/engine. Where the memory of a fresh instance has another size, `MEMORY` in boot/snapshot.js says so; where its
allocator has another layout, sweep.mjs stops.
"""

from __future__ import annotations

from typing import Final

VERSION: Final = "314.0.7"

INTEGRITY: Final = "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""What the npm registry publishes for this version, in the form of a subresource integrity."""

LOADER: Final = "pyodide.mjs"
LIBRARY: Final = "python_stdlib.zip"
STOCK: Final = (LOADER, "pyodide.asm.mjs", "pyodide.asm.wasm", LIBRARY)
"""What is taken from the package."""

FILES: Final = {
    LOADER: "ffdfe37cb4ae065867f0ae38bba69687c48d7c88ef36904a6bf4ef10ee6f1a31",
    "pyodide.asm.mjs": "8ef3c9989d3a22f2d58e37ac648c6b124097e9a8ab4486d996ba3b82c2b50d10",
    "pyodide.asm.wasm": "aa88532085a3865a47527e0270eb0ef49b3b46585d71a4b1583d77e6bab71e27",
    "pyodide.primary.wasm": "f0860bd97515fa3a0c497cf62c7807c593454a771188a1f4c5379ea6cdca38dc",
    "pyodide.secondary.wasm": "10e0a7d62b3078d3d4967e2ea9fd23052e9cb63d866a35c48db53a689daac15a",
    LIBRARY: "68681f2430530ade5e922d81721489fb6c986ab65c4fd3ab4ec891da7b0c141e",
}
"""Every file a browser is given, with the sha256 of its finished form."""

_KEPT: Final = (
    # Pyodide's own half; `console`, `http` and `ffi.wrappers` are never imported by a boot.
    "_pyodide _pyodide._base _pyodide._core_docs _pyodide._future_helper _pyodide._importhook",
    "_pyodide.docs_argspec _pyodide.docstring _pyodide.jsbind",
    "pyodide pyodide._package_loader pyodide._state pyodide.code pyodide.ffi pyodide.webloop",
    # Pyodide looks up one function in each when it starts; ours have nothing else.
    "asyncio inspect",
    # Small ones of ours: the originals bring much along, for what no search does.
    "dataclasses hashlib importlib.abc sqlite3 traceback typing warnings",
    # The interpreter's floor.
    "__future__ bisect collections copyreg enum functools heapq importlib",
    "importlib._abc operator re re._casefix re._compiler re._constants re._parser keyword reprlib",
    "struct types",
    # Text and data, for the core.
    "datetime json json.decoder json.encoder json.scanner",
    # Text in another encoding is none of the core's, but for these by their names.
    "encodings encodings.aliases encodings.ascii encodings.latin_1 encodings.utf_16_be encodings.utf_8",
)

MODULES: Final = tuple(sorted(name for line in _KEPT for name in line.split()))
"""The modules of the standard library that ship: all that a boot and the core import.

`abc`, `codecs`, `io`, `ntpath`, `os`, `posixpath`, `site`, `stat`, `importlib.util`, `importlib.machinery` and their
like are not listed: they are frozen into the wasm file. Modules written in C are in there too (`math`, `zlib`,
`unicodedata`, `array`, `itertools`, `time`). A module the core comes to need is one more word here and one new hash.
"""
