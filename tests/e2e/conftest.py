"""Fixtures of the browser tests."""

from collections.abc import Iterator

import pytest
from e2e.test_layers_box import LAYER_POLICY, open_dialog
from playwright.sync_api import Page
from support.box import IdleBox
from support.browser import Tab
from support.fault_site import faulty_folder
from support.layered import LayeredManual, layered_manual
from support.shared import entered_fixture
from support.sites import SiteServer, serving

__all__ = ["faulty_folder", "layered_manual"]


# The manual on a server that records the requests of one test.
server = entered_fixture(serving, "example_site")


@pytest.fixture
def box(tab: Tab, server: SiteServer) -> IdleBox:
    """The search box of the manual, with a stub engine that has not been started."""
    return IdleBox(tab, server.url)


@pytest.fixture(scope="module")
def layer_host(layered_manual: LayeredManual) -> Iterator[SiteServer]:
    """The site with layers, under the strictest policy that the manual names for it."""
    with serving(layered_manual.site, headers={"content-security-policy": LAYER_POLICY}) as server:
        yield server


@pytest.fixture
def box_page(tab: Tab, layer_host: SiteServer) -> Page:
    """The open dialog of the site with layers, still locked."""
    return open_dialog(tab.page, layer_host.url)
