"""Penn Treebank tokens that know where in the raw text they are.

Conventions of the Treebank's tokenisation (MacIntyre's script) as PPDB has them: `n't` and `'s` are words of their own,
brackets are `-lrb-`, quotes are told apart as `` and '', the sentence's last period is cut off, and a short word before
its end keeps its own ("Dr."). The raw text is never altered: a token is a span of it, plus the form rules match. What a
tokeniser has made already ("-LRB-", " 's") stays one token.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from sbmt.text.penn import BRACKETS, CLITIC, NOT, QUOTATION_MARKS
from sbmt.text.protection.entities import PARTING
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
  | (?P<entity>&(?:\#\d{{1,7}}|\#x[\da-f]{{1,6}}|[a-z]\w{{1,30}});)
  | (?P<abbreviation>(?<!\w)(?:[^\W\d_]\.){{2,}})
  | (?P<short>(?<![\w.])[^\W\d_]{{1,4}}\.(?=[\s,;:])(?!\s*$))
  | (?P<number>[+-]?\d+(?:[.,:/]\d+)+(?:-?\w+)*)
  | (?P<clitic>(?<=\S){CLITIC}\b|(?<!\S){CLITIC}(?!\S))
  | (?P<word>['’](?=(?:tis|twas|em|cause|til)\b){_LETTER}+|{_LETTER}+(?:(?!&(?:{PARTING});)[-/.'’&]{_LETTER}+)*)
  | (?P<other>\.{{2,}}|-{{2,}}|``|''|\S)
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Marks of emphasis as in _so_ and __so it is__, which \w holds; others are parts of names (snake_case, __name__).
_EMPHASIS = re.compile(
    r"""
    (?<![^\s([{"'“‘«*—–>|]) (?!__[a-z][a-z_]*__(?![^\W_]))
    (_{1,3}) (?=[^\W_]) ((?:[^_]|(?<=\w)_+(?=\w))*) (?<=[^\s_]) \1
    (?=$|[\s)\]}"'”’»;:,!?*—–<|]|\.(?!\w))
    """,
    re.VERBOSE,
)
_IS_URL = re.compile(URL, re.VERBOSE | re.IGNORECASE)
_CUT_OFF = re.compile(rf"(?:{NOT}|{CLITIC})$", re.IGNORECASE)
_FUSED = {
    "cannot": 3,
    "gonna": 3,
    "gotta": 3,
    "wanna": 3,
    "gimme": 3,
    "lemme": 3,
    "'tis": 2,
    "'twas": 2,
}  # where the Treebank cuts them
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
# Of a footnote, after a word; km² is one as it is.
_NOTE = re.compile(rf"(?:(?<=[^\W\d_{SUPERSCRIPTS}]{{3}})|(?<=['’][a-z]))[{SUPERSCRIPTS}]+$", re.IGNORECASE)
_MAY_BE_CUT = re.compile("|".join([f"['’{SUPERSCRIPTS}]", *_FUSED]), re.IGNORECASE)
_FORMS = BRACKETS | QUOTATION_MARKS | {"…": "...", "–": "--", "—": "--", "―": "--"}
_FORMS |= {form.upper(): form for form in BRACKETS.values()}  # where the text has been tokenised already
# What a straight quotation mark opens after, beside white space; a single one needs a letter after it, too.
_BEFORE_DOUBLE, _BEFORE_SINGLE = "([{-—–`'‘“", '([{-—–―`"“«/>*_|'
_INVISIBLE = re.compile(r"[\u00ad\u200b-\u200d\u2060\ufeff]")
# What would be markup to a grammar, a language model or an n-best list is written with Moses' entities, and so are
# control characters.
_MARKUP = re.compile(r"\[[^\s\[\]]*\]|</?s>|<unk>|\|\|\|", re.IGNORECASE)
_ENTITIES = {"[": "&#91;", "]": "&#93;", "|": "&#124;", "<": "&lt;", ">": "&gt;"}


@dataclass(frozen=True, slots=True)
class Token:
    """Characters `[start, end)` of a text; `text` is what stands there, `word` the form rules are matched against."""

    start: int
    end: int
    text: str
    word: str

    def shifted(self, by: int) -> Token:
        """The same token in a text that begins so many characters earlier."""
        return Token(self.start + by, self.end + by, self.text, self.word)


def penn_tokens(text: str, lowercase: bool = True) -> list[Token]:
    """Tokens of one sentence, in order; only white space lies between them."""
    return [Token(start, end, text[start:end], _form(text, start, end, lowercase)) for start, end in _spans(text)]


def penn_words(text: str, lowercase: bool = True) -> list[str]:
    """The forms of the same tokens alone."""
    return [_form(text, start, end, lowercase) for start, end in _spans(text)]


def phrase_tokens(text: str, lowercase: bool = True) -> list[Token]:
    """Tokens of words that are no whole sentence: a period at their end is not taken for a sentence's."""
    return penn_tokens(f"{text} x", lowercase)[:-1]


def is_plain(word: str) -> bool:
    """Whether a word is one token and its own form: ASCII letters, and none that the Treebank cuts."""
    return word.isascii() and word.isalpha() and word.lower() not in _FUSED


def space_tokens(text: str, lowercase: bool = True) -> list[Token]:
    """Tokens of a line that is tokenised already: whatever stands between ASCII white space."""
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
    if not _MAY_BE_CUT.search(text):
        return [match.span() for match in matches]
    return [piece for match in matches for piece in _split(match)]


def _split(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    """The tokens of one match: contractions are cut off a word."""
    start, end = match.span()
    body = match[0]
    fused = body.lower().replace("’", "'")
    note = _NOTE.search(body)
    if match.lastgroup != "word" or ("'" not in fused and fused not in _FUSED and not note):
        yield start, end
        return
    cuts = [end]
    if note:
        cuts.append(start + note.start())
        body = body[: note.start()]
    while len(cuts) < 4 and (clitic := _CUT_OFF.search(body, max(1, len(body) - 3))):
        cuts.append(start + clitic.start())
        body = body[: clitic.start()]
    if len(cuts) == 1 and fused in _FUSED:
        cuts.append(start + _FUSED[fused])
    for cut in reversed(cuts):
        yield start, cut
        start = cut


def _form(text: str, start: int, end: int, lowercase: bool) -> str:
    raw = text[start:end]
    if raw.isascii() and raw.isalpha():  # most words; what follows is slower
        return raw.lower() if lowercase else raw
    before = text[start - 1] if start else " "
    if raw == '"':
        if before.isspace() and not text[end : end + 1].strip():  # it touches nothing that tells
            return "``" if text.count('"', 0, start) % 2 == 0 else "''"
        return "``" if before.isspace() or before in _BEFORE_DOUBLE else "''"
    if raw == "'" and (before.isspace() or before in _BEFORE_SINGLE) and text[end : end + 1].isalpha():
        return "`"
    if len(raw) > 1 and raw[0] in ".-" and raw == raw[0] * len(raw):
        return "..." if raw[0] == "." else "--"
    return _FORMS.get(raw) or _plain_form(raw, lowercase)


def _plain_form(raw: str, lowercase: bool) -> str:
    word = raw if raw.isascii() else _INVISIBLE.sub("", unicodedata.normalize("NFC", raw)).replace("’", "'") or raw
    if _MARKUP.fullmatch(word) or not "".join(word.split()).isprintable():  # white space inside a token is part of it
        word = "".join(_ENTITIES.get(c, c if c.isprintable() or c.isspace() else f"&#{ord(c)};") for c in word)
    return word.lower() if lowercase else word
