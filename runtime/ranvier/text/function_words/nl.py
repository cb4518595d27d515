"""Dutch: stop words and word endings."""

WORDS = """
    aan al als bij dan dat de deze die dit door een en er had hebben heb heeft het hier hij hoe hoeveel hun ik in is je jij
    kan kunnen maar me met mijn na naar niet nog nu of om onder ons ook op over te tot u uit van voor waar waarom wanneer
    waren was wat we welk welke werd wie wij word worden wordt ze zich zij zijn zo zou
"""
ENDINGS = """
    e n s t r en er es st ing ngen ingen ng heid heden eid id lijk lijke jk ijk je jes te ten de den d baar atie ties ie
"""
