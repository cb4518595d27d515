"""Arabic: words that say nothing alone, and the ends that words take."""

WORDS = """
    أن إلى أو أي إن التي الذي على عن عند في قد كان كانت كم كيف لا لم لماذا ما ماذا متى من مع هذا هذه هل هو هي و أين ذلك بين
    بعد قبل كل
"""
ENDINGS = ""
