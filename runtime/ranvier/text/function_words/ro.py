"""Romanian: stop words and word endings."""

WORDS = """
    a ai al ale am ar are au ca care ce cea cel cele cine cu cum când da de deci din după ea ei el ele era este eu fi fost
    în îi îl la le lor lui mai mult nu o pe pentru prin sa sau se si și sunt sub să te un una unde unei unui
"""
ENDINGS = """
    a e i o u ă ul ului le lor ea are ere ire at ată ați ție ții iune itate ic ică
"""
