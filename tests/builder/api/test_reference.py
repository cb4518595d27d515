"""V2: the HTML page of the OpenAPI document."""

from typing import Any

import pytest
from ranvier import RetrieveRequest, SearchRequest
from ranvier.bridge import camel
from ranvier_builder.api.openapi import openapi
from ranvier_builder.api.reference import reference_page
from ranvier_builder.api.shapes import options_of
from selectolax.lexbor import LexborHTMLParser, LexborNode

HOSTILE = '<script>alert(1)</script>" onload="x'


def section(page: str, path: str) -> LexborNode:
    node = LexborHTMLParser(page).css_first(f'section[aria-labelledby="{path[1:]}"]')
    assert node is not None
    return node


def rows(node: LexborNode) -> dict[str, list[str]]:
    """Return the cells of the tables of a section by their first cell; a parameter hides a field of the answer."""
    cells = [[cell.text(strip=True) for cell in row.css("td")] for row in node.css("tr")]
    return {name.removesuffix("required"): cells_after_name for name, *cells_after_name in reversed([*filter(None, cells)])}


@pytest.mark.parametrize(("path", "kind"), [("/search", SearchRequest), ("/retrieve", RetrieveRequest)])
def test_page_has_each_option_with_its_meaning(path: str, kind: Any) -> None:
    """V2: the options come from the code, so a new one needs a description."""
    table = rows(section(reference_page(openapi(with_tokens=False)), path))
    for name in options_of(kind):
        type_name, meaning = table[camel(name)]
        assert type_name
        assert meaning


def test_values_bounds_and_fields_of_answers_are_shown() -> None:
    table = rows(section(reference_page(openapi(with_tokens=False)), "/search"))
    assert table["limit"] == ["integer", "Number of documents; at least 1; at most 100"]
    assert table["sort"] == ["relevance | title | path | created | updated", "The order of the documents; default relevance"]
    assert table["documents[].subResults[].title"][0] == "string"
    assert table["403"] == ["The caller may not search"]


def test_texts_are_escaped() -> None:
    document = openapi(with_tokens=False)
    document["info"]["title"] = HOSTILE
    search = document["paths"]["/search"]["get"]
    search["summary"] = search["responses"]["400"]["description"] = HOSTILE
    search["parameters"][0]["name"] = search["parameters"][0]["schema"]["description"] = HOSTILE
    tree = LexborHTMLParser(reference_page(document))
    assert tree.css("script, [onload]") == []
    assert tree.css_first("title").text() == f"{HOSTILE}: HTTP API"
    assert rows(section(reference_page(document), "/search"))[HOSTILE] == ["string", HOSTILE]


def test_forms_need_no_token() -> None:
    """A form cannot send a header, so only requests without a token have one."""
    forms = {
        with_tokens: [form.attributes["action"] for form in LexborHTMLParser(page).css("form")]
        for with_tokens in (False, True)
        if (page := reference_page(openapi(with_tokens=with_tokens, with_chat=True)))
    }
    assert forms == {False: ["search", "suggest", "backlinks", "health"], True: ["health"]}
