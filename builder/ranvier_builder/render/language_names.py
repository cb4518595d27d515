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


def language_name(lang: str) -> str:
    """Return the name of a language in this language, `de-AT` → `Deutsch (AT)`; the tag if it has no name here."""
    if name := _NAMES.get(lang.lower()):
        return name
    main, _, region = lang.partition("-")
    name = _NAMES.get(main.lower())
    return f"{name} ({region})" if name else lang
