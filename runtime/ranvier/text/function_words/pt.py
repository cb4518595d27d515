"""Portuguese: stop words and word endings."""

WORDS = """
    a à ao aos as às até com como da das de dela dele deles do dos e é ela elas ele eles em entre era eram essa esse esta
    está este foi foram há isso isto já lhe mais mas me meu meus minha muito na nas não nem no nos nós num numa o onde os ou
    para pela pelas pelo pelos por porque qual quais quando quantos quanto que quem se sem ser seu seus sua suas são só
    também te tem têm tu um uma você vocês
"""
ENDINGS = """
    a o e s r m as os es ar er ir ado ada ados idade ade ção ções ão ões mente ente nte ável ível ando endo ndo ico ica ivo
    iva te ento to ia ias
"""
