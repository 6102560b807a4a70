"""Syllable counts: English by the rules below, other languages by hyphenation patterns (pyphen).

For English, runs of vowel letters are counted without silent e's, plus one for every place where two vowels of a run
are spoken apart (me-di-a, cre-ate). `scripts/measure_syllables.py` compares with the CMU dictionary.
Published readability figures use other counters: see `sbmt.metrics.readability`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from sbmt.errors import SbmtError

_RUN = re.compile(r"[aeiouy]+")
_LETTERS = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")

_SPOKEN_E, _SPOKEN_APART = re.compile("[éèêë]"), re.compile("(?<=[aeou])[ëï]")  # ca-fé; na-ïve

# Endings of derived words and compounds before which a silent e stays silent (state-ment, home-less).
_BUILT_ON = (
    "ly|ments?|ful|fully|less|lessly|lessness|ness|some|man|men|land|wood|ville|field|ford|ton|burg|berg|bury|wards?|hart|"
    "stone|port|board|birds?|lines?|ways?|town|works?|worth|houses?|backs?|books?|hood|shire|makers?|making|keepers?|"
    "keeping|holders?|sides?|walks?|more|well|by|ties|ty|son|spread|play|styles?"
)


def _any_of(letters: str, *patterns: str) -> re.Pattern[str]:
    """Return the union of patterns that match from one of these letters on: to say so first is twice as fast."""
    return re.compile(f"(?=[{letters}])(?:{'|'.join(patterns)})")


_SILENT = _any_of(
    "eu",
    r"(?<=[a-z])(?<![^aeiouylr]l)e$",  # horse; not ta-ble
    r"(?<=[^aeiouytd])(?<![^aeiouylr][lr])e(?=d$)",  # asked; not want-ed, hun-dred
    r"(?<=[^aeiouysxzcg])(?<![cs]h)(?<![^aeiouylr]l)e(?=s$)",  # names; not box-es, church-es
    rf"(?<=[aeiouylrnsc][bcdfgklmnprstvz])(?<![^aeiouyrl]l)e(?=(?:{_BUILT_ON})$)",  # home-less
    r"(?<=^som)e(?=[a-z])|(?<=^ev)e(?=ry)|(?<=[gq])u(?=e$|es$)|(?<=q)u(?=[aeiouy])",  # some-thing, queen
)
_APART = _any_of(
    "aeiouympr",
    r"(?<![cstg])i(?=a(?!ge))",  # me-di-a; not so-cial, mar-riage
    r"(?<=[cst])i(?=at)|(?<=[aeiouy][cstg])i(?=a[bgmrstvz])",  # as-so-ci-ate
    r"i(?=o(?!n|u))|(?<![cstgxlnh])i(?=o[nu])|(?<=^l)i(?=on)|(?<=l)i(?=ous)",  # ra-di-o, cham-pi-on
    r"(?<=[aeiouyrlnm]n)i(?=o[nu])(?!on$)",  # ge-ni-ous
    r"i(?=u)|(?<!^.)i(?=et)|(?<=^[bcdfghlptv])i(?=e(?:t|nc))",  # sta-di-um, so-ci-e-ty, di-et
    r"(?<=[^aeiouyzct][^aeiouyh])i(?=e(?:r|st|rs)$)|(?<![ctfrg])i(?=en[tc])",  # hap-pi-er, cli-ent
    r"(?<![pjgh])e(?=o(?!u))|(?<=^g)e(?=o)|(?<=[a-z]th)e(?=o)|(?<=^th)e(?=o)",  # vid-e-o, the-o-ry
    r"(?<![qg])u(?=a|en[ct]|i(?:ty|ti|s[mt]|ng|d))|u(?=ous)",  # u-su-al, in-flu-ence, flu-id
    r"(?<=[aeiouy].)e(?=as?$)|(?<=[aeiouy][a-z][a-z])e(?=as?$)",  # i-de-a; not tea
    r"(?<=cr)e(?=at(?!ur))|e(?=ums?$)|(?<=[rnp])e(?=ans?$)|(?<=id)e(?=al)",  # cre-ate, Eu-ro-pe-an, i-de-al
    r"^re(?=a(?:ct|lig|ff|pp|ss|rr|dj|w)|[eio])(?!ree[fdl]|rei[gn])|^pre(?=[eio])",  # re-act, pre-empt
    r"(?<=^c)o(?=o(?:[pr]d|per))|(?<=[^aeiouy])o(?=e[tmv]|ic|is[mt])",  # co-op-er-ate, po-et, sto-ic
    r"[aeou](?=ing)|y(?=i)|(?<=[aou])y(?=[aeo])(?!e[ds]?$)|(?<=e)y(?=er)|(?<!^)y(?=a)",  # do-ing, roy-al
    r"(?<!^.)a(?=ic$|ist|ism)|a(?=os?$)|(?<=s)m$|^mc(?=[^aeiouy])",  # ar-cha-ic, cha-os, re-al-ism
)


@lru_cache(maxsize=1 << 18)
def count_syllables(word: str, language: str = "en") -> int:
    """Return the number of syllables of a word or hyphenated compound, at least 1 (also for a token without letters).

    `language` is "en" or any that pyphen has; raises SbmtError for another.
    """
    parts = _LETTERS.findall(unicodedata.normalize("NFC", word.lower()))
    count = _english if language == "en" else _hyphenator(language)
    return sum(map(count, parts)) or 1


def _english(part: str) -> int:
    stem, _, clitic = (part if part.isascii() else _unaccented(part)).partition("'")
    vowel_runs = _RUN.findall(stem)
    audible = _SILENT.sub("", stem) if len(vowel_runs) > 1 else stem
    syllables = max(1, len(_RUN.findall(audible)) + len(_APART.findall(audible)))
    if clitic == "s":  # a syllable only after a sibilant: boss's
        return syllables + bool(re.search(r"(?:[sxz]|[cs]h|[csgz]e)$", stem))
    if clitic == "t":  # didn't; but can't
        return syllables + stem.endswith(("dn", "sn"))
    return syllables + len(_RUN.findall(clitic if clitic not in ("re", "ve") else ""))


def _unaccented(part: str) -> str:
    """Return a part in plain letters: "i" for an accented e, which is never silent, "yi" if it is apart."""
    spoken = _SPOKEN_E.sub("i", _SPOKEN_APART.sub("yi", part))
    return "".join(letter for letter in unicodedata.normalize("NFD", spoken) if not unicodedata.combining(letter))


@lru_cache
def _hyphenator(language: str) -> Callable[[str], int]:
    import pyphen

    if language not in pyphen.LANGUAGES:
        raise SbmtError(f"no syllables for language {language!r} (known: {', '.join(sorted(pyphen.LANGUAGES))})")
    dictionary = pyphen.Pyphen(lang=language)
    return lambda part: len(dictionary.positions(part)) + 1
