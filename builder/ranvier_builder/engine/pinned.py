"""What the engine is made of, to the byte: the release, the modules that stay, the hash of every finished file.

To move to another Pyodide: change the version and its npm integrity here and `ENGINE_LOCK` in ranvier_web, run
`python -m ranvier_builder.engine --show-hashes`, and write the four hashes it prints into `FILES`. The same after
a change to the modules.
"""

from __future__ import annotations

from typing import Final

VERSION: Final = "314.0.7"

INTEGRITY: Final = "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""What the npm registry publishes for this version, in the form of a subresource integrity."""

GLUE: Final = "pyodide.mjs"
LIBRARY: Final = "python_stdlib.zip"

FILES: Final = {
    GLUE: "ffdfe37cb4ae065867f0ae38bba69687c48d7c88ef36904a6bf4ef10ee6f1a31",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    LIBRARY: "d8806f1cd90e0fdc1cc0efe8b2f9ad860cc7ebbea500fe14555456a67a571342",
}
"""Every file a browser is given, with the sha256 of its finished form."""

_KEPT: Final = (
    # Pyodide's own half; `console`, `http` and `ffi.wrappers` are never imported by a boot.
    "_pyodide _pyodide._base _pyodide._core_docs _pyodide._future_helper _pyodide._importhook",
    "_pyodide.docs_argspec _pyodide.docstring _pyodide.jsbind",
    "pyodide pyodide._package_loader pyodide._state pyodide.code pyodide.common pyodide.ffi pyodide.webloop",
    # pyodide.webloop subclasses an event loop, and `import asyncio` brings the whole package with it.
    "asyncio asyncio.base_events asyncio.base_futures asyncio.base_subprocess asyncio.base_tasks asyncio.constants",
    "asyncio.coroutines asyncio.events asyncio.exceptions asyncio.format_helpers asyncio.futures asyncio.graph",
    "asyncio.locks asyncio.log asyncio.mixins asyncio.protocols asyncio.queues asyncio.runners",
    "asyncio.selector_events asyncio.sslproto asyncio.staggered asyncio.streams asyncio.subprocess",
    "asyncio.taskgroups asyncio.tasks asyncio.threads asyncio.timeouts asyncio.transports asyncio.trsock",
    "asyncio.unix_events",
    # What asyncio imports. `ssl` is not here: asyncio asks for it inside a try, and no worker opens a socket.
    "concurrent concurrent.futures concurrent.futures._base contextvars logging selectors signal socket subprocess",
    "threading",
    # What _pyodide._base, inspect and traceback need to run code and to print an error.
    "__future__ _colorize _opcode_metadata annotationlib ast codeop dis inspect keyword linecache opcode token",
    "tokenize traceback",
    # The interpreter's floor.
    "_py_warnings _weakrefset bisect collections contextlib copy copyreg dataclasses enum functools heapq importlib",
    "importlib._abc importlib.abc locale operator re re._casefix re._compiler re._constants re._parser reprlib string",
    "struct textwrap types typing warnings weakref",
    # Text and data, for the core.
    "base64 datetime hashlib html html.entities json json.decoder json.encoder json.scanner",
    # `sqlite3.dump` stays out: only `iterdump` wants it.
    "sqlite3 sqlite3.dbapi2",
    # Files and archives: pyodide.unpackArchive goes through shutil and zipfile. `bz2`, `lzma`, `tarfile` and
    # `compression.zstd` are asked for inside a try, and stored zips need none of them. tempfile needs random.
    "fnmatch glob pathlib pathlib._os random shutil tempfile zipfile zipfile._path zipfile._path.glob",
    # zipfile reads names in cp437, JSON may open with a byte order mark, and a file may be opened by these names.
    # Of the hundred others `idna` is the largest.
    "encodings encodings.aliases encodings.ascii encodings.cp437 encodings.latin_1 encodings.utf_16 encodings.utf_8",
    "encodings.utf_8_sig",
)

MODULES: Final = tuple(sorted(name for line in _KEPT for name in line.split()))
"""The modules of the standard library that ship: all that a boot and the core import.

`abc`, `codecs`, `io`, `ntpath`, `os`, `posixpath`, `site`, `stat`, `importlib.util`, `importlib.machinery` and their
like are not listed: they are frozen into the wasm file. Modules written in C are in there too (`math`, `zlib`,
`unicodedata`, `array`, `itertools`, `time`). A module the core comes to need is one more word here and one new hash.
"""
