"""Penn tokens: against NLTK's Treebank tokeniser, on hand-worked cases, and as a property (nothing is lost)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbmt.text.pipeline import Pipeline, TextOptions
from sbmt.text.tokens import Token, is_plain, is_url, penn_tokens, penn_words, space_tokens
from sbmt.text.whitespace import WHITE, split_words
from tests.corpora import DATA, needs_data

SENTENCES = [
    "The committee didn't approve Mr. Ruiz's plan, and they'll meet again at 5:30 p.m. on Monday.",
    'He said "we cannot wait" and (rather suddenly) left.',
    "Sales rose 3.5% to $1,200,000 in the U.S. last year.",
    "It's the dogs' bowl; who'd have thought it -- really?",
    "Dr. Lin won't go: she's gonna stay.",
    "Both pre- and post-war -- see the long- or short-term list.",
    "Gimme one, lemme see; I wanna go and gotta run, 'tis late and 'twas fun.",
]


def words(text: str) -> list[str]:
    return [token.word for token in penn_tokens(text)]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_ordinary_sentences_agree_with_nltk(sentence: str) -> None:
    treebank = pytest.importorskip("nltk.tokenize").TreebankWordTokenizer()
    brackets = {"(": "-lrb-", ")": "-rrb-"}
    assert words(sentence) == [brackets.get(word, word).lower() for word in treebank.tokenize(sentence)]


@needs_data
def test_web_text_agrees_with_nltk_but_for_dashes_and_curly_quotes() -> None:
    treebank = pytest.importorskip("nltk.tokenize").TreebankWordTokenizer()
    path = DATA / "asset/dataset/asset.valid.orig"
    names = {"(": "-lrb-", ")": "-rrb-", "[": "-lsb-", "]": "-rsb-"}
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.isascii()]
    same = sum(words(line) == [names.get(word, word).lower() for word in treebank.tokenize(line)] for line in lines)
    assert same >= 0.985 * len(lines)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("“It’s” ‘so’…", ["``", "it", "'s", "''", "`", "so", "'", "..."]),
        ("1914–1918 — a war", ["1914", "--", "1918", "--", "a", "war"]),
        ("It is in the U.S.", ["it", "is", "in", "the", "u.s."]),  # the Treebank would cut off or double the period
        (
            "See http://a.example/b?q=1, or ask a.b@c.org.",
            ["see", "http://a.example/b?q=1", ",", "or", "ask", "a.b@c.org", "."],
        ),
        ("@anna likes #spring at example.com.", ["@anna", "likes", "#spring", "at", "example.com", "."]),
        ("see http://a.example/it's now", ["see", "http://a.example/it's", "now"]),
        ("the U.K.'s [sic] {x}", ["the", "u.k.", "'s", "-lsb-", "sic", "-rsb-", "-lcb-", "x", "-rcb-"]),
        ("'Tis plan B.", ["'t", "is", "plan", "b", "."]),
        ("He 's -LRB- as -lsb- ill", ["he", "'s", "-lrb-", "as", "-lsb-", "ill"]),  # tokenised already
        ('" A " , said " B "', ["``", "a", "''", ",", "said", "``", "b", "''"]),
        (
            "_so_, __it is__ (_well-known_) _a_b_",
            [
                "_",
                "so",
                "_",
                ",",
                "_",
                "_",
                "it",
                "is",
                "_",
                "_",
                "-lrb-",
                "_",
                "well-known",
                "_",
                "-rrb-",
                "_",
                "a_b",
                "_",
            ],
        ),
        (
            "snake_case _x a_b.txt __init__.py self.__x__ _a_.b __contains__ __get_item__",
            ["snake_case", "_x", "a_b.txt", "__init__.py", "self.__x__", "_a_.b", "__contains__", "__get_item__"],
        ),
        ("They'd've gone", ["they", "'d", "'ve", "gone"]),
        ("cafe\u0301 soft\u00adware", ["café", "software"]),
        ("co-worker and/or 1,200km 3.5-inch", ["co-worker", "and/or", "1,200km", "3.5-inch"]),
        ("a\x01b \u200b", ["a", "&#1;", "b", "&#8203;"]),
    ],
)
def test_hand_worked(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("('so') ('90s) ('tis) (’tis)", "-lrb- ` so ' -rrb- -lrb- ' 90s -rrb- -lrb- 't is -rrb- -lrb- 't is -rrb-"),
        ("\"'so' it\" is—'so'—or/'so'", "`` ` so ' it '' is -- ` so ' -- or / ` so '"),
        ("<p>'so'</p> *'so'* |'so'|", "< p > ` so ' < / p > * ` so ' * | ` so ' |"),
        ("(the dogs' ones') 'it is \"so\"'", "-lrb- the dogs ' ones ' -rrb- ` it is `` so '' '"),
        ("\"so\"'s *so*'s (the '90s)", "`` so '' 's * so * 's -lrb- the ' 90s -rrb-"),
    ],
)
def test_where_a_single_quotation_mark_opens(text: str, expected: str) -> None:
    assert words(text) == expected.split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It’s¹ their sets³⁴, he can't² well-read²", "it 's ¹ their sets ³⁴ , he ca n't ² well-read ²"),
        ("5 km² or 10³ of R&D² at a²b", "5 km² or 10³ of r&d² at a²b"),
        ("a&nbsp;b &quot;c&quot; &laquo;d&raquo;", "a &nbsp; b &quot; c &quot; &laquo; d &raquo;"),
        ("caf&eacute; R&amp;D B&Bs; B&B", "caf&eacute ; r&amp ; d b&bs ; b&b"),
        ("&lsquo;Dogs&rsquo; &apos;so&apos;", "&lsquo; dogs ' &apos; so '"),
    ],
)
def test_what_is_no_part_of_a_word(text: str, expected: str) -> None:
    """Numbers of footnotes, and entities of white space and quotation marks; powers of units are, and letters."""
    assert words(text) == expected.split()


@pytest.mark.parametrize("entity", ["&rsquo;", "&apos;", "&#39;", "&#039;", "&#8217;", "&#x27;", "&#X2019;"])
def test_an_entity_is_an_apostrophe_inside_a_word(entity: str) -> None:
    text = "It's O'Leary's. I'd've; DON'T we're dogs'"
    tokens = penn_tokens(text.replace("'", entity))
    assert [token.word for token in tokens] == words(text)
    assert [token.text.replace(entity, "'") for token in tokens] == [token.text for token in penn_tokens(text)]


def test_markup_is_escaped_in_tokenised_input() -> None:
    shown = [token.word for token in space_tokens("[NN,1] ||| <s> </S> <unk> %s [x y]")]
    assert shown == [
        "&#91;nn,1&#93;", "&#124;&#124;&#124;", "&lt;s&gt;", "&lt;/s&gt;", "&lt;unk&gt;", "%s", "[x", "y]",
    ]  # fmt: skip


def test_white_space_that_parts_no_tokens_is_part_of_them() -> None:
    """As in grammars, language models and texts that rules are learnt from (`split_words`)."""
    assert [token.word for token in space_tokens("10\u00a0000 a\u2028b\tx[\u3000y \u00a0 \x1c\x01[")] == [
        "10\u00a0000", "a\u2028b", "x[\u3000y", "\u00a0", "\x1c&#1;&#91;",
    ]  # fmt: skip


@given(st.lists(st.sampled_from(["a", "10", "[", " ", "\t", "\f", "\r", "\x1c", "\x85", "\u00a0", "\u2028"])))
def test_tokenised_lines_have_the_tokens_that_all_readers_see(pieces: list[str]) -> None:
    line = "".join(pieces)
    assert [token.word for token in space_tokens(line)] == split_words(line)
    sentences = Pipeline(TextOptions(), tokenized=True).sentences(line)
    assert [word for sentence in sentences for word in sentence.words] == split_words(line)


def test_words_that_are_one_token() -> None:
    assert [word for word in ("Rome", "cannot", "Cannot", "don't", "b2b", "naïve") if is_plain(word)] == ["Rome"]


def test_case_is_kept_on_request() -> None:
    assert penn_tokens("Ulm", lowercase=False) == [Token(0, 3, "Ulm", "Ulm")]
    assert penn_words("Él co-Op", lowercase=False) == ["Él", "co-Op"]
    assert [token.word for token in space_tokens("Él HE U.S.", lowercase=False)] == ["Él", "HE", "U.S."]


@given(st.text(max_size=60))
@settings(derandomize=True, max_examples=300)
def test_tokens_are_spans_with_only_white_space_between(text: str) -> None:
    for tokenize, white in ((penn_tokens, None), (space_tokens, WHITE)):
        position = 0
        for token in tokenize(text):
            assert not text[position : token.start].strip(white)
            assert text[token.start : token.end] == token.text
            assert token.word
            assert split_words(token.word) == [token.word]
            assert white or not any(character.isspace() for character in token.word)
            position = token.end
        assert not text[position:].strip(white)


@pytest.mark.parametrize(
    "unit", ["a.-+", "a@", "www.", "-", "a'", "1,", "x.", "http://", "n't", "Mr. ", "_", "_a ", "__a__ ", " _a_b"]
)
def test_long_runs_do_not_blow_up(unit: str) -> None:
    """A quadratic pattern would need minutes here: no test of time, but one that would be noticed."""
    assert penn_tokens(unit * 20_000)


@pytest.mark.parametrize("text", ["https://x.org/a", "www.x.org", "x.co.uk", "me@x.org", "@me", "#tag"])
def test_addresses(text: str) -> None:
    assert is_url(text)
    assert not is_url(text.replace(".", " ")) or text[0] in "@#"
