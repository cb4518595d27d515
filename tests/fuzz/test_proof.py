"""A3: the gate and the proof, which share no code, agree on random text; a build of the reduced copy gives the same page."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import example, given, settings
from hypothesis import strategies as st
from ranvier_builder import Config
from ranvier_builder.check.copy import write_copy
from ranvier_builder.check.reader import read_content
from ranvier_builder.model import Rendered
from ranvier_builder.pipeline import survey
from support.content import write_tree


def text_of(*lines: str) -> st.SearchStrategy[str]:
    """Draw one of the texts in some lines, which are separated by two blanks."""
    return st.sampled_from([text for line in lines for text in line.split("  ")])


_KEYS = text_of(
    "audience  Audience  AUDIENCE  audiences  ms.audience  \"audience\"  'audience '  audience\u200b  ? audience  # audience",
    "user_note  user_note_shared  draft  private  publish  published  visibility  dg-publish  title  tags  aliases  id  secret",
    "- audience  date  weight  <<  ? [a]  ? {a: b}  1  ~  &a audience  status  password",
)
_VALUES = text_of(
    "public  curator  tool  friends  [public]  [curator, public]  [public, [curator]]  public, friends  'public'",
    '{audience: public}  {a: {audience: curator}}  public # words  |\n public  >-\n x\n y  publi\u0441  "pub\\0lic"  "\\ud800"',
    "true  false  yes  no  on  0  1  ~  never  restricted  2024-01-01  2024-13-45  '  \"  &a  *a  !!str  !!binary  !!set {a}",
    "draft  hidden",
    '|  >  -  :  ?  !  %  @  `  [[a]]  [a  {a  a: b  <!-- words -->  a {#claim-deadbe10} b  "{#claim\\u002ddeadbe10}"',
)
_LINES = text_of(
    "# Title  words  <!-- words 1 -->  <!--  -->  %% words %%  %%  {#claim-ab12cd34}  audience: curator  ```  [[secret]]",
    "#tag  export const meta = {audience: 'curator'}  \t<!-- code -->  `<!-- code -->`  \0",
)
_PAIRS = st.builds("{}{}{}\n".format, _KEYS, st.sampled_from([": ", ": ", " = ", ":"]), _VALUES | st.just(""))
_BODIES = st.lists(_LINES, max_size=6).map("\n".join)
_FENCES = text_of("---  +++  --- # x  ---\r  \ufeff---  \n---  ...  {  }  ;;;").map("{}\n".format) | st.just("")
_HEADERS = st.lists(_PAIRS, max_size=4).map("".join)
_YAML = st.builds("---\n{}---\n{}".format, _HEADERS, _BODIES)
_UNFENCED = st.builds(
    "{}{}{}{}".format,
    text_of("title: x\n  Title: x\nTags: y\n  slug: a\n  Note: b\n\ufeff\n Title : x\n"),
    _HEADERS,
    text_of("\n  ---\n  \n---\n"),
    _BODIES,
)
_TEXTS = _YAML | _UNFENCED | st.builds("{}{}{}{}".format, _FENCES, _HEADERS, _FENCES, _BODIES)
_CONFIGS = st.builds(
    Config,
    default_audience=st.sampled_from(["", "public", "public", "curator"]),
    publish_for=st.sampled_from(["public", "public", "tool"]),
    audience_fields=st.sampled_from([(), ("ms.audience", "private")]),
    audience=st.sampled_from([{}, {"friends": "public"}]),
    search_fields=st.sampled_from([(), ("*",), ("sec*",)]),
    redact_private_links=st.booleans(),
)


def render_pages(content: Path, config: Config) -> list[Rendered]:
    """Return the rendered pages without their source and the targets of links, which the copy may mask."""
    return [_sourceless(page) for page in survey(content, config).rendered]


def _sourceless(page: Rendered) -> Rendered:
    neuron = replace(page.page.neuron, markdown="")
    return replace(page, page=replace(page.page, neuron=neuron), links=tuple(replace(link, target="") for link in page.links))


@given(_TEXTS, _CONFIGS)
@settings(max_examples=300, deadline=None)
@example("---\naudience: public\nsecret: x\n\n---\nwords\n", Config())
@example("---\naudience: friends, public\nsecret: x\n---\nwords\n", Config())
def test_gate_and_proof_agree_and_the_copy_gives_the_same_page(text: str, config: Config) -> None:
    with TemporaryDirectory() as tmp:
        tree: dict[str, str | bytes] = {"page.md": text.encode(), "secret.md": "---\naudience: curator\n---\n# Secret\n"}
        folder = write_tree(Path(tmp, "content"), tree)
        pages = render_pages(folder, config)
        published_paths = {page.page.neuron.path for page in pages}
        content = read_content(folder, config)
        assert not published_paths & {source.path for source in content.withheld}
        copy = write_copy(content, published_paths, config, Path(tmp, "copy"))
        assert render_pages(copy.folder, config) == pages
