"""Norwegian: stop words and word endings."""

WORDS = """
    alle at av ble bli blir da de deg dem den denne der deres det dette din disse du eller en enn er et etter for fordi fra
    ha hadde han hans har hun hva hvem hver hvilke hvilken hvis hvor hvordan hvorfor i ikke inn jeg kan kunne man med meg
    men mellom mot må noe noen nå når og også om opp oss over på seg sin skal som så til under ut var ved vi vil være
"""
ENDINGS = """
    e r s n t a en et er ne es ens ets ene ende ede else elser ing ning inger het heter eten lig ligt isk iske re
"""
