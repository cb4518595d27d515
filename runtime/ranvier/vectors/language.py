"""Whether a model supports the language of a query, judged by its letters and its function words."""

from __future__ import annotations

from ranvier import text


def supports(model: tuple[str, ...], words: str, langs: tuple[str, ...]) -> bool:
    """Tell whether a model supports the language of a query.

    Args:
        model: primary languages of the model; empty: all.
        words: the query.
        langs: the possible languages of the query; a single one if a page or a filter gives it.

    """
    if not model:
        return True
    if (script_languages := text.languages(words)) and not {*script_languages} & {*model}:
        return False
    readable = [lang for lang in langs if lang in model]
    if len(readable) in (0, len(langs)):
        return bool(readable)
    spellings = {word.casefold() for word, _, _ in text.words(words)}
    counts = {lang: sum(text.is_stop(word, (lang,)) for word in spellings) for lang in langs}
    return max(counts[lang] for lang in readable) >= max(counts.values())
