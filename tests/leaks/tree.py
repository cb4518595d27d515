"""A small content folder with something withheld in every possible way."""

from __future__ import annotations

from pathlib import Path

from ranvier_builder import Config
from support.content import write_tree
from support.pictures import MP3, another

SOUND = MP3 + bytes(range(255, -1, -1))

PUBLIC = {
    "index.md": "---\ntitle: Garden notes\naudience: public\n---\nA public garden, with a Roadmap for everybody.\n",
    "guide/planting.md": (
        "---\ntitle: Planting\naudience: public\ntags: [garden]\naliases: [Sowing]\nsummary: How to plant.\n"
        "user_note: brindlewick keeps the spare key of the greenhouse\n"
        "password: swordfishx\ninternal_owner: ask the marrowfield team before any change\n---\n"
        "Dig a hole. See [[plans/merger|the other plan]] and [a list](../plans/merger.md). {#claim-ab12cd34}\n\n"
        "%%plumthistle%%\n\n%% quillfeather wrote this paragraph while it rained outside %%\n\n"
        "<!-- thornmere says that the second bed is a mistake -->\n\n![A spade](spade.png)\n"
    ),
    "guide/spade.png": another(1),
    "unspoken/hidden-place.md": "---\naudience: [public]\n---\n# A quiet corner\n\nNobody is told about the pond.\n",
}
WITHHELD = {
    "plans/merger.md": (
        "---\ntitle: Merger with Lanternfold\naudience: curator\ntags: [zephyrine/deal]\naliases: [Project Oakmantle]\n"
        "id: secret-4711-vellichor\nsummary: Both gardens become one in spring.\nuser_note: foxglimmer objects to the price\n"
        "budget: ninety thousand silver marks\naccount: 4412907\n---\n"
        "# The long plan\n\nWe will buy the neighbour's garden before anybody hears of it. Links to [[guide/planting]].\n\n"
        "## Copperfinch terms\n\n![Map of both](map.png)\n"
    ),
    "plans/map.png": another(2),
    "tool/agents.md": "---\ntitle: Wispdrake protocol\naudience: tool\n---\nThe agents water roses at four in the morning.\n",
    "partners.md": "---\ntitle: Partnerpage\naudience: partners\n---\nOnly Hollowmere partners know about the northern gate.\n",
    "broken.md": "---\ntitle: [Embercliff\naudience: public\n---\nEmbercliff brothers sell their harvest below market price.\n",
    "unclosed.md": "---\ntitle: Unclosed\naudience: public\nThe Duskharrow family pays nothing for all of its water.\n",
    "misspelt.md": "---\ntitle: Misspelt\naudiance: curator\n---\nThe Saltmarrow field was sold twice to different people.\n",
    "empty.md": "---\naudience:\n---\nThe Ravenspire orchard has been empty for eleven long years.\n",
    "roadmap.md": "---\ntitle: Roadmap\naudience: curator\n---\nFirst the Glassmoor hedge goes, and then all the statues.\n",
    "short.md": "---\naudience: curator\n---\nSilverbriar\n",
    "ja.md": "---\ntitle: 秘密の庭\naudience: curator\n---\n来年の春に古い温室を取り壊して新しい建物を建てる。\n",
    "drafts/old.md": "---\naudience: public\n---\nThe Coppergate draft says that every tree must be felled.\n",
    ".trash/gone.md": "---\naudience: public\n---\nThe Mistwarden page was thrown away because of the lawsuit.\n",
    "talk.md": "---\naudience: curator\n---\nAbout the talk.\n",
    "talk.mp3": SOUND,
    "talk.vtt": "WEBVTT\n\n00:00.000 --> 00:02.000\nNobody may hear what Thistledown said to the mayor.\n",
    "links.md": "---\naudience: curator\n---\n[[unspoken/hidden-place]] has its Nightwillow visitor on every single Monday.\n",
}
CONFIG = Config(title="Garden notes", url="https://garden.example/", default_audience="public", exclude=("drafts/*",))


def garden(folder: Path, more: dict[str, str | bytes] | None = None) -> Path:
    return write_tree(folder, {**PUBLIC, **WITHHELD, **(more or {})})
