"""Spanish: stop words and word endings."""

WORDS = """
    a al algo ante aquel como cómo con cuál cuales cuáles cuando cuándo cuánto cuántos de del desde donde dónde e el él ella
    ellas ellos en entre era eran es esa ese eso esta está están este esto estos fue fueron ha han hasta hay la las le les
    lo los me mi mis muy más ni no nos o para pero por porque que qué quién quienes se ser si sí sin sobre son su sus
    también te tiene tu tus u un una unas uno unos y ya yo
"""
ENDINGS = """
    a o e s n r as os es ar er ir an en ado ada ados idad idades ción ciones ón mente ente able ible ando iendo ndo ar ico
    ica iva ivo dad ad ión iones nes nte te ento nto to ia ias
"""
