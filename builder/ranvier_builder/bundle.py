"""Scripts in the form that a site serves: minified, and in few files, because each file delays the page."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

# Strings, templates and patterns come first: comment signs and blanks in them are kept.
_KEPT = r"""
      (?P<kept> "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | `(?:\\.|[^`\\])*`
              | (?<=[(,=:\[!&|?{};\n])[ ]*/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/
              | /\*[ ]?(?:webpackIgnore|@vite-ignore)[^*]*\*/ )
"""
_COMMENT = re.compile(_KEPT + r"| /\*(?:[^*]|\*(?!/))*\*/ | //[^\n]*", re.VERBOSE)
_BLANK = re.compile(_KEPT + r"| \s*\n\s*", re.VERBOSE)
_IMPORT = re.compile(r'^(?:import|export) \{([^}]*)\} from "(\.[^"]*)";\n', re.MULTILINE)
_DECLARED = re.compile(r"^(export )?(?:async )?(?:const|let|class|function\*?) (?:(\w+)|[{\[]([^}\]]*)[}\]])", re.MULTILINE)
_NAMED = re.compile(r'\bnew URL\("(\.[^"]*\.js)", import\.meta\.url\)')  # a script that is loaded on demand
_BESIDE = re.compile(r"\bimport(?:\.meta|\((?!/\*))")
_WIDE = re.compile(r"[^\x00-\x7f]")
_WORD = re.compile(r"\w+")
BOX, API = "ui/search-box.js", "api.js"
_WORKERS = ("worker.js", "offline/service-worker.js", "offline/removal.js")


def served(modules: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the runtime's ES modules, by name, as a site serves them: with the same exports and behaviour.

    The box, the API, each worker and each script that they load on demand become one file each. Other importers of the modules
    in a file import them from this file.
    """
    scripts = {name: data.decode() for name, data in modules.items() if name.endswith(".js")}
    whole, parts, placed = dict[str, str](), dict[str, str](), dict[str, str]()
    for root in _pages(scripts):
        apart = {} if root in (BOX, API) else _elsewhere(scripts, root, placed)
        made = joined(scripts, root, apart)
        whole[root] = made.pop(root)
        parts |= {name: script for name, script in made.items() if name not in placed}
        placed = dict.fromkeys([*made, root], root) | placed
    # Workers and pages share no scripts: neither can run the other's script.
    whole |= {root: joined(scripts, root, {})[root] for root in _WORKERS if root in scripts}
    return {**modules, **{name: lean(script).encode() for name, script in (scripts | parts | whole).items()}}


def _pages(scripts: Mapping[str, str]) -> list[str]:
    """Return the box, the API and all scripts that are loaded on demand, each after the script that loads it."""
    roots = [root for root in (BOX, API) if root in scripts]
    for root in roots:
        late = [other for name in _reached(scripts, root) for other in _named(scripts[name], name)]
        roots += dict.fromkeys(name for name in late if name in scripts and name not in (*roots, *_WORKERS))
    return roots


def _elsewhere(scripts: Mapping[str, str], root: str, placed: Mapping[str, str]) -> dict[str, str]:
    """Return for each module the file that contains it when `root` is loaded; the box counts only for scripts of a box."""
    first = (BOX, API) if root.startswith("ui/") else (API,)
    own = {name: file for file in reversed(first) for name in _reached(scripts, file)}
    return dict(placed) | own if root.startswith("ui/") else own


def _named(script: str, name: str) -> list[str]:
    """Return the scripts that a script loads on demand."""
    folder = posixpath.dirname(name)
    return [posixpath.normpath(posixpath.join(folder, at)) for at in _NAMED.findall(script)]


def lean(script: str) -> str:
    """Return an ES module without comments, empty lines and indentation; its behaviour is the same.

    Comments for bundlers are kept: they mark absolute addresses, which do not depend on the script's place. A pattern is
    recognised by the sign before it, so it must not follow a word such as `return`; and a template must not contain another
    template with comment signs. A test checks this for our scripts.
    """
    bare = _COMMENT.sub(lambda match: match["kept"] or "", f"\n{script}")
    return _WIDE.sub(_escaped, _BLANK.sub(lambda match: match["kept"] or "\n", bare).lstrip("\n"))


def _escaped(match: re.Match[str]) -> str:
    """Escape a character outside ASCII, in strings, templates and patterns: some hosts declare another encoding."""
    units = match[0].encode("utf-16-be")
    return "".join(f"\\u{units[at] << 8 | units[at + 1]:04x}" for at in range(0, len(units), 2))


def joined(scripts: Mapping[str, str], root: str, apart: Mapping[str, str]) -> dict[str, str]:
    """Return `root` with its imported modules inlined, and for each of these a module that only re-exports it.

    Modules in `apart` are not inlined: they are imported from the file that `apart` names.

    Raises:
        ValueError: two of them declare the same name, or one from another folder than the root's refers to a file.
    """
    members = [name for name in _reached(scripts, root) if name not in apart or name == root]
    owner: dict[str, str] = {}
    parts: list[str] = []
    outer: dict[str, dict[str, None]] = {}  # separate file → the names that are imported from it
    for name in members:
        for word, _ in _declared(scripts[name]):
            if owner.setdefault(word, name) != name:
                raise ValueError(f"{word}: declared by {owner[word]} and by {name}, which go into one file")
        body = _moved(_IMPORT.sub("", scripts[name]), name, root)
        if posixpath.dirname(name) != posixpath.dirname(root) and _BESIDE.search(lean(_NAMED.sub("", body))):
            raise ValueError(f"{name}: names a file beside it, but goes into {root}")
        for words, at in _imports(scripts, name):
            if at not in members:
                wanted = (word.strip() for word in words.split(",") if word.strip())
                outer.setdefault(apart.get(at, at), {}).update(dict.fromkeys(wanted))
        parts.append(re.sub(r"^export ", "", body, flags=re.MULTILINE))
    exported = {name: [word for word, public in _declared(scripts[name]) if public] for name in members}
    every = ", ".join(word for words in exported.values() for word in words)
    imported = [_passed(", ".join(words), at, root, "import") for at, words in outer.items()]
    whole = "".join([*imported, *parts, f"export {{ {every} }};\n"])
    passing = {name: _passed(", ".join(exported[name]), root, name, "export") for name in members if name != root}
    return {**passing, root: whole}


def _declared(script: str) -> list[tuple[str, bool]]:
    """Return the names that a module declares at top level, each with whether it is exported."""
    declarations = [(each[1], each[2] or each[3]) for each in _DECLARED.finditer(script)]
    return [(word, bool(public)) for public, words in declarations for word in _WORD.findall(words)]


def _imports(scripts: Mapping[str, str], name: str) -> list[tuple[str, str]]:
    """Return the names that a module imports or re-exports, and from where: `[("element, icon", "ui/dom.js"), …]`."""
    folder = posixpath.dirname(name)
    return [(words, posixpath.normpath(posixpath.join(folder, at))) for words, at in _IMPORT.findall(scripts[name])]


def _passed(words: str, at: str, name: str, how: str) -> str:
    path = posixpath.relpath(at, posixpath.dirname(name) or ".")
    return f'{how} {{ {" ".join(words.split()).strip(", ")} }} from "{path if path.startswith(".") else f"./{path}"}";\n'


def _moved(body: str, name: str, root: str) -> str:
    """Rewrite paths of scripts that are loaded on demand, so that they are relative to the root's folder."""
    folder, start = posixpath.dirname(name), posixpath.dirname(root) or "."

    def resolved(at: re.Match[str]) -> str:
        path = posixpath.relpath(posixpath.join(folder, at[1]), start)
        return f'new URL("{path if path.startswith(".") else f"./{path}"}", import.meta.url)'

    return _NAMED.sub(resolved, body)


def _reached(scripts: Mapping[str, str], root: str) -> list[str]:
    """Return all imports of a module and then the module, each once."""
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
