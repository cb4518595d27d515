"""Danish: stop words and word endings."""

WORDS = """
    af alle at blev bliver da de dem den denne der deres det dette dig din disse dog du efter eller en end er et for fra få
    ham han hans har have havde hende her hun hvad hvem hvilke hvilken hvis hvor hvordan hvorfor hvornår i ikke ind jeg kan
    kunne man med meget men mig min mod når og også om op os over på se sig sin skal som så til ud under var ved vi vil være
"""
ENDINGS = """
    e r s n t en et er ne es ens ets erne ende ede else elser ing ning inger hed heder eden lig ligt isk iske re
"""
