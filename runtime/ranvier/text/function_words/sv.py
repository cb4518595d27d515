"""Swedish: stop words and word endings."""

WORDS = """
    alla allt att av blev bli blir de dem den denna deras dess dessa det detta dig din du där då efter ej eller en er ett
    från för ha hade han har henne hennes honom hur här i icke in inte jag ju kan kunde man med mellan men mig min mot
    mycket ni nu när någon något och om oss på sig sin sina sitt ska som så till under upp ut utan vad var varför vem vi vid
    vilka vilken vilket vår är över
"""
ENDINGS = """
    a e n r s t en et er ar or na as es ens ets arna erna orna ing ning ingen het heten ande ende ades are ad ig lig ligt
    isk iskt skt
"""
