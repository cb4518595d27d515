"""Common abbreviations of technical writing, by language: default synonyms of a site, which its owner can turn off."""

from __future__ import annotations

from collections.abc import Iterable

_ENGLISH = """
admin administrator administration
app application
args arguments
attr attribute
auth authentication authorization
config configuration
db database
dev development
dir directory
doc documentation
env environment
func function
img image
info information
js javascript
k8s kubernetes
lib library
msg message
param parameter
perf performance
pkg package
prod production
ref reference
repo repository
spec specification
temp temporary
util utility
var variable
"""
_OTHERS = {
    "de": """
admin administrator verwaltung
app anwendung
auth authentifizierung autorisierung
config konfiguration
db datenbank
dir verzeichnis
doku dokumentation
env umgebung
info information
param parameter
repo repository
""",
    "es": """
admin administrador administración
app aplicación
auth autenticación autorización
config configuración
dir directorio
doc documentación
env entorno
info información
param parámetro
repo repositorio
""",
    "fr": """
admin administrateur administration
appli application
auth authentification autorisation
config configuration
doc documentation
env environnement
info information
param paramètre
repo dépôt
""",
}


def abbreviations(langs: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return abbreviation → the words that it stands for, for a site's languages (primary subtags).

    English ones are always included: programs are written in English. Inflections are left to the search: `docs` matches `doc`.
    """
    synonyms: dict[str, dict[str, None]] = {}
    for table in (_ENGLISH, *(_OTHERS[lang] for lang in dict.fromkeys(langs) if lang in _OTHERS)):
        for short, *words in map(str.split, table.strip().splitlines()):
            synonyms.setdefault(short, {}).update(dict.fromkeys(words))
    return {short: tuple(words) for short, words in sorted(synonyms.items())}
