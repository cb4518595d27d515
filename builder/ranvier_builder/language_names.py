"""Names of languages in these languages, as their readers look for them."""

from __future__ import annotations

_NAMES = dict(
    line.strip().split(" ", 1)
    for line in """\
    ar العربية
    be Беларуская
    bg Български
    bn বাংলা
    bs Bosanski
    ca Català
    cs Čeština
    da Dansk
    de Deutsch
    el Ελληνικά
    en English
    eo Esperanto
    es Español
    et Eesti
    eu Euskara
    fa فارسی
    fi Suomi
    fr Français
    gl Galego
    he עברית
    hi हिन्दी
    hr Hrvatski
    hu Magyar
    hy Հայերեն
    id Bahasa Indonesia
    it Italiano
    ja 日本語
    ka ქართული
    kk Қазақша
    ko 한국어
    lt Lietuvių
    lv Latviešu
    mk Македонски
    ms Bahasa Melayu
    nb Norsk bokmål
    nl Nederlands
    nn Norsk nynorsk
    no Norsk
    pl Polski
    pt Português
    pt-br Português (Brasil)
    ro Română
    ru Русский
    sk Slovenčina
    sl Slovenščina
    sq Shqip
    sr Српски
    sv Svenska
    ta தமிழ்
    te తెలుగు
    th ไทย
    tr Türkçe
    uk Українська
    ur اردو
    uz Oʻzbekcha
    vi Tiếng Việt
    zh 中文
    zh-cn 简体中文
    zh-hans 简体中文
    zh-hant 繁體中文
    zh-tw 繁體中文""".splitlines()
)
# Their English names, in lower case: Hugo's themes call folders so, `content/german`.
_ENGLISH = """\
    ar arabic bg bulgarian ca catalan cs czech da danish de german el greek es spanish et estonian fa persian fi finnish
    fr french he hebrew hi hindi hr croatian hu hungarian id indonesian it italian ja japanese ko korean lt lithuanian
    lv latvian nl dutch no norwegian pl polish pt portuguese ro romanian ru russian sk slovak sl slovenian sr serbian
    sv swedish th thai tr turkish uk ukrainian vi vietnamese zh chinese""".split()
COUNTRIES = {"cn": "zh", "cz": "cs", "dk": "da", "jp": "ja", "kr": "ko", "ua": "uk"}  # in use as names of languages
ENGLISH_NAMES = dict(zip(_ENGLISH[::2], _ENGLISH[1::2], strict=True))


def language_name(lang: str) -> str:
    """Return the name of a language in this language, `de-AT` → `Deutsch (AT)`; the tag if it has no name here."""
    if name := _NAMES.get(lang.lower()):
        return name
    main, _, region = lang.partition("-")
    name = _NAMES.get(COUNTRIES.get(main, main).lower())
    return f"{name} ({region})" if name and region else name or lang
