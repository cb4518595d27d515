"""English: stop words and word endings."""

WORDS = ""  # they are in `ranvier.text.languages`
ENDINGS = """
    a c d e g l n r s t y al ce cy ed er es le ly ng nt on ss ts ty ul us ent ess ing ion ity ive lly tly able lity ment
    ness tion ility
"""
