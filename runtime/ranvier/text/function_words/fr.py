"""French: stop words and word endings."""

WORDS = """
    à ai au aux avec avait ce ceci cela ces cet cette comme comment d dans de des donc dont du elle elles en es est et était
    été être eu fait il ils j je l la le les leur leurs lui m ma mais me mes moi mon n ne ni nos notre nous on ont ou où par
    pas pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se sera ses si son sont sous sur t ta te tes
    toi ton tu un une vos votre vous y
"""
ENDINGS = """
    e s t r x n es er ez nt ent ant ait ion ions tion tions ment ements ité ités euse eux eur ive if ique iques able ance
    ence ement nce té é ée és ées ons ien
"""
