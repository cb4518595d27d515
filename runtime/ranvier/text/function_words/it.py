"""Italian: stop words and word endings."""

WORDS = """
    a ad agli ai al alla alle anche c che chi ci come con cosa cui d da dagli dai dal dalla dalle degli dei del della delle
    dello di dove e è ed era erano fu gli ha hanno i il in io l la le lei lo loro lui ma mi mia mio ne negli nei nel nella
    nelle no noi non o per perché più quale quali quando quanti quanto questa queste questi questo se si sia sono su sua sue
    sugli sui sul sulla suo suoi ti tra tu un una uno vi voi
"""
ENDINGS = """
    a o e i re are ere ire ato ata ati ate ità tà à zione zioni ione mente ente nte abile ibile ando endo ndo ico ica iva
    ivo one ne ni te ento ti to
"""
