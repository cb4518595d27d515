"""V2, [000]: bearer tokens."""

from pathlib import Path

import pytest
from ranvier import Caller
from ranvier_builder.api.tokens import VARIABLE, read_tokens
from ranvier_builder.errors import BuildError
from support.cli import failure

TOKEN = "0123456789abcdef"


def test_tokens_name_audiences(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    file.write_text(f"tool {TOKEN}\n\n# for the wiki\ncurator {TOKEN}x no-search\n", "utf-8-sig")
    tokens = read_tokens(file)
    assert tokens.caller(f"Bearer {TOKEN}") == Caller("tool")
    assert tokens.caller(f"bearer  {TOKEN}x") == Caller("curator", may_search=False)
    assert tokens.caller(TOKEN) is None
    assert TOKEN not in repr(tokens)


def test_tokens_from_the_environment() -> None:
    tokens = read_tokens(None, f"public {TOKEN}; tool {TOKEN}y")
    assert tokens.caller(f"Bearer {TOKEN}y") == Caller("tool")


def test_without_tokens_every_caller_sees_the_site() -> None:
    assert read_tokens(None).caller("") == Caller()


NO_TOKENS = (TOKEN, f"everyone {TOKEN}", "tool short", f"tool {TOKEN} search", f"tool {TOKEN} no-search x", f"tool {TOKEN}é")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        *((f"tool {TOKEN}z\n{line}\n", "tokens:2: this line is not a token") for line in NO_TOKENS),
        # The order of the lines would decide what the caller sees.
        (f"curator {TOKEN}\n\npublic {TOKEN}\n", "tokens:3: this line has the token of line 1"),
    ],
)
def test_wrong_line_is_named_without_the_token(tmp_path: Path, lines: str, message: str) -> None:
    file = tmp_path / "tokens"
    file.write_text(lines)
    with pytest.raises(BuildError, match=message) as error:
        read_tokens(file)
    assert TOKEN not in str(error.value)


def test_file_or_variable_without_tokens_is_an_error(tmp_path: Path) -> None:
    """Otherwise everybody could see everything."""
    (tmp_path / "tokens").write_text("# later\n")
    with pytest.raises(BuildError, match="has no token"):
        read_tokens(tmp_path / "tokens")
    with pytest.raises(BuildError, match=r"cannot be read: .*\n  cure: name a readable text file"):
        read_tokens(tmp_path / "none")
    for variable in ("", " ; ", "# later"):
        with pytest.raises(BuildError, match=r"RANVIER_TOKENS: has no token\n  cure: .* or remove the variable"):
            read_tokens(None, variable)


@pytest.mark.parametrize("words", ["--threads 8", "--timeout 5", "--log-queries", "--chat http://127.0.0.1:9/ --chat-model m"])
def test_options_of_the_api_need_it(tmp_path: Path, words: str) -> None:
    """V1: without it, they would do nothing."""
    assert f"{words.split()[0]} needs --api" in failure("serve", tmp_path, *words.split(), code=2)


def test_server_of_the_pages_takes_no_tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """V1, V2: it would show everybody what only some tokens may see."""
    assert "--tokens needs --api" in failure("serve", tmp_path, "--tokens", tmp_path / "tokens.txt", code=2)
    monkeypatch.setenv(VARIABLE, "public 0123456789abcdef")
    assert "RANVIER_TOKENS needs --api" in failure("serve", tmp_path, code=2)
