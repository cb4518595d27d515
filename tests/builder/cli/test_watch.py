"""`ranvier build --watch` (I3): it builds again after a change and survives a failed build. How signals end a build."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner
from ranvier_builder import publish
from ranvier_builder.cli import main
from ranvier_builder.read.settings import CANDIDATES
from support.cli import reset_signals
from support.content import stub_assets, write_tree

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C cannot be sent to a process of its own there")
# The same command, without the files of a browser.
# A shell that starts the tests in the background has SIGINT ignored, which processes inherit.
RUN = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path[:0] = sys.argv[1].split("|")
from ranvier_builder import publish
if "--shut" in sys.argv:
    import watchfiles
    sys.argv.remove("--shut")
    def refuse(*_, **__):  # root may read every folder
        raise PermissionError('Permission denied (os error 13) about ["docs/shut"]')
    watchfiles.watch = refuse
from ranvier_builder.cli import main
from support.content import stub_assets
builds = []
def write_assets(*words):
    builds.append(words)
    exec(sys.argv[2], {"build": len(builds)})
    return stub_assets(*words)
publish.write_assets = write_assets
main(sys.argv[3:])
"""

RUN_HERE = [sys.executable, "-c", RUN, "|".join(sys.path)]


def wait_until(condition: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        if condition():
            return
        assert process.poll() is None, "the command has ended"
        time.sleep(0.1)
    pytest.fail("nothing happened for 30 seconds")


def text_of(page: Path) -> str:
    """Read a page; between two sites there is none for a moment."""
    try:
        return page.read_text()
    except OSError:
        return ""


@contextmanager
def watch(
    content: Path, out: Path, log: Path, *options: str, during: str = ""
) -> Iterator[Callable[[Callable[[], bool]], None]]:
    """Run `ranvier build --watch`; yield a function that waits for a condition.

    `during` is Python that runs in each build after the content is read; `build` is the number of the build.
    """
    words = ["--watch", "--cache", str(log.with_name("cache")), "--jobs", "1", *options]
    command = [*RUN_HERE, during, "build", str(content), "-o", str(out), *words]
    with log.open("wb") as report:
        process = subprocess.Popen(command, stdout=report, stderr=report, env=os.environ)
        try:
            wait_until(lambda: b"Watching" in log.read_bytes(), process)
            time.sleep(0.5)
            yield lambda condition: wait_until(condition, process)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(10)


def test_watch_builds_again_after_a_change(tmp_path: Path) -> None:
    files = {"index.md": "# Home\n\nOne.\n", "ranvier.toml": 'default_audience = "public"\n'}
    content, out, log = write_tree(tmp_path / "content", dict(files)), tmp_path / "public", tmp_path / "log"
    page = out / "index.html"
    with watch(content, out, log) as wait:
        assert "One." in page.read_text()
        write_tree(content, {"index.md": "# Home\n\nTwo.\n"})
        wait(lambda: "Two." in text_of(page))
        write_tree(content, {"ranvier.toml": "titel = 1\n"})
        wait(lambda: b"there is no setting" in log.read_bytes())
        assert "Two." in page.read_text(), "the old site stays"
        write_tree(content, {"ranvier.toml": 'default_audience = "public"\ntitle = "Renamed"\n'})
        wait(lambda: "Renamed" in text_of(page))
        shutil.rmtree(content)
        time.sleep(1.5)
        write_tree(content, {"index.md": "---\naudience: public\n---\n# Home\n\nThree.\n"})
        wait(lambda: "Three." in text_of(page))
    assert b"Traceback" not in log.read_bytes()


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_terminated_build_removes_its_temporary_folder(tmp_path: Path, name: str) -> None:
    content = write_tree(tmp_path / "docs", {"index.md": "One.\n"})
    during = f"import os, signal; os.kill(os.getpid(), signal.{name})"
    words = ["-o", str(tmp_path / "public"), "--default-audience", "public", "--cache", str(tmp_path / "cache")]
    command = [*RUN_HERE, during, "build", str(content), *words]
    build = subprocess.run(command, capture_output=True, check=False, preexec_fn=reset_signals)
    assert build.returncode == 1
    assert b"Aborted!" in build.stderr
    assert {file.name for file in tmp_path.iterdir()} == {"cache", "docs"}


def test_terminated_check_removes_its_temporary_folder(tmp_path: Path) -> None:
    content = write_tree(tmp_path / "docs", {"index.md": "One.\n"})
    words = ["--default-audience", "public"]
    build = ["build", str(content), "-o", str(tmp_path / "public"), "--cache", str(tmp_path / "cache"), *words]
    subprocess.run([*RUN_HERE, "", *build], capture_output=True, check=True)
    (tmp_path / "temporary").mkdir()
    check = ["check", str(tmp_path / "public"), "--against", str(content), *words]
    during = "import os, signal; os.kill(os.getpid(), signal.SIGTERM)"
    environment = os.environ | {"TMPDIR": str(tmp_path / "temporary")}
    result = subprocess.run([*RUN_HERE, during, *check], capture_output=True, check=False, env=environment)
    assert result.returncode == 1
    assert not [*(tmp_path / "temporary").iterdir()]


@pytest.mark.parametrize("name", ["docs/index.md", "mkdocs.yml"])
def test_watch_builds_again_after_a_change_during_the_first_build(tmp_path: Path, name: str) -> None:
    content = write_tree(tmp_path, {"docs/index.md": "One.\n", "mkdocs.yml": "site_name: One\n"}) / "docs"
    edit = f"""
from pathlib import Path
file = Path({str(tmp_path / name)!r})
if build == 1: file.write_text(file.read_text().replace("One", "Two"))
"""
    with watch(content, tmp_path / "public", tmp_path / "log", "--default-audience", "public", during=edit) as wait:
        wait(lambda: "Two" in text_of(tmp_path / "public" / "index.html"))


def test_watch_survives_a_content_folder_that_is_removed_during_two_builds(tmp_path: Path) -> None:
    content, log = write_tree(tmp_path / "docs", {"index.md": "One.\n"}), tmp_path / "log"
    removal = f"""
import shutil
if build in (2, 3): shutil.rmtree({str(content)!r})
"""
    with watch(content, tmp_path / "public", log, "--default-audience", "public", during=removal) as wait:
        for text in ("Two.", "Three."):
            write_tree(content, {"index.md": text})
            wait(lambda: not content.is_dir())
            time.sleep(3)  # the build ends
        write_tree(content, {"index.md": "Four.\n"})
        wait(lambda: "Four." in text_of(tmp_path / "public" / "index.html"))


def test_watch_builds_again_after_a_change_of_settings_above_the_content(tmp_path: Path) -> None:
    """Also of new files, and of files that an editor replaces."""
    content = write_tree(tmp_path / "docs", {"index.md": "Text.\n"})
    write_tree(tmp_path, {"settings.toml": 'default_audience = "public"\n'})
    page = tmp_path / "public" / "index.html"
    with watch(content, tmp_path / "public", tmp_path / "log", "-c", str(tmp_path / "settings.toml")) as wait:
        for name in ("First", "Second"):
            (tmp_path / "new").write_text(f"site_name: {name}\n")
            (tmp_path / "new").replace(tmp_path / "mkdocs.yml")
            wait(lambda name=name: name in text_of(page))  # type: ignore[misc]
        for name in ("Third", "Fourth"):
            (tmp_path / "new").write_text(f'default_audience = "public"\ntitle = "{name}"\n')
            (tmp_path / "new").replace(tmp_path / "settings.toml")
            wait(lambda name=name: name in text_of(page))  # type: ignore[misc]


def test_watch_builds_again_after_a_change_of_the_keys(tmp_path: Path) -> None:
    """A7: a revoked key opens no later build."""
    content = write_tree(tmp_path / "docs", {"index.md": "Text.\n", "inner.md": "---\naudience: curator\n---\nInner.\n"})
    keys, locked = tmp_path / "keys.json", tmp_path / "public" / "_ranvier" / "layers" / "locked.json"
    change_keys = [*RUN_HERE, "", "keys"]
    for name in ("anna", "tom"):
        subprocess.run([*change_keys, "add", str(keys), name, "--token"], capture_output=True, check=True)
    words = ["--default-audience", "public", "--layers", "public,curator", "--keys", str(keys)]
    with watch(content, tmp_path / "public", tmp_path / "log", *words) as wait:
        before = text_of(locked)
        subprocess.run([*change_keys, "revoke", str(keys), "tom"], capture_output=True, check=True)
        wait(lambda: text_of(locked) not in ("", before))


def test_settings_of_an_earlier_build_in_the_process_are_not_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publish, "write_assets", stub_assets)
    for name in ("first", "second"):
        content = write_tree(tmp_path / name / "docs", {"index.md": "Text.\n"})
        words = ["-o", str(tmp_path / name / "public"), "--default-audience", "public", "--cache", str(tmp_path / "cache")]
        result = CliRunner().invoke(main, ["build", str(content), *words, "--jobs", "1"])
        assert result.exit_code == 0, result.output
    assert {part for file in CANDIDATES for part in file.parts} & {"first", "second"} == {"second"}


def test_watch_goes_on_beside_a_folder_that_cannot_be_read(tmp_path: Path) -> None:
    content = write_tree(tmp_path / "docs", {"index.md": "One.\n", "sub/a.md": "A.\n"})
    (content / "loop.md").symlink_to("loop.md")
    out, log = content / "site" / "public", tmp_path / "log"
    with watch(content, out, log, "--default-audience", "public", "--shut") as wait:
        wait(lambda: b'each second: Permission denied (os error 13) about ["docs/shut"]' in log.read_bytes())
        time.sleep(1)
        write_tree(content, {"sub/a.md": "Two.\n"})
        wait(lambda: "Two." in text_of(out / "sub" / "a" / "index.html"))
        time.sleep(3)
    assert log.read_bytes().count(b"is ready") == 2


def test_watch_sees_a_theme_that_is_set_later(tmp_path: Path) -> None:
    content = write_tree(tmp_path / "docs", {"index.md": "One.\n", "ranvier.toml": 'default_audience = "public"\n'})
    theme = write_tree(tmp_path / "theme", {"templates/404.html": "First"})
    page = tmp_path / "public" / "404.html"
    with watch(content, tmp_path / "public", tmp_path / "log") as wait:
        write_tree(content, {"ranvier.toml": 'default_audience = "public"\ntheme_dir = "../theme"\n'})
        wait(lambda: "First" in text_of(page))
        time.sleep(2)
        write_tree(theme, {"templates/404.html": "Second"})
        wait(lambda: "Second" in text_of(page))


def test_watch_ignores_the_site_and_the_cache_inside_the_content(tmp_path: Path) -> None:
    """Also if the content is named by a link. The cases wait at the same time."""

    def builds(case: tuple[str, str]) -> int:
        folder = tmp_path / "-".join(case).replace("/", "-")
        write_tree(folder / "content", {"index.md": "---\naudience: public\n---\n# Home\n\nOne.\n"})
        (folder / "link").symlink_to("content")
        content, log = folder / case[0], folder / "log"
        with watch(content, content / "public", log, "--cache", str(folder / case[1])) as wait:
            (content / "index.md").write_text("---\naudience: public\n---\n# Home\n\nTwo.\n")
            wait(lambda: "Two." in text_of(content / "public" / "index.html"))
            time.sleep(3)
        return log.read_bytes().count(b"is ready")

    cases = [*product(("content", "link"), ("cache", "content/.cache"))]
    with ThreadPoolExecutor(len(cases)) as threads:
        assert dict(zip(cases, threads.map(builds, cases), strict=True)) == dict.fromkeys(cases, 2)
