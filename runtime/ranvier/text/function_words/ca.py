"""Catalan: stop words and word endings."""

WORDS = """
    a al als amb aquest aquesta com d de del dels des el els em en és era es està ha han hi i jo l la les li lo me més no
    nos o on per però perquè què quan qual que qui s sense ser seu si són sobre també un una uns va
"""
ENDINGS = ""
