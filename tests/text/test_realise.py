"""Writing decoder words as text: unchanged text byte for byte, spacing, case, and articles."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbmt.text.pipeline import Pipeline, Sentence, TextOptions
from sbmt.text.protection.protect import ProtectOptions
from sbmt.text.realisation.output_word import OutputWord
from sbmt.text.realisation.realise import realise

PIPELINE = Pipeline(TextOptions())
RULES = {
    "utilized": "used",
    "utilize": "use",
    "numerous": "many",
    "enormous": "big",
    "commencement": "start",
    "in order to": "to",
    "do not": "do n't",
    "prior to": "before",
    "simultaneously": "at one time",
    ", which is": ",",
    "&": "and",
    "can": "may",
    "hour": "time",
    "honest": "true",
    "comprises": "includes",
    "purchase": "``buy''",
    "-lrb- see": "-lsb- look",
}


def substituted(sentence: Sentence) -> list[OutputWord]:
    """The longest rules, left to right; each new word stands for the whole phrase."""
    words, output, i = sentence.words, [], 0
    while i < len(words):
        for j in range(len(words), i, -1):
            target = RULES.get(" ".join(words[i:j]))
            if target:
                output += [OutputWord(word, aligned=tuple(range(i, j)), span=(i, j)) for word in target.split()]
                break
        else:
            j = i + 1
            output.append(OutputWord(words[i], i, (i,), span=(i, j)))
        i = j
    return output


def rewritten(line: str, pipeline: Pipeline = PIPELINE) -> str:
    (sentence,) = pipeline.sentences(line)
    return realise(sentence, substituted(sentence)).text


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('He utilized "numerous"  tools.', 'He used "many"  tools.'),
        ("Tools &c & more; he cannot see", "Tools and c and more; he may not see"),
        ("Tools &amp; &#8217; more", "Tools &amp; &#8217; more"),
        ("Numerous tools  in order to win", "Many tools  to win"),
        ("We do not know—(prior to 2010)…", "We don't know—(before 2010)…"),
        ("We don’t, as they do not; prior to it", "We don’t, as they don’t; before it"),
        ("A dog , which is old", "A dog , old"),
        ("We don’t, but it's as they do not", "We don’t, but it's as they don't"),
        ("It\u00a0utilized\tit (see it)", "It\u00a0used\tit [look it)"),
        ("he utilized\tnumerous   in order to", "he used\tmany   to"),
        ("THE COMMENCEMENT OF NUMEROUS THINGS!", "THE START OF MANY THINGS!"),
        ("The Commencement Of Things", "The Start Of Things"),
        ("iPods utilized it", "iPods used it"),
        ("numerous small letters", "many small letters"),
        ("An enormous dog", "A big dog"),
        ('He saw an "enormous" dog', 'He saw a "big" dog'),
        ("He utilized¹ numerous² tools", "He used¹ many² tools"),
        ("He waits an hour in an honest way", "He waits a time in a true way"),
        ("Vitamin A comprises it", "Vitamin A includes it"),
        ("a used car and an used car", "a used car and an used car"),
        ("1) In order to win, he left", "1) To win, he left"),
        ("(a) In order to win", "(a) To win"),
        ("a) Prior to the hour", "a) Before the time"),
        ('He said: "In order to win, I left"', 'He said: "To win, I left"'),
        ("He said, “Prior to it, I left” and “prior to me”", "He said, “Before it, I left” and “before me”"),
        ('He said, "An enormous dog" and "A honest dog"', 'He said, "A big dog" and "A true dog"'),
        ("a) Simultaneously!", "a) At one time!"),
        ("4.1 A comprises it", "4.1 An includes it"),  # no letter as in "vitamin A"
        ("4.1 An enormous dog", "4.1 A big dog"),
        ("Note: In order to win", "Note: To win"),
        ("| An hour | An enormous dog |", "| A time | A big dog |"),
        ("<p><b>Prior</b> to</p><li>Prior to it", "<p><b>Prior</b> to</p><li>Before it"),
    ],
)
def test_hand_worked(line: str, expected: str) -> None:
    assert rewritten(line) == expected


def test_tokenised_text_keeps_the_penn_forms() -> None:
    pipeline = Pipeline(TextOptions(), tokenized=True)
    assert rewritten("we do not purchase -lrb- see it -rrb- .", pipeline) == "we do n't ``buy'' -lsb- look it -rrb- ."


def move(line: str, order: list[int], labels: dict[int, str] | None = None) -> str:
    (sentence,) = PIPELINE.sentences(line)
    return realise(sentence, [OutputWord(sentence.words[i], i, (i,), (labels or {}).get(i, "")) for i in order]).text


@pytest.mark.parametrize(
    ("line", "place", "word", "expected"),
    [
        ("He and I left", 2, "me", "He and me left"),  # one capital letter is no word in capitals
        ("He and NATO left", 2, "it", "He and IT left"),
        ("SEE A PURCHASE", 2, "item", "SEE AN ITEM"),
    ],
)
def test_a_new_word_has_the_case_of_its_place(line: str, place: int, word: str, expected: str) -> None:
    (sentence,) = PIPELINE.sentences(line)
    output = [OutputWord(copied, i, (i,), span=(i, i + 1)) for i, copied in enumerate(sentence.words)]
    output[place] = OutputWord(word, aligned=(place,), span=(place, place + 1))
    assert realise(sentence, output).text == expected


def test_the_capital_moves_with_the_start_of_the_sentence() -> None:
    assert move("The dog saw him", [3, 2, 0, 1]) == "Him saw the dog"
    assert move("Dogs saw him", [2, 1, 0], {0: "NNS"}) == "Him saw dogs"
    assert move("Rome saw him", [2, 1, 0], {0: "NNP"}) == "Him saw Rome"
    assert move("NASA saw him", [2, 1, 0], {0: "NN"}) == "Him saw NASA"
    assert move("Rome saw him", [2, 1, 0]) == "Him saw Rome"


def test_the_capital_of_a_list_item_or_a_quotation_moves_too() -> None:
    assert move("a) Dogs saw him", [0, 1, 3, 2], {2: "NNS"}) == "a) Saw dogs"
    assert move('He said "Dogs saw him"', [0, 1, 2, 4, 3, 5, 6], {3: "NNS"}) == 'He said "Saw dogs him"'
    assert move('He said "Dogs" often', [0, 1, 2, 4, 5]) == 'He said "" often'


def test_an_article_goes_by_the_sound_of_abbreviations() -> None:
    line = "He saw a clear X-ray and an old UNESCO site."
    assert move(line, [0, 1, 2, 4, 5, 6, 8, 9, 10]) == "He saw an X-ray and a UNESCO site."
    assert (
        move("HE SAW AN OLD RED CAR", [0, 1, 2, 4, 5]) == "HE SAW A RED CAR"
    )  # no abbreviation, for all is in capitals


def test_articles_in_code_stay() -> None:
    assert rewritten("Write `an` prior to vowels, an numerous.") == "Write `an` before vowels, a many."


def test_long_words_of_a_title_have_capitals() -> None:
    """Function words, too, where the source has them."""
    pipeline = Pipeline(TextOptions(protect=ProtectOptions.none()))
    assert rewritten("## Help For Numerous Dogs &c Prior To Use", pipeline) == "## Help For Many Dogs and c Before Use"
    assert rewritten("## Help with Numerous Dogs", pipeline) == "## Help with Many Dogs"
    assert rewritten("Help for Numerous dogs", pipeline) == "Help for many dogs"


def test_deleted_words_leave_no_double_space() -> None:
    assert move("a very big dog , he said .", [0, 2, 3, 6, 7]) == "a big dog said ."
    assert move("a dog (big).", [0, 1, 5]) == "a dog."
    assert move("anything", []) == ""


def test_spans_point_at_the_words() -> None:
    (sentence,) = PIPELINE.sentences("An enormous dog can't utilize it.")
    output = substituted(sentence)
    realised = realise(sentence, output)
    shown = [realised.text[start:end] for start, end in realised.spans]
    assert shown == ["A", "big", "dog", "ca", "n't", "use", "it", "."]
    assert realised.articles == {0}


@given(st.text(alphabet=st.characters(exclude_characters="\n") | st.sampled_from(list(" .\"'()-aA’“")), max_size=80))
@settings(derandomize=True, max_examples=400)
def test_an_unchanged_line_comes_back_byte_for_byte(line: str) -> None:
    for pipeline in (PIPELINE, Pipeline(TextOptions(), tokenized=True)):
        rebuilt, position = "", 0
        for sentence in pipeline.sentences(line):
            copy = [OutputWord(word, i, (i,)) for i, word in enumerate(sentence.words)]
            rebuilt += line[position : sentence.start] + realise(sentence, copy).text
            position = sentence.start + len(sentence.text)
        assert rebuilt + line[position:] == line


@given(st.permutations(range(6)), st.integers(0, 6))
@settings(derandomize=True, max_examples=100)
def test_any_order_writes_every_word_once(order: list[int], length: int) -> None:
    (sentence,) = PIPELINE.sentences("we  saw\tit go by today")
    output = [OutputWord(sentence.words[i], i, (i,)) for i in order[:length]]
    assert realise(sentence, output).text.split() == [sentence.words[i] for i in order[:length]]
