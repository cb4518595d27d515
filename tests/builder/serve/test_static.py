"""`ranvier serve` (V1, B5): types, compression, caching, and nothing from outside the folder."""

import gzip
import socket
from pathlib import Path

import pytest
from ranvier_builder.serve.static import static_app
from support.asgi import Client
from support.content import write_tree

FOREVER = "public, max-age=31536000, immutable"


SCRIPT = "export const x = 1;\n" * 50


@pytest.fixture
def client(tmp_path: Path) -> Client:
    (tmp_path / "secret.txt").write_text("outside")
    pages = {"index.html": "<p>home</p>", "404.html": "<p>lost</p>", "guide/index.html": "<p>guide</p>"}
    other_files = {
        "guide/index.md": "# Guide",
        "sitemap.xml": "<urlset/>",
        "favicon.svg": "<svg/>",
        "media/pic.png": b"\x89PNG",
    }
    scripts = "sw.js search.js web-00/api.js engine-00/pyodide.mjs".split()
    search_files: dict[str, str | bytes] = dict.fromkeys(scripts, SCRIPT) | dict.fromkeys(("entry.json", "files-00.json"), "{}")
    search_files |= {"hot-00.bin": b"bin", "manifest-00.bin": b"PK" * 100, "theme-00/style.css": "a{}"}
    search_files |= {"engine-00/pyodide.asm.wasm": b"\0asm" * 100}
    site = write_tree(tmp_path / "site", {**pages, **other_files, "ranvier-sw.js": SCRIPT})
    write_tree(site / "_ranvier", search_files)
    (site / "leak.txt").symlink_to(tmp_path / "secret.txt")
    return Client(static_app(site))


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html; charset=utf-8"),
        ("/guide/", "text/html; charset=utf-8"),
        ("/guide/index.md", "text/markdown; charset=utf-8"),
        ("/sitemap.xml", "application/xml"),
        ("/favicon.svg", "image/svg+xml"),
        ("/media/pic.png", "image/png"),
        ("/_ranvier/entry.json", "application/json"),
        ("/_ranvier/hot-00.bin", "application/octet-stream"),
        ("/_ranvier/manifest-00.bin", "application/octet-stream"),
        ("/_ranvier/web-00/api.js", "text/javascript; charset=utf-8"),
        ("/_ranvier/engine-00/pyodide.mjs", "text/javascript; charset=utf-8"),
        ("/_ranvier/engine-00/pyodide.asm.wasm", "application/wasm"),
        ("/_ranvier/theme-00/style.css", "text/css; charset=utf-8"),
    ],
)
def test_content_types(client: Client, path: str, kind: str) -> None:
    """A module or a wasm file with a wrong type does not run."""
    answer = client.get(path)
    assert (answer.status, answer.headers["content-type"]) == (200, kind)


@pytest.mark.parametrize(
    ("path", "cache"),
    [
        ("/", "no-cache"),
        ("/guide/", "no-cache"),
        ("/ranvier-sw.js", "no-cache"),
        *((f"/_ranvier/{name}", "no-cache") for name in ("entry.json", "sw.js", "search.js")),
        ("/_ranvier/files-00.json", FOREVER),
        ("/media/pic.png", "no-cache"),
        ("/_ranvier/hot-00.bin", FOREVER),
        ("/_ranvier/web-00/api.js", FOREVER),
    ],
)
@pytest.mark.parametrize("encoding", ["", "gzip, br"])
def test_cache_headers(client: Client, path: str, cache: str, encoding: str) -> None:
    """B2: files named by their digest are immutable; others are revalidated."""
    assert client.get(path, accept_encoding=encoding).headers["cache-control"] == cache


@pytest.mark.parametrize("path", ["/_ranvier/nosuch-00.bin", "/_ranvier/web-00/nosuch.js", "/nosuch"])
def test_missing_files_are_not_cached(client: Client, path: str) -> None:
    """X3."""
    answer = client.get(path)
    assert answer.status == 404
    assert "immutable" not in answer.headers.get("cache-control", "")


def test_text_files_are_compressed(client: Client) -> None:
    answer = client.get("/_ranvier/web-00/api.js", accept_encoding="gzip")
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["vary"] == "accept-encoding"
    assert int(answer.headers["content-length"]) == len(answer.body) < len(SCRIPT)
    assert gzip.decompress(answer.body).decode() == SCRIPT
    assert client.get("/_ranvier/web-00/api.js", accept_encoding="gzip") == answer, "the same bytes again"


def test_compression_needs_accept_encoding(client: Client) -> None:
    answer = client.get("/_ranvier/web-00/api.js")
    assert "content-encoding" not in answer.headers
    assert answer.headers["vary"] == "accept-encoding", "a cache must not hand this to others"
    assert answer.body.decode() == SCRIPT


@pytest.mark.parametrize("path", ["/_ranvier/hot-00.bin", "/media/pic.png"])
def test_packed_files_are_not_compressed_again(client: Client, path: str) -> None:
    assert "content-encoding" not in client.get(path, accept_encoding="gzip").headers


def test_changed_file_is_compressed_again(client: Client, tmp_path: Path) -> None:
    client.get("/", accept_encoding="gzip")
    (tmp_path / "site" / "index.html").write_text("<p>another, longer home</p>")
    assert b"another" in gzip.decompress(client.get("/", accept_encoding="gzip").body)


def test_unchanged_file_is_304(client: Client) -> None:
    tag = client.get("/").headers["etag"]
    answer = client.get("/", if_none_match=tag, accept_encoding="gzip")
    assert (answer.status, answer.body) == (304, b"")
    assert answer.headers["cache-control"] == "no-cache"


def test_head_request_has_no_body(client: Client) -> None:
    answer = client.get("/_ranvier/web-00/api.js", "HEAD", accept_encoding="gzip")
    assert (answer.status, answer.body) == (200, b"")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_other_methods_are_refused(client: Client, method: str) -> None:
    assert client.get("/index.html", method).status == 405


@pytest.mark.parametrize("encoding", ["", "gzip"])
@pytest.mark.parametrize("path", ["/nosuch", "/nosuch/", "/guide/nosuch/deep"])
def test_missing_page_is_the_404_page_of_the_site(client: Client, path: str, encoding: str) -> None:
    answer = client.get(path, accept_encoding=encoding)
    assert answer.status == 404
    assert answer.headers["content-type"].startswith("text/html")
    body = gzip.decompress(answer.body) if answer.headers.get("content-encoding") else answer.body
    assert body == b"<p>lost</p>"


def test_folder_without_slash_is_redirected(client: Client) -> None:
    answer = client.get("/guide")
    assert answer.status in (301, 307, 308)
    assert answer.headers["location"].endswith("/guide/")


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt", "/guide/../../secret.txt", "//secret.txt", "/..\\secret.txt", "/%2e%2e/secret.txt",
        "/./../secret.txt", "/leak.txt", "/\0", "/a\0b",
    ],
)  # fmt: skip
def test_paths_outside_the_folder_are_refused(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status == 404
    assert b"outside" not in answer.body


def test_built_site_is_served(small_site: Path) -> None:
    client = Client(static_app(small_site))
    for file in sorted(small_site.rglob("*")):
        if file.is_file() and file.name not in ("index.html", ".nojekyll"):
            answer = client.get(f"/{file.relative_to(small_site).as_posix()}")
            assert (answer.status, answer.body) == (200, file.read_bytes())


def test_live_mode_adds_a_script_to_pages(client: Client, tmp_path: Path) -> None:
    """I3: only with `live` and only to pages, which are not cached."""
    live = Client(static_app(tmp_path / "site", live=True))
    for path, status, words in (("/", 200, b"home"), ("/guide/", 200, b"guide"), ("/nosuch/", 404, b"lost")):
        page = live.get(path)
        assert page.status == status
        assert page.body == client.get(path).body + b'<script type="module" src="/_ranvier-live.js"></script>'
        assert words in page.body
        assert page.headers["cache-control"] == "no-store"
    script = live.get("/_ranvier-live.js")
    assert script.headers["content-type"].startswith("text/javascript")
    assert b'new EventSource("/_ranvier-live")' in script.body
    assert client.get("/_ranvier-live.js").status == 404
    for path in ("/_ranvier/entry.json", "/sitemap.xml", "/media/pic.png"):
        assert live.get(path).body == client.get(path).body


HIDDEN_PATHS = (".env", ".git/config", "guide/.notes/x.txt", ".well-known/.secret", "a/.well-known/x", "shown/config")


@pytest.mark.parametrize("path", [*HIDDEN_PATHS, ".git/", ".git", "guide/../.env", "./.env", ".well-known/../.env"])
def test_hidden_files_are_not_served(client: Client, tmp_path: Path, path: str) -> None:
    """V1: nor symlinks to them."""
    write_tree(tmp_path / "site", dict.fromkeys(HIDDEN_PATHS[:-1], "hidden words"))
    (tmp_path / "site" / "shown").symlink_to(tmp_path / "site" / ".git")
    for client_ in (client, Client(static_app(tmp_path / "site", live=True))):
        answer = client_.get(f"/{path}")
        assert answer.status == 404
        assert b"hidden" not in answer.body


def test_well_known_folder_is_served(client: Client, tmp_path: Path) -> None:
    write_tree(tmp_path / "site", {".well-known/security.txt": "words"})
    assert client.get("/.well-known/security.txt").body == b"words"


def test_site_below_a_hidden_folder_is_served(tmp_path: Path) -> None:
    assert Client(static_app(write_tree(tmp_path / ".cache" / "site", {"a.txt": "words"}))).get("/a.txt").body == b"words"


@pytest.mark.parametrize("live", [False, True])
@pytest.mark.parametrize(
    "path", ["/", "/guide", "/nosuch", "/media/pic.png", "/_ranvier/entry.json", "/_ranvier-live.js", "/.env"]
)
def test_nosniff_is_in_every_response(client: Client, tmp_path: Path, path: str, live: bool) -> None:
    """A2: pages, errors, redirects and refusals."""
    app = Client(static_app(tmp_path / "site", live=live))
    answers = [app.get(path), app.get(path, "POST"), app.get(path, host="evil.example"), app.get(path, accept_encoding="gzip")]
    assert [answer.headers.get("x-content-type-options") for answer in answers] == ["nosniff"] * 4


ACCEPTED_HOSTS = ("127.0.0.1", "127.0.0.1:8000", "localhost:1", "LOCALHOST", "[::1]:8000", "[::1]")
REFUSED_HOSTS = (
    "evil.example", "evil.example:8000", "", "localhost.evil.example", "127.0.0.1.evil.example", "[::1",
    "a@evil.example",
)  # fmt: skip


@pytest.mark.parametrize("live", [False, True])
@pytest.mark.parametrize("host", ["127.0.0.1", "192.0.2.7", "notes.lan", "::1", "0.0.0.0", "::"])
def test_foreign_host_names_are_refused(client: Client, tmp_path: Path, host: str, live: bool) -> None:
    """V1: against DNS rebinding; this includes the events of live mode."""
    app = Client(static_app(tmp_path / "site", live=live, host=host))
    host_in_url = f"[{host}]" if ":" in host else host
    everywhere = host in ("0.0.0.0", "::")
    other_hosts = ("192.0.2.9:8000", socket.gethostname()) if everywhere else ()
    for accepted in (*ACCEPTED_HOSTS, host_in_url, f"{host_in_url}:8000", *other_hosts):
        assert app.get("/", host=accepted).status == 200, accepted
    for refused in (*REFUSED_HOSTS, *(() if everywhere else ("192.0.2.9",))):
        for path in ("/", "/_ranvier/entry.json", "/_ranvier-live", "/_ranvier-live.js"):
            answer = app.get(path, host=refused)
            assert (answer.status, answer.headers["content-type"]) == (421, "text/plain; charset=utf-8"), refused
            assert b"does not accept that host name" in answer.body
