"""What languages call themselves, and which of them are written from right to left."""

__all__ = ["is_rtl", "language_name"]

_NAMES = {
    "ar": "العربية",
    "bg": "Български",
    "bn": "বাংলা",
    "ca": "Català",
    "cs": "Čeština",
    "da": "Dansk",
    "de": "Deutsch",
    "el": "Ελληνικά",
    "en": "English",
    "es": "Español",
    "et": "Eesti",
    "eu": "Euskara",
    "fa": "فارسی",
    "fi": "Suomi",
    "fr": "Français",
    "ga": "Gaeilge",
    "gl": "Galego",
    "he": "עברית",
    "hi": "हिन्दी",
    "hr": "Hrvatski",
    "hu": "Magyar",
    "hy": "Հայերեն",
    "id": "Bahasa Indonesia",
    "is": "Íslenska",
    "it": "Italiano",
    "ja": "日本語",
    "ka": "ქართული",
    "ko": "한국어",
    "lt": "Lietuvių",
    "lv": "Latviešu",
    "mk": "Македонски",
    "ms": "Bahasa Melayu",
    "nb": "Norsk bokmål",
    "nl": "Nederlands",
    "nn": "Norsk nynorsk",
    "no": "Norsk",
    "pl": "Polski",
    "pt": "Português",
    "pt-br": "Português (Brasil)",
    "ro": "Română",
    "ru": "Русский",
    "sk": "Slovenčina",
    "sl": "Slovenščina",
    "sq": "Shqip",
    "sr": "Српски",
    "sv": "Svenska",
    "sw": "Kiswahili",
    "ta": "தமிழ்",
    "th": "ไทย",
    "tr": "Türkçe",
    "uk": "Українська",
    "ur": "اردو",
    "vi": "Tiếng Việt",
    "zh": "中文",
    "zh-cn": "简体中文",
    "zh-hans": "简体中文",
    "zh-hant": "繁體中文",
    "zh-tw": "繁體中文",
}
_RTL = frozenset({"ar", "arc", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "syr", "ug", "ur", "yi"})
_RTL_SCRIPTS = frozenset({"adlm", "arab", "hebr", "nkoo", "rohg", "syrc", "thaa"})


def language_name(code: str) -> str:
    """What speakers call a language; the code where it is not known.

    >>> language_name("de-AT")
    'Deutsch (AT)'
    """
    whole, (first, _, rest) = code.lower(), code.partition("-")
    if whole in _NAMES:
        return _NAMES[whole]
    name = _NAMES.get(first.lower())
    return f"{name} ({rest})" if name and rest else name or code


def is_rtl(code: str) -> bool:
    """Whether a language, or the script its code names, runs from right to left."""
    language, *subtags = code.lower().split("-")
    scripts = [subtag for subtag in subtags if len(subtag) == 4 and subtag.isalpha()]
    return scripts[0] in _RTL_SCRIPTS if scripts else language in _RTL
