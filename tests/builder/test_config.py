"""`ranvier.toml` (A1): every mistake is reported with file, line and cure."""

import json
from pathlib import Path
from typing import Any

import pytest
from ranvier.query.segments import Segment
from ranvier_builder import Config, build, index, load_config
from ranvier_builder.config import SETTINGS, find_config
from ranvier_builder.errors import ConfigError
from ranvier_builder.search_settings import Pin, SearchSettings


@pytest.fixture
def toml(tmp_path: Path) -> Path:
    return tmp_path / "ranvier.toml"


def test_empty_config_has_defaults() -> None:
    assert load_config(None) == Config()
    assert Config().default_audience == "", "A1: withheld until the author says"
    assert Config().publish_for == "public"


def test_every_setting_is_read(toml: Path) -> None:
    strings: dict[str, Any] = (
        {"title": "T", "name": "n-1", "description": "D", "url": "https://x.example/docs/", "lang": "da", "theme": "plain"}
        | {"publish_for": "tool", "default_audience": "curator", "search_placeholder": "Søg", "copyright": "A"}
        | {"repository": "https://h.example/p", "edit_url": "https://h.example/edit/{path}", "unlock": "moon-7"}
    )
    switches = dict.fromkeys(("redact_private_links", "trusted_html", "line_breaks", "strict", "listings"), True)
    switches |= dict.fromkeys(("strip_metadata", "offline", "recent", "agents"), False)
    lists = {"exclude": ["drafts/*"], "include": [".generated/*"], "base_paths": ["/handbook"], "search_fields": ["ver*"]} | {
        "audience_fields": ["ms.audience"],
        "sites": ["/docs/_ranvier/", "https://b.example/_ranvier/=0.8"],
    }
    toml.write_text(
        "".join(f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in (strings | switches | lists).items())
        + 'theme_dir = "."\nlogo = "a.svg"\nicon = "a.svg"\n[audience]\nITPro = "public"\n"End User" = "tool"\n'
        '[[pins]]\nquery = "install"\npages = ["guide/install.md", "Home"]\n'
        '[[segments]]\nname = "code"\npattern = "class"\nstrategy = "bm25"\npath = "src"\n'
        '[synonyms]\nk8s = ["kubernetes"]\n"static host" = ["CDN", "web host"]\n'
        "[search]\nsubstring = false\n[search.preset.legs.page]\nweight = 2\n"
    )
    logo = toml.with_name("a.svg")
    logo.write_text("<svg/>")
    config = load_config(toml)
    assert config == Config(
        **strings,
        **switches,
        **{name: tuple(value) for name, value in lists.items()},
        theme_dir=str(toml.parent),
        logo=str(logo),
        icon=str(logo),
        audience={"itpro": "public", "end user": "tool"},
        pins=(Pin("install", ("guide/install.md", "Home")),),
        segments=(Segment("code", "class", "bm25", "src"),),
        synonyms={"k8s": ("kubernetes",), "static host": ("CDN", "web host")},
        search=SearchSettings({"legs": {"page": {"weight": 2}}}, substring=False),
    )
    assert all(getattr(config, name) != getattr(Config(), name) for name in SETTINGS)


def test_byte_order_mark_is_no_part_of_the_settings(toml: Path) -> None:
    """A1: editors on Windows write it."""
    toml.write_text('title = "T"\nname = "n"\n', "utf-8-sig")
    assert load_config(toml).title == "T"
    toml.write_text("title = 5\n", "utf-8-sig")
    with pytest.raises(ConfigError, match=r"toml:1: title must be a string"):
        load_config(toml)


def test_flags_override_the_config_file(toml: Path) -> None:
    toml.write_text('publish_for = "tool"\nurl = "https://a.example/"\n')
    config = load_config(toml, publish_for="curator", default_audience=None, url=None)
    assert (config.publish_for, config.url) == ("curator", "https://a.example/")


ABOVE = "a setting of the site stands above the first line in brackets"


@pytest.mark.parametrize(
    ("text", "line", "message", "cure"),
    [
        ('\ndefault_audence = "public"', 2, "there is no setting 'default_audence'", "did you mean 'default_audience'?"),
        ('title = "x"\npublishfor = "tool"', 2, "'publishfor'", "'publish_for'"),
        ("zzzz = 1", 1, "there is no setting 'zzzz'", "  cure: the page `Configuration` of the manual lists the settings"),
        ("title = 5", 1, "title must be a string", '  cure: title = "TEXT"'),
        ('exclude = "x"', 1, "exclude must be a list of strings", 'exclude = ["drafts/*"]'),
        ('strict = "yes"', 1, "strict must be true or false", "strict = true"),
        ('\n\npublish_for = "everybody"', 3, "publish_for cannot be 'everybody'", "public, tool, curator"),
        ('audience = "public"', 1, "audience must be a table", "[audience]"),
        (
            'title = "x"\n[audience]\nITPro = "everybody"',
            3,
            "audience cannot map 'ITPro' to 'everybody'",
            "public, tool, curator",
        ),
        ('[audience]\nITPro = "tool"\nCurator = "public"', 3, "audience cannot map 'Curator' to 'public'", "ITPro"),
        ('default_audience = "Public"', 1, "default_audience cannot be 'Public'", "public"),
        ('name = "a b"', 1, "name cannot be 'a b'", "letters, digits, hyphens"),
        ('name = ""', 1, "name cannot be ''", ""),
        ('name = "x\\n"', 1, "name cannot be", ""),
        ('url = "x.example"', 1, "url cannot be", "https://"),
        ('url = "javascript:alert(1)"', 1, "url cannot be", ""),
        ('url = "https://x.example/?q"', 1, "url cannot be", ""),
        ('title = "x"\nlogo = "nosuch.png"', 2, "logo cannot be", "a picture, from the folder of ranvier.toml"),
        ('icon = "nosuch.png"', 1, "icon cannot be", "an SVG, PNG or ICO file"),
        (f'logo = "{"a" * 5000}.png"', 1, "logo cannot be", "the path of a picture"),
        ('logo = "https://ann:kestrel@h.example//l.png"', 1, "logo cannot be 'https://…@h.example//l.png'", "a picture"),
        ('repository = "ann:kestrel@h.example"', 1, "repository cannot be '…@h.example'", "https://"),
        ('repository = "https://h.example/p?token=kestrel"', 1, "repository cannot be 'https://h.example/p?…'", "https://"),
        ('repository = "https://ann:kestrel@h.example/p"', 1, "repository cannot be 'https://…@h.example/p'", "https://"),
        ('repository = "git@h.example:o/p"', 1, "repository cannot be", "https://"),
        ('repository = "https://me:secret@h.example/p"', 1, "repository cannot be", "https://"),
        ('repository = "javascript:alert(1)"', 1, "repository cannot be", ""),
        ('sites = "/_ranvier/"', 1, "sites must be a list of strings", "/blog/_ranvier/=0.8"),
        ('sites = ["/_ranvier/", "blog/"]', 1, "sites cannot be ['/_ranvier/', 'blog/']", "/blog/_ranvier/=0.8"),
        ('sites = ["/_ranvier/=x"]', 1, "sites cannot be", ""),
        ('sites = ["javascript:alert(1)/"]', 1, "sites cannot be", ""),
        ('lang = "deutsch"', 1, "lang cannot be 'deutsch'", "a language tag such as de or pt-BR"),
        ('lang = "xx-nonsense-!!"', 1, "lang cannot be 'xx-nonsense-!!'", ""),
        ('theme = "nosuch"', 1, "nosuch", "default"),
        ('theme = "../../x"', 1, "x", "default"),
        ('title = "x"\ntitle = "y"', 2, "is not valid TOML", "  cure: write each setting once"),
        ('title = "x"\nexclude = [', 2, "is not valid TOML", "closed quotes and brackets"),
        ("\ufefftitle = x", 1, "is not valid TOML", 'title = "x"'),
        ("title = ", 1, "is not valid TOML", "put text in quotes"),
        ("\ndefault_audience = public # all", 2, "is not valid TOML", 'cure: put text in quotes: default_audience = "public"'),
        ("title = “My site”", 1, "is not valid TOML", '  cure: put text in quotes: title = "My site"'),
        ("strict = True", 1, "is not valid TOML", "  cure: strict = true"),
        ("trusted_html = False", 1, "is not valid TOML", "  cure: trusted_html = false"),
        ("exclude = [drafts]", 1, "is not valid TOML", '  cure: exclude = ["drafts/*"]'),
        ("[synonyms]\nk8s = [\nkubernetes]", 3, "is not valid TOML", "  cure: put text in quotes"),
        ('title = "[pins]"\npins = "x"', 2, "pins must be a list of tables", "[[pins]]"),
        ('[pins]\nquery = "x"', 1, "pins must be a list of tables", "[[pins]]"),
        ('[[pins]]\npages = ["a.md"]', 1, "query of a pin must be a string", 'query = "install"'),
        ('[[pins]]\nquery = "a"\npages = ["a"]\n[[pins]]\nquery = "?!"\npages = ["a"]', 5, "with at least one word", ""),
        ('[[pins]]\nquery = "a"', 1, "pages of a pin must be a list", 'pages = ["guide/install.md"]'),
        ('[[pins]]\nquery = "a"\npages = "a.md"', 3, "pages of a pin must be a list", ""),
        ('[[pins]]\nquery = "a"\npage = ["a.md"]', 3, "pins has no 'page'", "did you mean 'pages'?"),
        ('[[segments]]\nname = "a"', 1, "a segment must have a pattern", "[[segments]]"),
        ('[[segments]]\npattern = "a"', 1, "a segment must have a name", ""),
        ('[[segments]]\nname = "a"\npattern = "("', 3, "'(' is not a regular expression", "write a backslash before a bracket"),
        ('[[segments]]\nname = "a"\npattern = "b"\nstrategy = "bm26"', 4, "one of auto, rag, bm25, vector", ""),
        ('[[segments]]\nname = "a"\npattern = 5', 3, "pattern of a segment must be a string", ""),
        ('[[segments]]\nname = "a"\npatern = "b"', 3, "segments has no 'patern'", "did you mean 'pattern'?"),
        ('[[segments]]\nname = "a"\npattern = "b"\n' * 2, 5, "there are two segments 'a'", ""),
        ('synonyms = ["a"]', 1, "synonyms must be a table", 'k8s = ["kubernetes"]'),
        ('[synonyms]\na = ["b"]\nk8s = "kubernetes"', 3, "synonyms of 'k8s' must be a list of words", ""),
        ('[synonyms]\n"?" = ["b"]', 2, "synonyms of '?' must be a list of words", ""),
        ('[synonyms]\nk8s = ["a"]\ndefault_audience = "public"', 3, "must be a list of words", ABOVE),
        ('[synonyms]\nk8s = ["a"]\nexclude = ["drafts/"]', 3, "must be a list of words", ABOVE),
        ('[synonyms]\nexclude = ["*.draft.md"]', 2, "must be a list of words", ABOVE),
        ("[search]\nstrict = true", 2, "search has no 'strict'", ABOVE),
        ("search = 1", 1, "search must be a table", ""),
        ('title = "x"\n[search]\nplaceholder = "x"', 3, "search has no 'placeholder'", "substring"),
        ("[search]\nsubstrings = true", 2, "search has no 'substrings'", "did you mean 'substring'?"),
        ('[search]\nsubstring = "no"', 2, "substring must be true or false", "substring = false"),
        ('[search]\nvectors = "no"', 2, "vectors must be true or false", "vectors = false"),
        ("[search]\nsubstring = true\nmodel = 5", 3, "model must be the name of a folder", 'model = "models/'),
        ('[search]\nmodel = "models/none"', 2, "there is no folder ", "the name of a folder next to ranvier.toml"),
        ('[search]\nmodel_langs = "en"', 2, "model_langs must be a list of languages", 'model_langs = ["en", "de"]'),
        ("[search]\nvector = true", 2, "search has no 'vector'", "did you mean 'vectors'?"),
        ("[search]\npreset = 1", 2, "search.preset: default must be a table", "  cure: write, for example, k = 10 below"),
        ("[search.preset]\nfuze = {}", 2, "default has no 'fuze'; did you mean 'fuse'?", ""),
        ("[search.preset]\nlegs.page.weight = true", 2, "default.legs.page.weight must be a number", ""),
    ],
)
def test_config_mistakes_name_line_and_cure(toml: Path, text: str, line: int, message: str, cure: str) -> None:
    toml.write_text(f"{text}\n")
    with pytest.raises(ConfigError) as caught:
        load_config(toml)
    shown = str(caught.value)
    assert shown.startswith(f"{toml}:{line}: ")
    assert message in shown
    assert cure in shown


@pytest.mark.parametrize("name", ["audience_fields", "base_paths", "exclude", "include", "search_fields", "sites"])
def test_text_instead_of_a_tuple_is_an_error(name: str) -> None:
    """A2: `exclude=("private.md")` without a comma is a text. Its characters would exclude nothing."""
    with pytest.raises(ConfigError, match=f"^{name} must be a list of strings"):
        Config(**{name: "private.md"})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("title", 3, "title must be a string, not 3"),
        ("lang", None, "lang must be a string, not None"),
        ("trusted_html", "no", "trusted_html must be true or false"),
    ],
)
def test_value_of_another_type_is_an_error(name: str, value: object, message: str) -> None:
    """Also for a config that a program makes."""
    with pytest.raises(ConfigError, match=f"^{message}"):
        Config(**{name: value})  # type: ignore[arg-type]


def test_binary_config_file_is_an_error(toml: Path) -> None:
    toml.write_bytes(b'lang = "de"\ntitle = "\xff"')
    with pytest.raises(ConfigError, match=r":2: cannot be read: it is not UTF-8\n  cure: save the file as UTF-8"):
        load_config(toml)


def test_unreadable_config_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot be read: .*\n  cure: name a file that can be read"):
        load_config(tmp_path)


def test_language_tags_have_hyphens(toml: Path) -> None:
    toml.write_text('lang = "pt_BR"\n')
    assert (load_config(toml).lang, load_config(toml, lang="zh_CN").lang) == ("pt-BR", "zh-CN")


def test_error_in_a_flag_does_not_name_the_file(toml: Path) -> None:
    """The value in the file is right."""
    toml.write_text('publish_for = "tool"\n')
    with pytest.raises(ConfigError, match="cannot be 'nobody'") as caught:
        load_config(toml, publish_for="nobody")
    assert caught.value.line is None


def test_config_file_is_found_in_or_beside_the_content(tmp_path: Path) -> None:
    content = tmp_path / "docs"
    content.mkdir()
    assert find_config(content) is None
    (tmp_path / "ranvier.toml").touch()
    assert find_config(content) == tmp_path / "ranvier.toml"
    (content / "ranvier.toml").touch()
    with pytest.raises(ConfigError, match="remove one file, or name one with --config") as caught:
        find_config(content)
    assert str(content / "ranvier.toml") in str(caught.value)
    assert str(tmp_path / "ranvier.toml") in str(caught.value).replace(str(content), "")
    (tmp_path / "ranvier.toml").unlink()
    assert find_config(content) == content / "ranvier.toml"


def test_vector_settings(toml: Path) -> None:
    """I4: on by default if WordLlama is installed; a model folder is relative to the config file."""
    assert (SearchSettings().vectors, SearchSettings().model, SearchSettings().model_langs) == (None, "wordllama", ())
    toml.write_text('[search]\nvectors = false\nmodel = "wordllama"\n')
    assert load_config(toml).search == SearchSettings(vectors=False)
    for folder in ("models/potion", "elsewhere"):
        (toml.parent / folder).mkdir(parents=True)
    toml.write_text('[search]\nmodel = "models/potion"\nmodel_langs = ["EN", "pt-BR", "de_AT"]\n')
    search = load_config(toml).search
    assert (search.vectors, search.model_langs, Path(search.model)) == (None, ("en", "pt", "de"), toml.parent / "models/potion")
    toml.write_text(f'[search]\nmodel = "{toml.parent.as_posix()}/elsewhere"\n')
    assert Path(load_config(toml).search.model) == toml.parent / "elsewhere"
    toml.write_text("[search.preset.legs]\nvector = false\n")
    assert load_config(toml).search.preset == {"legs": {"vector": False}}, "`false` instead of a table"


def test_search_settings_do_not_change_the_repr_of_a_config() -> None:
    """The working database depends on the `repr` of a config."""
    tuned = Config(pins=(Pin("a", ("b",)),), synonyms={"a": ("b",)}, search=SearchSettings(substring=False))
    assert repr(tuned) == repr(Config())


@pytest.mark.parametrize("values", [{"publish_for": "all"}, {"theme": "nosuch"}, {"name": "a b"}, {"url": "x.example"}])
def test_script_with_a_wrong_value_is_told_before_the_build(tmp_path: Path, values: dict[str, str]) -> None:
    """V4: a `Config` that no file and no flag has checked."""
    for call in (lambda config: build(tmp_path / "in", tmp_path / "out", config), lambda config: index(tmp_path, config)):
        with pytest.raises(ConfigError, match=" cannot be '"):
            call(Config(**values))  # type: ignore[arg-type]
