"""Glossaries: reading files, finding terms, and precedence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sbmt.errors import FormatError
from sbmt.text.glossary import Glossary, is_refused, with_terms
from sbmt.text.glossary_lines import keeping_line, parse_glossary, read_glossary, refusing_line
from sbmt.text.pipeline import Pipeline, TextOptions
from sbmt.text.protection.protect import Protected


def read(folder: Path, text: str) -> Glossary:
    path = folder / "house.txt"
    path.write_text(text, encoding="utf-8")
    return read_glossary(path)


def spans(glossary: Glossary, text: str) -> list[tuple[str, tuple[str, ...] | None]]:
    (sentence,) = Pipeline(TextOptions(), glossary=glossary).sentences(text)
    tokens = sentence.tokens
    return [(text[tokens[span.i].start : tokens[span.j - 1].end], span.target) for span in sentence.protected]


def test_a_file_of_wishes(tmp_path: Path) -> None:
    glossary = read(tmp_path, "# of the house\n\nprincipal = main  # always\nNHS = National Health Service\n"
                              "leaflet|leaflets = leaflet|leaflets\nget|gets != obtain|receive\nC# = C#\n")  # fmt: skip
    assert glossary.wanted == {
        ("principal",): ("main",),
        ("nhs",): ("National", "Health", "Service"),
        ("leaflet",): ("leaflet",),
        ("leaflets",): ("leaflets",),
        ("c", "#"): ("c", "#"),
    }
    assert glossary.refused == (
        (("get",), ("obtain",)),
        (("get",), ("receive",)),
        (("gets",), ("obtain",)),
        (("gets",), ("receive",)),
    )


def test_lines_without_a_file(tmp_path: Path) -> None:
    lines = ["", "principal = main  # always", "GP = GP\n", "get != obtain"]
    assert parse_glossary(lines) == read(tmp_path, "\n".join(lines))
    with pytest.raises(FormatError, match=r"^glossary, line 2: neither TERM = WORDS"):
        parse_glossary(["a = b", "c"])


def test_several_forms_may_have_one_equivalent(tmp_path: Path) -> None:
    assert read(tmp_path, "amid|amidst = among\n").wanted == {("amid",): ("among",), ("amidst",): ("among",)}


def test_a_sign_alone_is_a_word(tmp_path: Path) -> None:
    glossary = read(tmp_path, "equals = =\n<= = at most\n= = is\ndiffers from = !=\n")
    assert glossary.wanted == {("equals",): ("=",), ("<", "="): ("at", "most"), ("=",): ("is",),
                               ("differs", "from"): ("!=",)}  # fmt: skip


def test_one_form_may_be_among_the_words_refused_for_others(tmp_path: Path) -> None:
    assert ((("gets",), ("get",))) in read(tmp_path, "get|gets != get|obtain\n").refused


def test_words_never_to_be_written(tmp_path: Path) -> None:
    assert read(tmp_path, "!= bother|Bothers\n").refused == (((), ("bother",)), ((), ("bothers",)))


def test_what_is_refused_may_be_words_of_a_text_or_tokens_of_a_rule(tmp_path: Path) -> None:
    assert read(tmp_path, "don't delay != hurry\nnot != can n't\n").refused == (
        (("don't", "delay"), ("hurry",)),
        (("do", "n't", "delay"), ("hurry",)),
        (("not",), ("can", "n't")),
    )


@pytest.mark.parametrize(
    ("source", "target", "text", "lines"),
    [
        ("alarmed", "worried", "Alarmed", ["alarmed != worried", "alarmed = alarmed"]),
        ("so [JJ,1]", "[JJ,1] enough", "so loud", ["", "so loud = so loud"]),
        (
            "approximately [CD,1]",
            "about [CD,1]",
            "Approximately 200",
            ["approximately != about", "approximately = approximately"],
        ),
        ("prior to the [NN,1]", "before the [NN,1]", "prior to the war", ["prior to != before", "prior to = prior to"]),
        ("an upcoming", "a coming", "an upcoming", ["upcoming != coming", "upcoming = upcoming"]),
        ("is [VBN,1] at", "was [VBN,1] at", "is held at", ["is != was", "is = is"]),
        ("in order to [VB,1]", "to [VB,1]", "in order to win", ["", "in order = in order"]),
        ("so [JJ,1] that", "too [JJ,1] and", "so loud that", ["", "@"]),
        ("-lrb- see [NN,1] -rrb-", "-lrb- look [NN,1] -rrb-", "(see it)", ["see != look", "see = see"]),
        ("people", "the people", "people", ["", "@"]),
        ("do n't", "never", "Don't", ["do n't != never", "do n't = do n't"]),
        ("can't [VB,1]", "must not [VB,1]", "can't go", ["can't != must not", "@"]),  # our texts have "ca n't"
        ("very", "", "very", ["", "very = very"]),
        ("a | b", "c", "a | b", ["", ""]),
        ("no # 1", "best", "no #1", ["", ""]),
        ("x = y", "z", "x = y", ["", ""]),
        ("good", "very good indeed", "good", ["", "good = good"]),
        ("mother 's", "her", "mother's", ["mother 's != her", "mother 's = mother 's"]),
    ],
)
def test_lines_to_paste(tmp_path: Path, source: str, target: str, text: str, lines: list[str]) -> None:
    """ "@": all words of the text are kept."""
    written = [refusing_line(source, target), keeping_line(source, target, text)]
    assert written == [line.replace("@", f"{text} = {text}") for line in lines]
    assert len(read(tmp_path, "\n".join(written)).refused) >= bool(lines[0])


def test_of_two_glossaries_the_later_one_wins(tmp_path: Path) -> None:
    """Also where it only refuses what the earlier one wants, in whatever capitals."""
    house = read(tmp_path, "GP = doctor\nNHS = NHS\nutilise = use\nnuisance = Bother\nshall = must\nlarge != big\n")
    mine = read(tmp_path, "gp = GP\nutilise != use\n!= bother\nterminate = end\nshall != will\n")
    both = house.updated(mine)
    assert both.wanted == {("gp",): ("GP",), ("nhs",): ("nhs",), ("shall",): ("must",), ("terminate",): ("end",)}
    assert both.refused == house.refused + mine.refused
    assert both.acronyms == {("NHS",)}
    assert house.updated(Glossary()) == house
    assert Glossary().updated(house) == house


def test_what_a_later_glossary_refuses_is_wanted_no_more() -> None:
    rng = np.random.default_rng(1)

    def words(least: int) -> tuple[str, ...]:
        return tuple(rng.choice(["a", "b", "c", "d"], rng.integers(least, 4)).tolist())

    dropped = 0
    for _ in range(300):
        house = Glossary({words(1): tuple(map(str.upper, words(1))) for _ in range(5)})
        mine = Glossary(refused=tuple((words(0), words(1)) for _ in range(3)))
        expected = {
            term: new
            for term, new in house.wanted.items()
            if not any(is_refused(pair, term, tuple(map(str.lower, new))) for pair in mine.refused)
        }
        assert house.updated(mine).wanted == expected
        dropped += len(house.wanted) - len(expected)
    assert dropped > 50


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("principal", "neither TERM = WORDS nor TERM != WORDS: principal"),
        ("principal =", "neither TERM = WORDS nor TERM != WORDS: principal ="),
        ("a| = b|c", "a form without words: a| = b|c (take out the bar beside it)"),
        ("a|b|c|d = e|f", "4 forms have 2 equivalents: a|b|c|d = e|f (give as many on the right, or one)"),
        ("Main = chief", "Main was to become top before (keep one line, whatever the capitals)"),
        ("nhs = health", "nhs was to stay before (keep one line, whatever the capitals)"),
        ("= chief", "neither TERM = WORDS nor TERM != WORDS: = chief"),
        ("| != b", "a form without words: | != b (take out the bar beside it)"),
        ("!= a|", "a form without words: != a| (take out the bar beside it)"),
        (
            "[JJ] ||| loud != [JJ] ||| noisy",
            "a form without words: [JJ] ||| loud != [JJ] ||| noisy "
            "(of a rule write the two sides alone: SOURCE != TARGET)",
        ),
        (
            "[JJ] ||| loud ||| noisy",
            "neither TERM = WORDS nor TERM != WORDS: [JJ] ||| loud ||| noisy "
            "(of a rule write the two sides alone: SOURCE != TARGET)",
        ),
        (
            "so [JJ,1] = [JJ,1]",
            "a gap of a rule is no word: so [JJ,1] = [JJ,1] (leave [JJ,1] out, or write words for it)",
        ),
        (
            "accom* = room",
            "an expression is no term: accom* (list the forms, with bars between them; the file of "
            "--protect may have expressions)",
        ),
        ("begin,start", "neither TERM = WORDS nor TERM != WORDS: begin,start (write begin = start)"),
        ("begin => start", "neither TERM = WORDS nor TERM != WORDS: begin => start (write begin = start)"),
        ("begin → start", "neither TERM = WORDS nor TERM != WORDS: begin → start (write begin = start)"),
        ("set-up - plan", "neither TERM = WORDS nor TERM != WORDS: set-up - plan (write set-up = plan)"),
        ("accom*,room", "neither TERM = WORDS nor TERM != WORDS: accom*,room"),
        ("one=two=three", "neither TERM = WORDS nor TERM != WORDS: one=two=three"),
        ("begin!=start", "neither TERM = WORDS nor TERM != WORDS: begin!=start (write begin != start)"),
        (
            "a = b = c",
            "more than one sign: a = b = c (write TERM = WORDS or TERM != WORDS, each on its own line)",
        ),
        (
            "a != b = c",
            "more than one sign: a != b = c (write TERM = WORDS or TERM != WORDS, each on its own line)",
        ),
        (
            "!= a = b",
            "more than one sign: != a = b (write TERM = WORDS or TERM != WORDS, each on its own line)",
        ),
        (
            "people != the People",
            "refuses nothing, for the term is among the words: people != the People "
            "(to leave it alone write people = people)",
        ),
        (
            "don't|Don't != don't",
            "refuses nothing, for the term is among the words: don't|Don't != don't "
            "(to leave it alone write don't = don't)",
        ),
        (
            "house|“my house” = home",
            "quotation marks around a term would be part of it: “my house” "
            "(write my house, which holds between quotation marks, too)",
        ),
        (
            "buy|/purchas.*/i = get",
            "an expression is no term: /purchas.*/i "
            "(list the forms, with bars between them; the file of --protect may have expressions)",
        ),
        (
            "!= more [JJ,1]",
            "a gap of a rule is no word: != more [JJ,1] (leave [JJ,1] out, or write words for it)",
        ),
    ],
)
def test_a_line_that_says_nothing_is_named(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(tmp_path, f"main = top\nNHS = NHS\n{line}\n")
    assert str(error.value) == f"{tmp_path / 'house.txt'}, line 3: {message}"


def test_marks_that_are_no_quotation_or_expression(tmp_path: Path) -> None:
    """Nor are those of what is to be written."""
    glossary = read(
        tmp_path,
        "'em = them\nthe dogs' = theirs\nand/or = or\n\" = inch\n/ = or\nso-called = “so-called”\n"
        "sh*t = mess\n10* hotel = best\n**note** = x\n",
    )
    assert len(glossary.wanted) == 9


@pytest.mark.parametrize("form", ["“a b”", '"a"', "‘a’", "'a'", "«a»", "„a“"])
def test_quotation_marks_of_every_kind_are_reported(tmp_path: Path, form: str) -> None:
    for line in (f"{form} = {form}", f"{form} != c", f"!= {form}"):
        with pytest.raises(FormatError, match=r"house.txt, line 1: quotation marks around a term"):
            read(tmp_path, line)


def test_terms_are_found_in_any_case_the_longest_first(tmp_path: Path) -> None:
    """And none inside another."""
    glossary = read(tmp_path, "set up = start\nset up shop = open\nset = put\nup = higher\n")
    assert spans(glossary, "Set up shop, set up or set.") == [
        ("Set up shop", ("open",)),
        ("set up", ("start",)),
        ("set", ("put",)),
    ]


def test_a_term_wins_over_what_is_protected_in_it_and_gives_way_to_what_is_wider(tmp_path: Path) -> None:
    glossary = read(tmp_path, "purchaser = buyer\nfour weeks = a month\n")
    assert spans(glossary, "The Purchaser has four weeks.") == [
        ("Purchaser", ("buyer",)),
        ("four weeks", ("a", "month")),
    ]
    assert spans(glossary, "We saw the Purchaser Agreement.") == [("Purchaser Agreement", None)]
    assert with_terms([Protected(0, 3)], [Protected(2, 5, target=("x",))]) == [Protected(0, 3)]


def test_a_piece_of_a_long_sentence_keeps_its_terms(tmp_path: Path) -> None:
    glossary = read(tmp_path, "term = word\n")
    text = "so it goes , " * 100 + "term ."
    pieces = Pipeline(TextOptions(), tokenized=True, glossary=glossary).sentences(text)
    assert len(pieces) > 1
    (span,) = pieces[-1].protected
    assert (pieces[-1].words[span.i], span.target) == ("term", ("word",))


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("C++", ("C++",)),
        ("~5 mg", ("~5", "mg")),
        ("1990–2000", ("1990–2000",)),
        ("color (US)", ("color", "-lrb-", "US", "-rrb-")),
        ("don't", ("do", "n't")),
        ("about 10 p.m.", ("about", "10", "p.m.")),
    ],
)
def test_symbols_are_written_next_to_what_they_touch(tmp_path: Path, words: str, written: tuple[str, ...]) -> None:
    """Between other tokens the Penn conventions give the spaces."""
    assert read(tmp_path, f"term = {words}\n").wanted == {("term",): written}


def test_terms_with_capitals_inside_are_known_as_the_file_has_them(tmp_path: Path) -> None:
    glossary = read(tmp_path, "GP|GPs = family doctor|family doctors\nApplicant = you\nNHS Trust = NHS\n")
    assert glossary.acronyms == {("GP",), ("GPs",), ("NHS", "Trust")}


def test_acronyms_are_none_without_their_capitals(tmp_path: Path) -> None:
    glossary = read(tmp_path, "US = America\nIT = computers\nGPs = doctors\nNHS trust = hospitals\n")
    assert spans(glossary, "It told us of the US.") == [("US", ("America",))]
    assert spans(glossary, "IT is for GPs, not GPS or gps.") == [
        ("IT", ("computers",)),
        ("GPs", ("doctors",)),
        ("GPS", None),  # a name
    ]
    assert spans(glossary, "ASK THE GPS") == [("GPS", ("doctors",))]
    assert spans(glossary, "An NHS Trust is no nhs trust.") == [("NHS Trust", ("hospitals",))]


def test_acronyms_beside_small_words_are_no_part_of_a_name(tmp_path: Path) -> None:
    """Other terms are, and acronyms next to another capital."""
    glossary = read(tmp_path, "CEO = head\nMP = member\nNHS = health service\nTV = set\nminister = member\n")
    assert spans(glossary, "Ask the CEO of Acme Ltd and MP for Leeds.") == [
        ("CEO", ("head",)),
        ("Acme Ltd", None),
        ("MP", ("member",)),
        ("Leeds", None),
    ]
    assert spans(glossary, "It was the Duke of York and CEO.") == [("Duke of York", None), ("CEO", ("head",))]
    for name in ("NHS England", "Leeds NHS", "Minister of War", "Leeds NHS of York"):
        assert spans(glossary, f"It is {name}.") == [(name, None)]
    assert spans(glossary, "We saw CEO and MP.") == [("CEO", ("head",)), ("MP", ("member",))]
    assert spans(glossary, "It is the CEO's.") == [("CEO", ("head",))]


def test_capitals_of_a_heading_make_no_acronym(tmp_path: Path) -> None:
    """After a hyphen or an apostrophe they begin a word; after a letter, a figure, a period or "&" they do not."""
    glossary = read(tmp_path, "Sub-Committee = working group\ne-Learning = lessons\nA&E = emergency room\n")
    assert glossary.acronyms == {("A&E",)}
    assert spans(glossary, "A sub-committee for E-Learning in A&E, no a&e.") == [
        ("sub-committee", ("working", "group")),
        ("E-Learning", ("lessons",)),
        ("A&E", ("emergency", "room")),
    ]


def test_what_differs_by_capitals_or_spaces_is_written_as_listed(tmp_path: Path) -> None:
    glossary = read(tmp_path, "internet = Internet\ncan not = cannot\nNHS = NHS\nit's = it's\n")
    assert glossary.wanted == {
        ("internet",): ("Internet",),
        ("can", "not"): ("cannot",),
        ("nhs",): ("nhs",),
        ("it", "'s"): ("it", "'s"),
    }


def test_a_text_is_no_list_of_lines() -> None:
    with pytest.raises(
        TypeError, match="a glossary is a list of lines, not the text 'a = b': split it at its line ends"
    ):
        parse_glossary("a = b")


def test_a_period_alone_is_no_abbreviation(tmp_path: Path) -> None:
    assert spans(read(tmp_path, "All rights reserved. = Do not copy.\nand so on. = and more\n"), ".") == []


def test_the_period_of_an_abbreviation(tmp_path: Path) -> None:
    """One that ends the sentence too comes back after the words, unless these have one; a sentence cut at one that ends
    none loses it.
    """
    glossary = read(tmp_path, "U.S. = States\nU.K. = G.B.\netc. = and so on\napprox. = about\nmax. = most\nno. = no.\n")
    assert spans(glossary, "The U.S. is not in the U.S.") == [("U.S.", ("States",)), ("U.S.", ("States", "."))]
    assert spans(glossary, 'It is "U.S."')[0][1] == ("States", ".")
    assert spans(glossary, "It is the U.K.") == [("U.K.", ("G.B.",))]
    assert spans(glossary, "U.S.") == [("U.S.", ("States",))]
    assert spans(glossary, "Cats, etc., and dogs etc.") == [("etc.", ("and", "so", "on")), ("etc", ("and", "so", "on"))]
    assert spans(glossary, "He said no.") == [("no", None)]
    for cut, words, following in (
        *(("approx", "about", "ten"), ("max", "most", "10"), ("approx", "about", "£10")),
        *(("approx", "about", "(10) km"), ("max", "most", "-5"), ("approx", "about", "½")),
    ):
        first, *_ = Pipeline(TextOptions(), glossary=glossary).sentences(f"It is {cut}. {following}.")
        assert [(first.words[span.i : span.j], span.target) for span in first.protected] == [([cut, "."], (words,))]


def test_terms_beside_and_inside_what_is_protected() -> None:
    """In order, against a search of all pairs."""
    kept = [Protected(0, 2), Protected(3, 4), Protected(4, 6), Protected(8, 9)]
    terms = [Protected(1, 2), Protected(3, 6), Protected(6, 7), Protected(8, 9)]
    clash = {t for t in terms for k in kept if k.i < t.j and t.i < k.j and not (t.i <= k.i and k.j <= t.j)}
    won = [term for term in terms if term not in clash]
    rest = [k for k in kept if not any(t.i <= k.i and k.j <= t.j for t in won)]
    assert with_terms(kept, terms) == sorted(won + rest, key=lambda span: span.i)
    assert clash == {Protected(1, 2)}


def test_no_sentence_ends_in_a_term() -> None:
    glossary = parse_glossary(["payGo! plus = pay plan"])
    sentences = Pipeline(TextOptions(), glossary=glossary).sentences("It is. The payGo! Plus pays. Well! It is.")
    assert [sentence.text for sentence in sentences] == ["It is.", "The payGo! Plus pays.", "Well!", "It is."]
    assert [span.target for span in sentences[1].protected] == [("pay", "plan")]


@pytest.mark.parametrize(
    ("term", "text"),
    [("payGo! (UK)", "The payGo! (UK) pays."), ("stop! don't go", "The Stop! Don’t Go pays."),
     ("go! — now", "The go! — Now pays."), ('yes! "so"', "The yes! “So” pays."), ("a! b! c", "The A! B! C pays.")],
)  # fmt: skip
def test_brackets_quotation_marks_and_dashes_in_such_a_term(term: str, text: str) -> None:
    pipeline = Pipeline(TextOptions(), glossary=parse_glossary([f"{term} = plan"]))
    (sentence, *more) = pipeline.sentences(f"{text} They came.")
    assert (sentence.text, len(more)) == (text, 1)
    assert [span.target for span in sentence.protected] == [("plan",)]
