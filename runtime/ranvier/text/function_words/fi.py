"""Finnish: stop words and word endings."""

WORDS = """
    ei eivät eli en ennen että ettei he hän häne ja jo joka jonka jos jossa jota jotka kanssa kuin kuinka kuka kun me mihin
    mikä miksi millainen milloin minkä minä missä mistä miten mitkä mitä mukaan mutta myös ne niin niitä noin nyt näin olen
    oli olivat olla on ovat se sekä sen siinä siitä sillä sinä sitä tai te tämä tämän vai vaan vain voi ym
"""
ENDINGS = """
    a ä i n t en in an än ta tä sta stä ssa ssä lla llä lle lta ltä ksi na nä ista issa ien jen den tten us uden nen set
    minen misen taan aan een iin
"""
