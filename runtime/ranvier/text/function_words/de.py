"""German: stop words and word endings."""

WORDS = """
    aber als am an auch auf aus bei bin bis bist da damit dann das dass dein deine dem den denn der des dessen die dies
    diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es euer für hat hatte hatten
    ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ist ja jede jedem jeden jeder jedes kann können mein meine mit muss
    nach nicht noch nun nur ob oder ohne sehr sein seine seinem seinen seiner sich sie sind so soll sollte sowie über um und
    uns unser unsere unter vom von vor wann war waren warum was welche welchem welchen welcher welches wenn wer werden wie
    wieso wieviel will wir wird wo wurde wurden zu zum zur zwischen
"""
ENDINGS = """
    e g t n r s h d er en es em et st te in ig ung ch ich isch lich keit heit igkeit lichkeit ungen ern end ing ion ionen
    ten tes iv ung ng eit it
"""
