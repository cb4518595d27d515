"""Indonesian: stop words and word endings."""

WORDS = """
    ada adalah akan apa atau bagaimana bahwa bisa dalam dan dari dengan di dia hal ini itu jika juga kami kapan karena ke
    kita mana mengapa mereka oleh pada para saat saya sebagai seperti siapa sudah tidak untuk yang
"""
ENDINGS = ""
