"""G1: the logo, the icon, the repository and the line of copyright: of `ranvier.toml`, else of another system's settings."""

import re
from pathlib import Path

import pytest
from ranvier_builder import Config
from ranvier_builder.config import load_config
from ranvier_builder.errors import ConfigError
from ranvier_builder.model import Report
from ranvier_builder.read.settings import CANDIDATES
from support.content import build_without_engine, write_tree
from support.pictures import PNG, SECRET, private_png, published

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 3"><!-- made by Ann --><path d="M0 0h9v3z"/></svg>'
BAD_SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'
# A private page, so that each build is compared with one without it.
PAGES: dict[str, str | bytes] = {
    "docs/index.md": "# Home\n",
    "docs/a.md": "# A\n",
    "docs/p.md": "---\naudience: curator\n---\n",
}
DEFAULT_ICON = '<link rel="icon" href="favicon.svg" type="image/svg+xml">'


def site(folder: Path, files: dict[str, str | bytes], settings: str = "", content: str = "docs") -> tuple[str, Report]:
    """Build a site with our own settings; return its first page and the report."""
    write_tree(folder, PAGES | files | {"ranvier.toml": f'default_audience = "public"\n{settings}'})
    report = build_without_engine(folder / content, folder / "out", load_config(folder / "ranvier.toml"))
    return (folder / "out" / "index.html").read_text("utf-8"), report


def media(folder: Path) -> list[str]:
    return sorted(file.name.partition("-")[2] for file in folder.glob("out/_media/*"))


@pytest.mark.parametrize("theme", ["default", "plain"])
def test_site_shows_its_own_logo_icon_repository_and_copyright(tmp_path: Path, theme: str) -> None:
    """A logo keeps its proportions while it loads, and repeats no words for screen readers."""
    settings = (
        f'theme = "{theme}"\nlogo = "look/logo.png"\nicon = "docs/img/mark.svg"\nrepository = "https://h.example/o/p"\n'
        'copyright = "© A & B, [CC *BY*](https://l.example/) [x](/x) <b onclick=1>C</b><script>1</script>"\n'
    )
    html, report = site(tmp_path, {"look/logo.png": private_png(), "docs/img/mark.svg": SVG}, settings)
    logo = re.search(
        r'<a class="site-title" href="./"><img src="(_media/\w+-logo.png)" alt="" width="8" height="6"> <span>Home</span></a>',
        html,
    )
    icon = re.search(r'<link rel="icon" href="(_media/\w+-mark.svg)">', html)
    assert logo
    assert icon
    assert SECRET not in (tmp_path / "out" / logo[1]).read_bytes()
    assert "Ann" not in (tmp_path / "out" / icon[1]).read_text()
    assert '<a href="https://h.example/o/p" dir="ltr" rel="noopener noreferrer">h.example/o/p</a>' in html
    link = '<a href="https://l.example/" rel="noopener noreferrer">CC BY</a>'
    assert f'<p>© A &amp; B, {link} <a rel="noopener noreferrer">x</a> C · ' in html
    assert f'src="../{logo[1]}"' in (tmp_path / "out" / "a" / "index.html").read_text()
    assert f'href="/{icon[1]}"' in (tmp_path / "out" / "404.html").read_text()
    assert report.warnings == []


def test_site_without_these_settings_has_nothing_of_them(tmp_path: Path) -> None:
    html, _ = site(tmp_path, {})
    assert DEFAULT_ICON in html
    assert '<a class="site-title" href="./"><span>Home</span></a>' in html
    assert html.partition('<footer class="bottom">')[2].count("<p>") == 1
    assert media(tmp_path) == []


def test_changed_logo_changes_only_its_own_address(tmp_path: Path) -> None:
    first, _ = site(tmp_path, {"logo.svg": SVG}, 'logo = "logo.svg"\n')
    second, _ = site(tmp_path, {"logo.svg": SVG.replace("M0", "M1")}, 'logo = "logo.svg"\n')
    assert first != second
    assert re.sub(r"_media/\w+-", "", first) == re.sub(r"_media/\w+-", "", second)
    assert 'alt="" width="32" height="32">' in first, "it has only proportions"
    assert tmp_path / "logo.svg" in CANDIDATES, "so `--watch` builds again"


MKDOCS = "theme: {name: material, logo: img/l.png, favicon: img/f.svg}\nrepo_url: https://h.example/o/p/\n"
BOOK = '[book]\nsrc = "docs"\n[output.html]\ngit-repository-url = "https://h.example/book"\n'
QUARTO = "website: {favicon: f.svg, repo-url: 'https://h.example/q', navbar: {logo: /img/l.png}}\n"
SPHINX = 'html_logo = "img/l.png"\nhtml_favicon = "img/f.svg"\ncopyright = "2024, Ann"\n'


@pytest.mark.parametrize(
    ("files", "files_published", "texts"),
    [
        ({"mkdocs.yml": MKDOCS + "copyright: '&copy; <em>Ann</em>'\n"}, ["f.svg", "l.png"], ["© Ann · ", "h.example/o/p/"]),
        ({"book.toml": BOOK}, [], ["h.example/book"]),
        ({"docs/conf.py": SPHINX}, ["f.svg", "l.png"], ["<p>© 2024, Ann"]),
        ({"docs/_quarto.yml": QUARTO, "docs/f.svg": SVG}, ["f.svg", "l.png"], ["h.example/q"]),
        ({"docs/_config.yml": "logo: /img/l.png\n"}, ["l.png"], []),
        (
            {"docs/_config.yml": "html: {favicon: img/f.svg}\nrepository: {url: 'https://h.example/j'}\n"},
            ["f.svg"],
            ["h.example/j"],
        ),
        ({"docs/myst.yml": "site: {options: {logo: img/l.png, favicon: img/f.svg}}\n"}, ["f.svg", "l.png"], []),
        ({"docs/docs.json": '{"logo": "/img/l.png", "favicon": "img/f.svg"}'}, ["f.svg", "l.png"], []),
        ({"docs/docs.json": '{"logo": {"light": "/img/l.png", "dark": "x"}, "favicon": "/img/f.svg"}'}, ["f.svg"], []),
    ],
)
def test_settings_of_other_systems_are_used(
    tmp_path: Path, files: dict[str, str | bytes], files_published: list[str], texts: list[str]
) -> None:
    html, report = site(tmp_path, {"docs/img/l.png": PNG, "docs/img/f.svg": SVG} | files)
    assert media(tmp_path) == files_published
    assert all(text in html for text in texts)
    assert report.warnings == []


def test_copyright_of_hugo_is_used(tmp_path: Path) -> None:
    html, _ = site(tmp_path, {"content/_index.md": "# Home\n", "hugo.toml": 'copyright = "Ann"\n'}, content="content")
    assert "<p>Ann</p>" in html


def test_own_settings_replace_those_of_other_systems(tmp_path: Path) -> None:
    """An empty text means none; a `favicon.svg` of the author's theme is an icon of our own, too."""
    files: dict[str, str | bytes] = {"mkdocs.yml": MKDOCS, "docs/img/l.png": PNG, "docs/img/f.svg": SVG}
    html, _ = site(tmp_path, files | {"look/static/favicon.svg": SVG}, 'theme_dir = "look"\nlogo = ""\nrepository = ""\n')
    assert DEFAULT_ICON in html
    assert "h.example" not in html
    assert media(tmp_path) == []


UNPUBLISHED: dict[str, dict[str, str | bytes]] = {
    "missing": {},
    "withheld with its page": {"docs/l.png": PNG, "docs/l.md": "---\naudience: curator\n---\n"},
    "excluded": {"docs/l.png": PNG, "ignored": ""},
    "another format": {"docs/l.png": BAD_SVG},
    "link to a withheld file": {"docs/l.png": "link", "docs/p.png": PNG},
    "link out of the content": {"docs/l.png": "link", "p.png": PNG},
}


@pytest.mark.parametrize("reason", UNPUBLISHED)
@pytest.mark.parametrize("is_own", [True, False])
def test_picture_that_may_not_be_published_is_an_error_or_a_warning(tmp_path: Path, reason: str, is_own: bool) -> None:
    """It is an error of our own settings. Another system also finds pictures in its themes: only a damaged one is a warning."""
    files = dict(UNPUBLISHED[reason])
    write_tree(tmp_path, files)
    if files.get("docs/l.png") == "link":
        (tmp_path / "docs" / "l.png").unlink()
        (tmp_path / "docs" / "l.png").symlink_to(next(file for file in tmp_path.rglob("p.png")))
        files.pop("docs/l.png")
    settings = 'exclude = ["l.png"]\n' * ("ignored" in files)
    if is_own:
        with pytest.raises(ConfigError) as caught:
            site(tmp_path, files, f'{settings}logo = "docs/l.png"\n')
        assert f"ranvier.toml:{2 + ('ignored' in files)}: logo " in str(caught.value)
        assert caught.value.cure
    else:
        html, report = site(tmp_path, files | {"mkdocs.yml": "theme: {logo: l.png}\n"}, settings)
        warnings = [str(warning) for warning in report.warnings if warning.kind == "media"]
        assert len(warnings) == (reason == "another format")
        for warning in warnings:
            assert warning.startswith("mkdocs.yml: logo 'l.png' cannot be published: ")
            assert warning.endswith('; set logo in ranvier.toml, or logo = "" for none')
        assert "<img" not in html
    assert media(tmp_path) == []


def test_link_beside_the_content_is_as_public_as_its_picture(tmp_path: Path) -> None:
    """A2: the published name is that of the link."""
    write_tree(tmp_path, {"docs/s.md": "---\naudience: public\n---\n", "docs/s.png": PNG})
    (tmp_path / "l.png").symlink_to("docs/s.png")
    site(tmp_path, {}, 'logo = "l.png"\n')
    assert "l.png" in media(tmp_path)
    with pytest.raises(ConfigError, match=r"l\.png' cannot be published: it is a withheld picture under another name"):
        site(tmp_path, {"docs/s.md": "---\naudience: curator\n---\n"}, 'logo = "l.png"\n')


def test_folder_that_is_a_link_leads_to_a_picture_in_the_content(tmp_path: Path) -> None:
    write_tree(tmp_path, {"docs/img/l.png": PNG})
    (tmp_path / "look").symlink_to("docs/img")
    site(tmp_path, {}, 'logo = "look/l.png"\n')
    assert media(tmp_path) == ["l.png"]
    with pytest.raises(ConfigError, match=r"logo 'img/l\.png' cannot be published"):
        site(tmp_path, {"docs/img/l.md": "---\naudience: curator\n---\n"}, 'logo = "look/l.png"\n')


def test_hard_link_to_a_withheld_picture_is_an_error(tmp_path: Path) -> None:
    """A2: also beside the content."""
    write_tree(tmp_path, PAGES | {"docs/p.png": PNG})
    (tmp_path / "l.png").hardlink_to(tmp_path / "docs" / "p.png")
    with pytest.raises(ConfigError, match=r"l\.png' cannot be published: it is a withheld picture under another name"):
        site(tmp_path, {}, 'logo = "l.png"\n')


def test_warning_about_a_repository_has_no_password(tmp_path: Path) -> None:
    _, report = site(tmp_path, {"mkdocs.yml": "repo_url: https://ann:kes/trel@h.example/o/p\n"})
    (warning,) = report.warnings
    assert warning.message.startswith("repository 'https://…@h.example/o/p' cannot be published: it is no address")


def test_files_and_addresses_elsewhere_are_not_used_from_other_systems(tmp_path: Path) -> None:
    write_tree(tmp_path, {"l.png": PNG})
    settings = f"theme: {{logo: ../l.png, favicon: {tmp_path / 'l.png'}}}\nrepo_url: 'javascript:alert(1)'\n"
    html, report = site(tmp_path, {"mkdocs.yml": settings})
    (warning,) = report.warnings
    assert warning.message.startswith("repository 'javascript:alert(1)' cannot be published")
    assert "javascript" not in html
    assert media(tmp_path) == []


def test_metadata_stay_if_the_settings_say_so(tmp_path: Path) -> None:
    site(tmp_path, {"logo.png": private_png()}, 'logo = "logo.png"\nstrip_metadata = false\n')
    (file,) = tmp_path.glob("out/_media/*")
    assert file.read_bytes() == published(tmp_path, "x.png", private_png(), strip_metadata=False)
    assert Config().logo is None
