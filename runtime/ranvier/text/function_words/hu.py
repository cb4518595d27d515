"""Hungarian: stop words and word endings."""

WORDS = """
    a az be ben csak de e egy el ez ezt fel ha hogy hogyan hol honnan hová is itt ki kell lehet mely melyik meg mert mi
    miért mikor mint mit nem ott és s sem szerint volt vagy van vannak után
"""
ENDINGS = """
    a e i k t n r ak ek ok at et ot ban ben nak nek val vel ból ből ra re ság ség ás és
"""
