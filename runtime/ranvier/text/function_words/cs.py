"""Czech: stop words and word endings."""

WORDS = """
    a aby ale ani až bude budou by byl byla bylo byli být co či do ho i já jak jaká jaké jako je jeho jejich jen jsem jsou k
    kde kdo kdy když která které který kteří ma mezi mi mít na nad ne nebo není o od po pod podle pro proč proto před při s
    se si své ta tak také tam tato ten to tohoto tom u v ve však z za ze že
"""
ENDINGS = """
    a e i y o u é ě í ů em ech ách ami ého ému ou ým ých ní ost osti ský ová ání ení ace
"""
