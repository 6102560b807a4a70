"""Penn Treebank tokens with their offsets in the raw text.

The conventions are those of the Treebank (MacIntyre's script) as used in PPDB: `n't` and `'s` are separate words,
brackets become `-lrb-`, opening and closing quotes become `` and '', the last period of a sentence is a token, and
short words before it keep their periods ("Dr."). A part of a word keeps its hyphen ("pre- and post-war"). The raw text
is never altered: a token is a span of it, plus the form that rules match. Existing tokens of this kind ("-LRB-", " 's")
are not split.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from sbmt.text.penn import APOSTROPHE, BRACKETS, CLITIC, NOT, QUOTATION_MARKS
from sbmt.text.protection.entities import ENTITY, PARTING
from sbmt.text.whitespace import WORD

_PATH = r"""[^\s<>"“”«»]*[\w/=&\#~+-]"""
URL = rf"""
    (?:https?://|ftp://|www\.){_PATH}
  | (?:[\w-]{{1,63}}\.){{1,8}}(?:com|org|net|edu|gov|info|io|co\.uk|ac\.uk|org\.uk|eu|de|fr)(?![\w-])(?:/{_PATH})?
  | [\w.+-]{{1,64}}@[\w-]{{1,63}}(?:\.[\w-]{{1,63}}){{1,8}}
  | (?<![\w@\#])[@\#][^\W\d]\w*
"""
# A letter may carry combining marks and hold soft hyphens or zero-width joiners.
_LETTER = r"[\w\u0300-\u036f\u00ad\u200b-\u200d\u2060]"
_TOKEN = re.compile(
    rf"""
    (?P<url>{URL})
  | (?P<bracket>(?<!\S)-[lr][rsc]b-(?!\S))
  | (?P<entity>{ENTITY})
  | (?P<abbreviation>(?<!\w)(?:[^\W\d_]\.){{2,}})
  | (?P<short>(?<![\w.])[^\W\d_]{{1,4}}\.(?=[\s,;:])(?!\s*$))
  | (?P<number>[+-]?\d+(?:[.,:/]\d+)+(?:-?\w+)*)
  | (?P<clitic>(?<=\S){CLITIC}\b|(?<!\S){CLITIC}(?!\S))
  | (?P<word>['’](?=(?:tis|twas|em|cause|til)\b){_LETTER}+
      |{_LETTER}+(?:(?:{APOSTROPHE}|(?!&(?:{PARTING});)[-/.&]){_LETTER}+)*(?:-(?!\S))?)
  | (?P<other>\.{{2,}}|-{{2,}}|``|''|\S)
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Underscores for emphasis, as in _so_ and __so it is__; others are parts of names (snake_case, __name__).
_EMPHASIS = re.compile(
    r"""
    (?<![^\s([{"'“‘«*—–>|]) (?!__[a-z][a-z_]*__(?![^\W_]))
    (_{1,3}) (?=[^\W_]) ((?:[^_]|(?<=\w)_+(?=\w))*) (?<=[^\s_]) \1
    (?=$|[\s)\]}"'”’»;:,!?*—–<|]|\.(?!\w))
    """,
    re.VERBOSE,
)
_IS_URL = re.compile(URL, re.VERBOSE | re.IGNORECASE)
_CONTRACTION = re.compile(rf"(?:{NOT}|{CLITIC})$", re.IGNORECASE)
_LONGEST_CONTRACTION = len("&#x2019;re")
_APOSTROPHE = re.compile(APOSTROPHE, re.IGNORECASE)
_FUSED_WORDS = {
    "cannot": 3,
    "gonna": 3,
    "gotta": 3,
    "wanna": 3,
    "gimme": 3,
    "lemme": 3,
    "'tis": 2,
    "'twas": 2,
}  # -> place of the Treebank's split
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
# The number of a footnote after a word; km² is one word.
_FOOTNOTE = re.compile(rf"(?:(?<=[^\W\d_{SUPERSCRIPTS}]{{3}})|(?<=['’][a-z]))[{SUPERSCRIPTS}]+$", re.IGNORECASE)
_MAY_SPLIT = re.compile("|".join([f"['’&{SUPERSCRIPTS}]", *_FUSED_WORDS]), re.IGNORECASE)
_FORMS = BRACKETS | QUOTATION_MARKS | {"…": "...", "–": "--", "—": "--", "―": "--"}
_FORMS |= {form.upper(): form for form in BRACKETS.values()}  # in tokenised text
# Characters, beside white space, after which a straight quotation mark opens; a single one also needs a letter after.
_BEFORE_DOUBLE, _BEFORE_SINGLE = "([{-—–`'‘“", '([{-—–―`"“«/>*_|'
_INVISIBLE = re.compile(r"[\u00ad\u200b-\u200d\u2060\ufeff]")
# Words that are markup in grammars, language models or n-best lists are escaped with Moses' entities, and so are
# control characters.
_MARKUP = re.compile(r"\[[^\s\[\]]*\]|</?s>|<unk>|\|\|\|", re.IGNORECASE)
_ENTITIES = {"[": "&#91;", "]": "&#93;", "|": "&#124;", "<": "&lt;", ">": "&gt;"}


@dataclass(frozen=True, slots=True)
class Token:
    """Characters `[start, end)` of a text: `text` is the raw string, `word` the form that rules match."""

    start: int
    end: int
    text: str
    word: str

    def shifted(self, offset: int) -> Token:
        """Return the token with its offsets moved by `offset` characters."""
        return Token(self.start + offset, self.end + offset, self.text, self.word)


def penn_tokens(text: str, lowercase: bool = True) -> list[Token]:
    """Return the tokens of one sentence in order; only white space lies between them."""
    return [Token(start, end, text[start:end], _form(text, start, end, lowercase)) for start, end in _spans(text)]


def penn_words(text: str, lowercase: bool = True) -> list[str]:
    """Return only the word forms of the tokens of a sentence."""
    return [_form(text, start, end, lowercase) for start, end in _spans(text)]


def phrase_tokens(text: str, lowercase: bool = True) -> list[Token]:
    """Return the tokens of a phrase, whose last period is not split off as the end of a sentence."""
    return penn_tokens(f"{text} x", lowercase)[:-1]


def is_plain(word: str) -> bool:
    """Whether a word is one token and its own form: ASCII letters, not split by the Treebank."""
    return word.isascii() and word.isalpha() and word.lower() not in _FUSED_WORDS


def space_tokens(text: str, lowercase: bool = True) -> list[Token]:
    """Return the tokens of a tokenised line, separated by ASCII white space."""
    return [
        Token(match.start(), match.end(), match[0], _plain_form(match[0], lowercase)) for match in WORD.finditer(text)
    ]


def is_url(text: str) -> bool:
    """Whether a token is a web or e-mail address, a handle or a hashtag."""
    return _IS_URL.fullmatch(text) is not None


def _spans(text: str) -> list[tuple[int, int]]:
    if "_" in text:
        text = _EMPHASIS.sub(lambda match: "*" * len(match[1]) + match[2] + "*" * len(match[1]), text)
    matches = _TOKEN.finditer(text)
    if not _MAY_SPLIT.search(text):
        return [match.span() for match in matches]
    return [piece for match in matches for piece in _split(match)]


def _split(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Yield the spans of the tokens in one match, splitting contractions and footnotes off words."""
    start, end = match.span()
    rest = match[0]
    fused = _APOSTROPHE.sub("'", rest.lower())
    footnote = _FOOTNOTE.search(rest)
    if match.lastgroup != "word" or ("'" not in fused and fused not in _FUSED_WORDS and not footnote):
        yield start, end
        return
    cuts = [end]
    if footnote:
        cuts.append(start + footnote.start())
        rest = rest[: footnote.start()]
    while len(cuts) < 4 and (contraction := _CONTRACTION.search(rest, max(1, len(rest) - _LONGEST_CONTRACTION))):
        cuts.append(start + contraction.start())
        rest = rest[: contraction.start()]
    if len(cuts) == 1 and fused in _FUSED_WORDS:
        cuts.append(start + _FUSED_WORDS[fused])
    for cut in reversed(cuts):
        yield start, cut
        start = cut


def _form(text: str, start: int, end: int, lowercase: bool) -> str:
    raw = text[start:end]
    if raw.isascii() and raw.isalpha():  # fast path for most words
        return raw.lower() if lowercase else raw
    before = text[start - 1] if start else " "
    if raw == '"':
        if before.isspace() and not text[end : end + 1].strip():  # white space on both sides: alternate
            return "``" if text.count('"', 0, start) % 2 == 0 else "''"
        return "``" if before.isspace() or before in _BEFORE_DOUBLE else "''"
    if raw == "'" and (before.isspace() or before in _BEFORE_SINGLE) and text[end : end + 1].isalpha():
        return "`"
    if len(raw) > 1 and raw[0] in ".-" and raw == raw[0] * len(raw):
        return "..." if raw[0] == "." else "--"
    if "&" in raw and (before.isalnum() or raw[-1] != ";"):  # otherwise it is an entity by itself
        raw = _APOSTROPHE.sub("'", raw)
    return _FORMS.get(raw) or _plain_form(raw, lowercase)


def _plain_form(raw: str, lowercase: bool) -> str:
    word = raw if raw.isascii() else _INVISIBLE.sub("", unicodedata.normalize("NFC", raw)).replace("’", "'") or raw
    if _MARKUP.fullmatch(word) or not "".join(word.split()).isprintable():  # inner white space is kept
        word = "".join(_ENTITIES.get(c, c if c.isprintable() or c.isspace() else f"&#{ord(c)};") for c in word)
    return word.lower() if lowercase else word
