"""Polish: stop words and word endings."""

WORDS = """
    a aby ale będzie był była było były być co czy czym dla do gdy gdzie go i ich ile im jak jaka jaki jakie jako je jego
    jej jest jestem jeśli już kiedy kto która które którego który których lub ma może można na nad nie niż o od oraz po pod
    przed przez przy się są ta tak także tam te tego tej ten to tu ty tym w we wszystkie z za ze że
"""
ENDINGS = """
    a e i y o u ę ą ć em ie ów om ach ami ego emu ej ych ym ie ać eć ić ł ła li ło nia nie cja cji ość ości ny na ne owy
"""
