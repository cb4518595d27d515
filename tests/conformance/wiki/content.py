"""The wiki that [000] describes, and its tables, as data."""

from support.whole_site import page

VISIBLE = {  # [000], "The audience filter": audience of the caller → visible Neurons
    "curator": {"curator", "tool", "public", "everything"},
    "tool": {"tool", "public"},
    "public": {"public"},
}
TAGGED = {
    "a.md": page("# Curator\n\nA kestrel above the first field.", audience=["curator"], tags=["bird", "of-a"]),
    "b.md": page("# Tool\n\nA kestrel above the second field.", audience=["tool"], tags=["bird", "of-b"]),
    "c.md": page("# Public\n\nA kestrel above the third field.", audience=["public"], tags=["bird", "of-c"]),
    # without an audience: visible to curators
    "d.md": page("# Everything\n\nA kestrel above the fourth field.", tags=["bird", "of-d"]),
}

VIP = page(
    """# VIP customer escalation policy

Who answers the phone reads this first.

## Policies

### Escalation

When a VIP customer raises {#claim-0a1b2c3d} a ticket, page the <b>lead</b> & wait.

### Weekend

On a Saturday the duty officer answers.
""",
    id="vip",
    kind="wiki",
    tags="policy,escalation,on-call",
    audience=["public"],
)
WIKI = {
    "wiki/vip-escalation-policy.md": VIP,
    "wiki/on-call-rotation.md": page(
        "# On-call rotation {#claim-11112222}\n\nEach Monday the rotation moves on {#claim-33334444}.\n\n"
        "## Swaps {#claim-55556666}\n\nSwaps are agreed two days before.",
        audience=["public"],
        summary="Who is on call {#claim-77778888}.",
        user_note="Anna swaps rarely {#claim-9999aaaa}.",
        user_note_shared=True,
    ),
    "wiki/wellness.md": page(
        "# Wellness\n\nRest.\n\n## Sleep\n\nEight hours.\n\n### Reflexology\n\nThe feet are pressed gently.",
        audience=["public"],
    ),
}

SYNTAX = {  # titles and file names have no word of the queries
    "a.md": "# One\n\nThe vip escalation is written down.",
    "b.md": "# Two\n\nAn escalation names the vip at its end.",
    "c.md": "# Three\n\nMany vips are kind.",
    "d.md": "# Four\n\nA vip-tier has its own number.",
    "e.md": "# Five\n\nThe vip carries a pager.",
    "f.md": "# Six\n\nThis vip has priority.",
    "g.md": "# Seven\n\nEscalation alone.",
    "h.md": "# Eight\n\nA course in vipassana.",
}
QUERIES = {  # [000], "FTS5 query syntax": query → the Neurons that it means
    "vip escalation": {"One", "Two"},
    '"vip escalation"': {"One"},
    "vip OR escalation": {"One", "Two", "Three", "Four", "Five", "Six", "Seven"},
    "vip*": {"One", "Two", "Three", "Four", "Five", "Six", "Eight"},
    "vip NOT pager": {"One", "Two", "Three", "Four", "Six"},
    "vip AND (escalation OR priority)": {"One", "Two", "Six"},
}
