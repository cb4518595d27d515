"""Scripts as a site serves them: without what only their readers need, and in few files, for a page waits for each of them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

# Strings, templates and patterns come first: what they hold is no comment and no blank.
_KEPT = r"""
      (?P<kept> "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | `(?:\\.|[^`\\])*`
              | (?<=[(,=:\[!&|?{};\n])[ ]*/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/
              | /\*[ ]?(?:webpackIgnore|@vite-ignore)[^*]*\*/ )
"""
_COMMENT = re.compile(_KEPT + r"| /\*(?:[^*]|\*(?!/))*\*/ | //[^\n]*", re.VERBOSE)
_BLANK = re.compile(_KEPT + r"| \s*\n\s*", re.VERBOSE)
_IMPORT = re.compile(r'^(?:import|export) \{([^}]*)\} from "(\.[^"]*)";\n', re.MULTILINE)
_DECLARED = re.compile(r"^(export )?(?:async )?(?:const|let|class|function\*?) (?:(\w+)|[{\[]([^}\]]*)[}\]])", re.MULTILINE)
_LATE = re.compile(r'\bimport\("(\.[^"]*)"\)')
_WIDE = re.compile(r"[^\x00-\x7f]")
_WORD = re.compile(r"\w+")
_ROOTS = ("ui/search-box.js", "api.js")
_WORKERS = ("worker.js", "offline/service-worker.js")


def served(modules: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the runtime's ES modules, by their names, as a site serves them: they export what they did, and do the same."""
    scripts = {name: data.decode() for name, data in modules.items() if name.endswith(".js")}
    of_workers = {name for worker in _WORKERS for name in _reached(scripts, worker)}
    of_pages = {name for root in _ROOTS for name in _reached(scripts, root)}
    # What a worker is made of stays there for pages that import it, too: none of them may run a worker's own script.
    workers = {root: joined(scripts, root, of_pages)[root] for root in _WORKERS if root in scripts}
    for root in _ROOTS:
        if root in scripts:
            scripts |= joined(scripts, root, of_workers)
    scripts |= workers
    return {**modules, **{name: lean(script).encode() for name, script in scripts.items()}}


def lean(script: str) -> str:
    """Return an ES module without comments, empty lines and indentation; what it does is the same.

    Comments that tell bundlers something stay: they stand where an address is whole, wherever the script lies. A pattern is
    known by the sign before it, so none may follow a word such as `return`, and no template may hold another one with the signs
    of a comment in it: a test holds our scripts to that.
    """
    bare = _COMMENT.sub(lambda found: found["kept"] or "", f"\n{script}")
    return _WIDE.sub(_escaped, _BLANK.sub(lambda found: found["kept"] or "\n", bare).lstrip("\n"))


def _escaped(found: re.Match[str]) -> str:
    """Write a letter outside of ASCII as strings, templates and patterns may: there are hosts that name another alphabet."""
    units = found[0].encode("utf-16-be")
    return "".join(f"\\u{units[at] << 8 | units[at + 1]:04x}" for at in range(0, len(units), 2))


def joined(scripts: Mapping[str, str], root: str, apart: set[str]) -> dict[str, str]:
    """Return `root` with the modules that it imports in it, and in the place of each of those one that only passes on.

    Modules in `apart`, which a worker loads too, stay files of their own.

    Raises:
        ValueError: two of them declare the same name, or one of another folder than the root's names a file.
    """
    members = [name for name in _reached(scripts, root) if name not in apart or name == root]
    owner: dict[str, str] = {}
    parts: list[str] = []
    outer: dict[str, dict[str, None]] = {}  # by the files that stay apart, the words that are imported from each
    for name in members:
        for word, _ in _declared(scripts[name]):
            if owner.setdefault(word, name) != name:
                raise ValueError(f"{word}: declared by {owner[word]} and by {name}, which go into one file")
        body = _moved(_IMPORT.sub("", scripts[name]), name, root)
        if posixpath.dirname(name) != posixpath.dirname(root) and re.search(r"\bimport(?:\.meta|\((?!\"|/\*))", lean(body)):
            raise ValueError(f"{name}: names a file beside it, but goes into {root}")
        for words, at in _imports(scripts, name):
            if at not in members:
                outer.setdefault(at, {}).update(dict.fromkeys(word.strip() for word in words.split(",") if word.strip()))
        parts.append(re.sub(r"^export ", "", body, flags=re.MULTILINE))
    exported = {name: [word for word, public in _declared(scripts[name]) if public] for name in members}
    every = ", ".join(word for words in exported.values() for word in words)
    imported = [_passed(", ".join(words), at, root, "import") for at, words in outer.items()]
    whole = "".join([*imported, *parts, f"export {{ {every} }};\n"])
    passing = {name: _passed(", ".join(exported[name]), root, name, "export") for name in members if name != root}
    return {**passing, root: whole}


def _declared(script: str) -> list[tuple[str, bool]]:
    """Return the names that a module declares at its top, each with whether it is exported."""
    found = [(each[1], each[2] or each[3]) for each in _DECLARED.finditer(script)]
    return [(word, bool(public)) for public, words in found for word in _WORD.findall(words)]


def _imports(scripts: Mapping[str, str], name: str) -> list[tuple[str, str]]:
    """Return what a module imports, or passes on, from where: `[("element, icon", "ui/dom.js"), …]`."""
    folder = posixpath.dirname(name)
    return [(words, posixpath.normpath(posixpath.join(folder, at))) for words, at in _IMPORT.findall(scripts[name])]


def _passed(words: str, at: str, name: str, how: str) -> str:
    path = posixpath.relpath(at, posixpath.dirname(name) or ".")
    return f'{how} {{ {" ".join(words.split()).strip(", ")} }} from "{path if path.startswith(".") else f"./{path}"}";\n'


def _moved(body: str, name: str, root: str) -> str:
    """Let what is imported when it is needed be found from the root's folder."""
    folder, start = posixpath.dirname(name), posixpath.dirname(root) or "."
    return _LATE.sub(lambda at: f'import("./{posixpath.relpath(posixpath.join(folder, at[1]), start)}")', body)


def _reached(scripts: Mapping[str, str], root: str) -> list[str]:
    """Return a module after all that it imports, each once."""
    order: dict[str, None] = {}
    visiting: set[str] = set()

    def visit(name: str) -> None:
        if name in order or name in visiting or name not in scripts:
            return
        visiting.add(name)
        for _, other in _imports(scripts, name):
            visit(other)
        order[name] = None

    visit(root)
    return list(order)
