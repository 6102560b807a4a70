"""Joshua configurations: hand-worked cases."""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from pathlib import Path

import pytest

from sbmt.decoder.joshua import Joshua, load_joshua
from sbmt.decoder.joshua.config import read_config
from sbmt.decoder.joshua.lines import read_segment
from sbmt.errors import FormatError, SbmtError
from sbmt.lm.model import LanguageModel
from sbmt.ppdb.formats import read_rules
from sbmt.ppdb.packed import pack
from sbmt.simplifier import Options
from sbmt.simplifier.stream import Request, simplified_lines
from tests.decoder.brute_force import write_arpa

GRAMMAR = """\
[X] ||| big [X,1] ||| large [X,1] ||| 0.5 1
[X] ||| dog ||| hound ||| 2 -1
[X] ||| dog ||| dog ||| 0 0
"""
GLUE = """\
[GOAL] ||| <s> ||| <s> ||| 0
[GOAL] ||| [GOAL,1] [X,2] ||| [GOAL,1] [X,2] ||| -1
[GOAL] ||| [GOAL,1] </s> ||| [GOAL,1] </s> ||| 0
"""
CONFIG = """\
# a comment
tm = thrax pt 12 grammar
tm = thrax glue -1 grammar.glue
mark_oovs=false
default-non-terminal = [X]
goalSymbol = GOAL
pop-limit = 100
top-n = 3
feature-function = OOVPenalty
feature-function = WordPenalty
output-format = %i ||| %s ||| %f ||| %c
tm_pt_0 1
tm_pt_1 0.5
tm_glue_0 0.25
OOVPenalty -10
WordPenalty -1
"""
# `big dog`: three glue-free words are four with the marks, WordPenalty -4 x 0.4342945 = -1.737.
EXPECTED = [
    "7 ||| large dog ||| WordPenalty=-1.737 tm_glue_0=1.000 tm_pt_0=-0.500 tm_pt_1=-1.000 ||| 0.987",
    "7 ||| large hound ||| WordPenalty=-1.737 tm_glue_0=1.000 tm_pt_0=-2.500 ||| -0.513",
    "7 ||| big dog ||| OOVPenalty=1.000 WordPenalty=-1.737 tm_glue_0=2.000 ||| -7.763",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {"grammar": GRAMMAR, "grammar.glue": GLUE, "joshua.config": CONFIG}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def lines(joshua: Joshua, line: str, number: int = 7) -> list[str]:
    return list(joshua.decode_line(line, number))


def test_hand_worked_case(folder: Path) -> None:
    assert lines(load_joshua(folder / "joshua.config"), "big dog") == EXPECTED


@pytest.mark.parametrize("given", ["X 0.25 NN 0.5", "[X] 0.25 [NN] 0.5", "oov"])  # the last is a file
def test_words_pass_through_under_the_labels_of_a_list(folder: Path, given: str) -> None:
    """`zorb` as NN fits the rule (1 - 0.5 x 10), as X glue is needed twice (2 x 0.25 - (0.25 + 0.25) x 10)."""
    rule = "[X] ||| big [NN,1] ||| large [NN,1] ||| -1 0\n"
    (folder / "grammar").write_text(rule)
    (folder / "oov").write_text("X 0.25\nNN 0.5\n")
    (folder / "joshua.config").write_text(CONFIG + f"oov-list = {given}\n")
    assert lines(load_joshua(folder / "joshua.config"), "big zorb") == [
        "7 ||| large zorb ||| OOVPenalty=0.500 WordPenalty=-1.737 tm_glue_0=1.000 tm_pt_0=1.000 ||| -2.013",
        "7 ||| big zorb ||| OOVPenalty=0.500 WordPenalty=-1.737 tm_glue_0=2.000 ||| -2.763",
    ]


def test_the_values_of_joshua_6_s_list_are_logarithms(folder: Path) -> None:
    text = CONFIG.replace("tm = thrax pt 12 grammar", "tm = thrax -owner pt -maxspan 12 -path grammar")
    (folder / "joshua.config").write_text(f"{text}oov-list = X 0.5 NN 1\n")
    (output,) = lines(load_joshua(folder / "joshua.config"), "zorb")
    assert output == "7 ||| zorb ||| OOVPenalty=-0.693 WordPenalty=-1.303 tm_glue_0=1.000 ||| 8.484"  # -10 ln 0.5 + ...
    (folder / "joshua.config").write_text(f"{text}oov-list = X 0\n")
    with pytest.raises(
        SbmtError, match=r"oov-list gives \[X\] the value 0, which has no logarithm, .* write a number above 0"
    ):
        load_joshua(folder / "joshua.config")


def test_joshua_6_configuration_means_the_same(folder: Path) -> None:
    text = CONFIG.replace("tm = thrax pt 12 grammar", "tm = thrax -owner pt -maxspan 12 -path grammar")
    text = text.replace("OOVPenalty -10", "OOVPenalty 0.1")
    (folder / "joshua.config").write_text(text)
    expected = [line.replace("OOVPenalty=1.000", "OOVPenalty=-100.000") for line in EXPECTED]
    assert lines(load_joshua(folder / "joshua.config"), "big dog") == expected


def test_old_weight_names_and_weights_file(folder: Path) -> None:
    (folder / "weights").write_text("# a\n// b\nphrasemodel pt 0 1.0\nlm 0 2\nwordpenalty -1\noovpenalty=-10\n\n")
    (folder / "joshua.config").write_text("tm = thrax pt 12 grammar\nweights-file = weights\n")
    weights = {"tm_pt_0": 1.0, "lm_0": 2.0, "WordPenalty": -1.0, "OOVPenalty": -10.0}
    assert read_config(folder / "joshua.config").weights == weights


def test_weights_of_the_configuration_win(folder: Path) -> None:
    (folder / "weights").write_text("f 1\ng 2\n")
    for text in ("weights-file = weights\ng 3\n", "g 3\nweights-file = weights\n"):
        (folder / "joshua.config").write_text(f"tm = thrax pt 12 grammar\n{text}")
        assert read_config(folder / "joshua.config").weights == {"f": 1.0, "g": 3.0}


def test_language_models_of_both_generations(folder: Path) -> None:
    (folder / "joshua.config").write_text(
        "tm = thrax pt 12 grammar\nlm = kenlm 5 True false 100 a.gz\n"
        "feature-function = LanguageModel -lm_type kenlm -lm_order 3 -lm_file b\n"
        "feature_function = StateMinimizingLanguageModel -lm_order 4 -lm_file c\n"
    )
    models = read_config(folder / "joshua.config").models
    assert models == [(5, True, folder / "a.gz"), (3, False, folder / "b"), (4, True, folder / "c")]


def test_codes_in_the_output_are_not_replaced(folder: Path) -> None:
    (first, *_) = lines(load_joshua(folder / "joshua.config"), "%s %f", 0)
    assert first.startswith("0 ||| %s %f ||| OOVPenalty=2.000 ")


def test_derivation_and_alignment_codes(folder: Path) -> None:
    (folder / "grammar").write_text(
        "[X] ||| old [X,1] ||| [X,1] aged ||| 0 ||| 0-1 1-0\n[X] ||| dog ||| dog ||| 0 ||| 0-0\n"
    )
    (folder / "joshua.config").write_text(CONFIG + "output-format = %t | %a | %e\ntop-n = 1\n")
    assert lines(load_joshua(folder / "joshua.config"), "old dog") == [
        "(ROOT ([GOAL] ([GOAL] ([GOAL] <s>) ([X] ([X] dog) aged)) </s>)) | 0-1 1-0 | old dog"
    ]
    assert lines(load_joshua(folder / "joshua.config"), "[X,1] old [X,1]") == [  # the words are no gaps
        "(ROOT ([GOAL] ([GOAL] ([GOAL] ([GOAL] <s>) ([X] [X,1])) ([X] ([X] [X,1]) aged)) </s>)) | 0-0 1-2 2-1 | "
        "[X,1] old [X,1]"
    ]


@pytest.mark.parametrize(
    ("line", "kind"), [("((('a',1.0,1),),)", "a lattice"), ('a <x translation="b">dog</x>', "markup")]
)
def test_input_that_is_no_words_is_told(folder: Path, caplog: pytest.LogCaptureFixture, line: str, kind: str) -> None:
    joshua = load_joshua(folder / "joshua.config")
    assert list(joshua.decode_line(line, 4))
    message = f"looks like {kind}, which is not supported: decoded as words"
    assert f"line 5: {message}" in caplog.messages
    request = Request(joshua=str(folder / "joshua.config"), options=Options(tokenized=True))
    assert [warnings for _, _, warnings in simplified_lines(request, [line])] == [(message,)]


def test_blank_lines_and_lines_without_derivation(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    joshua = load_joshua(folder / "joshua.config")
    assert lines(joshua, "  \t") == ["7 |||  |||  ||| 0.000"]
    (folder / "grammar.glue").write_text("[GOAL] ||| <s> ||| <s> ||| 0\n")
    assert lines(load_joshua(folder / "joshua.config"), "big dog") == ["7 ||| big dog |||  ||| 0.000"]
    assert [record.getMessage() for record in caplog.records] == ["line 8: no derivation reaches [GOAL]"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a  b\t c", ("3", ["a", "b", "c"], None)),
        ('<seg id="17">a b</seg>', ("17", ["a", "b"], None)),
        ("a ||| b c", ("3", ["a"], ["b", "c"])),
        ("a ||| ", ("3", ["a"], None)),
        ("a |||", ("3", ["a"], None)),
        ("a ||| |||", ("3", ["a"], None)),
        ('<seg id="17">a ||| </seg>', ("17", ["a"], None)),
        ("||| b", ("3", [], ["b"])),
        ("|||", ("3", [], None)),
        ("a |||b c||| ||||", ("3", ["a", "|||b", "c|||", "||||"], None)),
        ("a | b || c", ("3", ["a", "|", "b", "||", "c"], None)),
        ("a\u00a0b", ("3", ["a\u00a0b"], None)),
    ],
)
def test_input_lines(line: str, expected: tuple[str, list[str], list[str] | None]) -> None:
    segment = read_segment(line, 3)
    assert (segment.name, segment.words, segment.target) == expected


@pytest.mark.parametrize("line", ["big dog |||", "big dog ||| "])
def test_an_empty_target_is_none(folder: Path, line: str) -> None:
    assert lines(load_joshua(folder / "joshua.config"), line) == EXPECTED


def test_unknown_feature_function_is_left_out(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    (folder / "joshua.config").write_text(CONFIG + "feature-function = ArityPhrasePenalty -owner pt -flag\n")
    with caplog.at_level(logging.WARNING):
        assert lines(load_joshua(folder / "joshua.config"), "big dog") == EXPECTED
    assert "feature function ArityPhrasePenalty is not known here and left out" in caplog.text


def test_a_feature_function_that_is_written_twice_counts_once(folder: Path) -> None:
    (folder / "joshua.config").write_text(CONFIG + "feature-function = OOVPenalty\nfeature_function = wordpenalty\n")
    assert lines(load_joshua(folder / "joshua.config"), "big dog") == EXPECTED


def test_distortion_is_of_the_other_search(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    (folder / "joshua.config").write_text(CONFIG + "feature-function = Distortion\n")
    assert lines(load_joshua(folder / "joshua.config"), "big dog") == EXPECTED
    said = "feature function Distortion is left out, for search = cky moves no phrases (search = stack does)"
    assert caplog.messages == [said]


def test_a_feature_function_that_cannot_be_read_is_named(folder: Path) -> None:
    (folder / "joshua.config").write_text(CONFIG + "feature-function = PhrasePenalty -owner\n")
    message = r"line \d+: cannot read 'feature-function = PhrasePenalty -owner' \(write \"feature-function = NAME -ARG"
    with pytest.raises(FormatError, match=message):
        load_joshua(folder / "joshua.config")


def test_labels_that_no_rule_makes_are_named(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    rules = "".join(f"[X] ||| big [L{number},1] ||| large [L{number},1] ||| -1 0\n" for number in range(7))
    with open(folder / "grammar", "a") as grammar:
        grammar.write(rules)
    with caplog.at_level(logging.WARNING):
        assert lines(load_joshua(folder / "joshua.config"), "big dog") == EXPECTED
    message = "no rule makes [L0], [L1], [L2], [L3], [L4], ... (7 in all); rules with such gaps never apply"
    assert [record.getMessage() for record in caplog.records] == [message]


def test_only_unknown_words_pass_through_where_asked_for(folder: Path) -> None:
    (folder / "grammar").write_text("[X] ||| dog ||| hound ||| 2 -1\n")
    for value, expected in (("false", ["hound", "dog"]), ("true", ["hound"])):
        (folder / "joshua.config").write_text(CONFIG + f"true-oovs-only = {value}\n")
        nbest = lines(load_joshua(folder / "joshua.config"), "dog")
        assert [line.split(" ||| ")[1] for line in nbest] == expected


def test_each_derivation_is_listed_where_outputs_need_not_differ(folder: Path) -> None:
    (folder / "grammar").write_text("[X] ||| dog ||| hound ||| 2 -1\n[X] ||| dog ||| hound ||| 1 -1\n")
    for value, expected in (("false", ["hound", "hound", "dog"]), ("true", ["hound", "dog"])):
        (folder / "joshua.config").write_text(CONFIG + f"use-unique-nbest = {value}\n")
        assert [line.split(" ||| ")[1] for line in lines(load_joshua(folder / "joshua.config"), "dog")] == expected


def test_the_best_output_alone_is_the_default(folder: Path) -> None:
    (folder / "joshua.config").write_text(CONFIG.replace("top-n = 3\n", ""))
    assert lines(load_joshua(folder / "joshua.config"), "big dog") == EXPECTED[:1]


def test_no_outputs_wanted_means_the_best(folder: Path) -> None:
    (folder / "joshua.config").write_text(CONFIG.replace("top-n = 3", "top-n = 0"))
    assert lines(load_joshua(folder / "joshua.config"), "big dog") == EXPECTED[:1]


def test_target_is_enforced_as_joshua_does(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    joshua = load_joshua(folder / "joshua.config")
    with caplog.at_level(logging.WARNING):
        assert lines(joshua, "big dog ||| large hound") == EXPECTED
    cure = "write lm = kenlm ORDER false ..., or feature-function = LanguageModel ..."
    message = f"line 8: the target is not enforced, because Joshua does so with full-state models only ({cure})"
    assert caplog.messages == [message]
    joshua.enforce_target = True
    assert lines(joshua, "big dog ||| large hound") == EXPECTED[1:2]
    assert lines(joshua, "big dog ||| little hound") == ["7 ||| big dog |||  ||| 0.000"]
    assert caplog.messages[1:] == ["no derivation writes the target, so the sentence stands for it: little hound"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "lm_0 high\n",
            r"joshua\.config, line 1: cannot read 'lm_0 high' \(write \"key = value\" or \"name weight\", a weight",
        ),
        ("\ntm = thrax pt\n", r"joshua\.config, line 2: cannot read"),
        (
            "tm = thrax pt -2 rules\n",
            r"line 1: .* \(write \"tm = TYPE OWNER SPAN FILE\" or \"tm = TYPE -owner OWNER -maxspan SPAN -path FILE\", "
            r"where a span is a number of words, 0 for any, or -1 for any from the sentence's start \(glue\)",
        ),
        (
            "lm = kenlm 5\n",
            r"config, line 1: cannot read .* \(write \"lm = TYPE ORDER true\|false IGNORED IGNORED FILE\"",
        ),
        ("lm = kenlm 5 yes false 100 a.gz\n", r"config, line 1: cannot read .*TYPE ORDER true\|false IGNORED"),
        ("lm_0 nan\n", r"joshua\.config, line 1: cannot read 'lm_0 nan'"),
        ("lm_0 1e308\n", r"joshua\.config, line 1: cannot read 'lm_0 1e308' .* a weight up to 1e\+09\)"),
        (
            "weights-file = weights\n",
            r"weights, line 2: cannot read 'f' \(write \"name weight\", a weight up to 1e\+09\)",
        ),
        (
            "oov-list = X 1 NN\n",
            r"joshua\.config, line 1: cannot read .* \(write \"oov-list = LABEL VALUE LABEL VALUE \.\.\.",
        ),
        ("oov-list = X nan\n", r"joshua\.config, line 1: cannot read 'oov-list = X nan'"),
        ("oov-list = X 1 Y -inf\n", r"joshua\.config, line 1: cannot read"),
        ("tm = thrax -owner pt -path\n", r"joshua\.config, line 1: cannot read"),
        ("tm = thrax -maxspan 9 -path g\n", r"line 1: cannot read .* or \"tm = TYPE -owner OWNER -maxspan SPAN"),
        (
            "tm = foo pt 12 grammar\n",
            r"line 1: there is no grammar type 'foo' \(known: thrax, hiero, samt, packed, moses, phrase\)",
        ),
        ("lm = foo 3 true false 100 lm\n", r"line 1: there is no language model type 'foo' \(known: kenlm, berkeleylm"),
        (
            "feature-function = LanguageModel -lm_type foo -lm_file lm\n",
            r"line 1: there is no language model type 'foo'",
        ),
        ("feature-function = LanguageModel -lm_order 3\n", r"line 1: cannot read .*-lm_order NUMBER -lm_file FILE"),
        ("tm = regexp pt 12 grammar\n", r"line 1: grammars of regular expressions are not supported \(take the line"),
        (
            "feature-function = LanguageModel -lm_type kenlm -lm_order 2 -lm_file lm -class_map map\n",
            r"line 1: language models of classes \(-class_map\) are not supported \(take the line out\)",
        ),
        (
            "# Moses\n[input-factors]\n0\n",
            r"line 2: \[input-factors\] begins a section of a Moses configuration \(make a model of kind phrase: docs/",
        ),
    ],
)
def test_bad_lines_are_named(folder: Path, text: str, message: str) -> None:
    (folder / "weights").write_text("lm_0 1\nf\n")
    (folder / "joshua.config").write_text(text)
    with pytest.raises(FormatError, match=message):
        load_joshua(folder / "joshua.config")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pop-limit = many\n", ", line 17: option pop-limit needs a whole number, not 'many'"),
        ("top-n = x\n", ", line 17: option top-n needs a whole number, not 'x'"),
        (f"top-n = {'7' * 5000}\n", ", line 17: option top-n is a number of 5000 digits; 9 are enough"),
        (f"tm = thrax x {'7' * 5000} grammar\n", ", line 17: cannot read"),
        ("maxlen = \n", ", line 17: option maxlen needs a whole number, not ''"),
        ("search = beam\n", ", line 17: option search is cky or stack, not 'beam'"),
        ("maxlen = 0\n", ", line 17: option maxlen is 0, which is not at least 1"),
        ("mark-oovs = maybe\n", ", line 17: option mark-oovs is true or false, not 'maybe'"),
        ("tm = thrax x -5 grammar\n", ", line 17: cannot read"),
    ],
)
def test_bad_values_are_named(folder: Path, text: str, message: str) -> None:
    (folder / "joshua.config").write_text(CONFIG + text)  # the last of several lines counts
    with pytest.raises(SbmtError, match=rf"joshua\.config.*{message}"):
        load_joshua(folder / "joshua.config")


def test_a_configuration_names_a_grammar(folder: Path) -> None:
    (folder / "joshua.config").write_text("top-n = 3\n")
    with pytest.raises(FormatError, match=r"joshua\.config: names no grammar \(tm = thrax pt 20 GRAMMAR\)"):
        load_joshua(folder / "joshua.config")


def test_options_that_are_not_known_are_named(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    added = "frobnicate = 3\ntm_pt_0 = high\ntm_pt_1 = 1.0\nwordpenalty = -1\n"
    (folder / "joshua.config").write_text("\ufeff" + CONFIG + added, encoding="utf-8")
    assert lines(load_joshua(folder / "joshua.config"), "big dog") == EXPECTED
    assert caplog.messages == [
        'tm_pt_1 = 1.0 is left out: a weight is written "tm_pt_1 1.0"',
        'wordpenalty = -1 is left out: a weight is written "wordpenalty -1"',
        "options that are not known here and left out: frobnicate, tm_pt_0",
    ]


def test_what_is_given_twice_is_named_and_counts_as_the_last(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    (folder / "some").write_text("tm_glue_0 5\ntm_glue_0 7\n")
    (folder / "joshua.config").write_text("top_n = 9\nweights-file = x\nweights-file = some\nwordpenalty 8\n" + CONFIG)
    assert lines(load_joshua(folder / "joshua.config"), "big dog") == EXPECTED
    twice = "weights-file, top-n, WordPenalty, tm_glue_0"
    assert caplog.messages == [f"given more than once, of which the last counts: {twice}"]


def test_arguments_that_are_not_known_are_named(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    write_arpa(folder / "lm.arpa", seed=1)
    text = CONFIG.replace("12 grammar\n", "12 grammar more\n").replace("WordPenalty\n", "WordPenalty -a 1\n", 1)
    added = "lm = kenlm 3 false false 100 lm.arpa rest\nlm_0 1\n"
    text = text.replace("glue -1 grammar.glue", "-owner glue -b 2 -maxspan -1 -path grammar.glue")
    (folder / "joshua.config").write_text(text + added)
    load_joshua(folder / "joshua.config")
    left_out = "more (thrax), -b (thrax), -a (WordPenalty), rest (kenlm)"
    assert caplog.messages == [f"arguments that are not known here and left out: {left_out}"]


def test_codes_that_are_not_known_are_named(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    (folder / "joshua.config").write_text(CONFIG.replace("= %i", "= %S %k %i"))
    assert lines(load_joshua(folder / "joshua.config"), "big dog")[0].startswith("%S %k 7 ||| large dog |||")
    known = "%i, %s, %f, %c, %e, %t, %a"
    message = f"output-format: %S, %k not known here and written as they are (known: {known})"
    assert caplog.messages == [message]


@pytest.mark.parametrize(
    ("weights", "messages"),
    [
        ("", ["no weights at all: every output scores 0, and the first is an arbitrary one; write lines such as"]),
        ("WordPenalty 0\n", ["no weights at all"]),
        ("lm_0 1\ntm_pt_1 1\ntm_glue_0 0\n", []),
        (
            "WordPenalty -1\n",
            [
                "no weight for lm_0, which therefore counts nothing",
                "no weight for any value of the grammar pt (tm_pt_0, tm_pt_1)",
                "no weight for any value of the grammar glue (tm_glue_0)",
            ],
        ),
    ],
)
def test_missing_weights_are_named(
    folder: Path, caplog: pytest.LogCaptureFixture, weights: str, messages: list[str]
) -> None:
    write_arpa(folder / "lm.arpa", seed=1)
    config = CONFIG.partition("tm_pt_0")[0] + "lm = kenlm 2 true false 100 lm.arpa\n"
    (folder / "joshua.config").write_text(config + weights)
    load_joshua(folder / "joshua.config")
    assert len(caplog.messages) == len(messages)
    assert all(said.startswith(message) for said, message in zip(caplog.messages, messages, strict=True))


def test_a_grammar_packed_for_another_owner_is_told(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    pack(read_rules(folder / "grammar", owner="zz"), folder / "packed")
    (folder / "joshua.config").write_text(CONFIG.replace("thrax pt 12 grammar", "packed pt 12 packed"))
    load_joshua(folder / "joshua.config")
    assert caplog.messages == [
        "no weight for any value of the grammar pt (tm_zz_0, tm_zz_1): it was packed with owner zz, but the "
        "configuration says pt"
    ]


@pytest.mark.parametrize(("left_state", "order"), [("false", 2), ("true", 3)])
def test_a_shorter_order_is_taken_and_told_with_full_state(
    folder: Path, caplog: pytest.LogCaptureFixture, left_state: str, order: int
) -> None:
    write_arpa(folder / "lm.arpa", seed=1)
    (folder / "joshua.config").write_text(CONFIG + f"lm = kenlm 2 {left_state} false 100 lm.arpa\nlm_0 1\n")
    [model] = load_joshua(folder / "joshua.config").decoder.language_models
    assert isinstance(model, LanguageModel)
    assert model.order == order
    told = "lm.arpa: of its 3-grams the last 2 words are used, as in Joshua, since the configuration says 2"
    assert [message.rpartition("/")[2] for message in caplog.messages] == [told] * (order == 2)


@pytest.mark.parametrize(
    ("left_states", "longest_last", "enforced"),
    [((), True, False), (("false",), True, True), (("true",), False, False), (("false", "true"), False, True)],
)
def test_the_states_of_language_models_decide_on_ties_and_targets(
    folder: Path, left_states: tuple[str, ...], longest_last: bool, enforced: bool
) -> None:
    """Of all that there are: the longest last phrase comes first if all are full, a target binds if one is."""
    write_arpa(folder / "lm.arpa", seed=1)
    (folder / "grammar").write_text(
        "[X] ||| big dog ||| hound ||| 0\n[X] ||| big ||| large ||| 0\n[X] ||| dog ||| dog ||| 0\n"
    )
    models = "".join(f"lm = kenlm 3 {state} false 100 lm.arpa\nlm_{i} 0\n" for i, state in enumerate(left_states))
    weights = "OOVPenalty -10\ntm_pt_0 0\ntm_glue_0 0\n"  # what the rules write has one score
    (folder / "joshua.config").write_text(CONFIG[: CONFIG.index("tm_pt_0")] + weights + models)
    joshua = load_joshua(folder / "joshua.config")
    outputs = [line.split(" ||| ")[1] for line in lines(joshua, "big dog")]
    assert outputs[:2] == (["hound", "large dog"] if longest_last else ["large dog", "hound"])
    bound = [line.split(" ||| ")[1] for line in lines(joshua, f"big dog ||| {outputs[1]}")]
    assert bound == (outputs[1:2] if enforced else outputs)


def test_options_of_the_other_search_are_named(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    (folder / "joshua.config").write_text(CONFIG + "num_translation_options = 3\nreordering-limit = 8\n")
    assert lines(load_joshua(folder / "joshua.config"), "big dog") == EXPECTED
    assert caplog.messages == ["options of search = stack are left out, as here search = cky: num-translation-options"]


def test_what_is_protected_stays(folder: Path) -> None:
    """Also in Joshua's own list, where lines may have names and targets."""
    options = Options(tokenized=True, patterns=(re.compile("big"),))
    request = Request(joshua=str(folder / "joshua.config"), options=options, output="nbest")
    texts = ["big dog", '<seg id="x">a big dog</seg>']
    nbests = [text for _, text, _ in simplified_lines(request, texts)]
    assert [line.split(" ||| ")[:2] for text in nbests for line in text.split("\n")] == [
        ["0", "big dog"],
        ["0", "big hound"],
        ["x", "a big dog"],
        ["x", "a big hound"],
    ]
    with pytest.raises(SbmtError, match="--unprotect needs a model"):
        next(simplified_lines(replace(request, options=replace(options, unprotected=("names",))), texts))


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("text", ["large dog", "large  dog", "large dog"]),
        ("diff", ["[-big-]{+large+} dog", "[-big-]{+large+}  dog", "[-big-]{+large+} dog"]),
    ],
)
def test_marks_of_a_line_are_no_words_in_any_output(folder: Path, output: str, expected: list[str]) -> None:
    request = Request(joshua=str(folder / "joshua.config"), options=Options(tokenized=True), output=output)
    texts = ["big dog", '<seg id="x"> big  dog </seg>', "big dog ||| large hound"]
    printed = list(simplified_lines(request, texts))
    assert [text for _, text, _ in printed] == expected
    *others, (warning,) = [warnings for _, _, warnings in printed]
    assert others == [(), ()]
    assert warning.startswith("the target is not enforced, because Joshua does so with full-state models only")


def test_text_enforces_no_target(folder: Path) -> None:
    write_arpa(folder / "lm.arpa", seed=1, order=2)
    (folder / "joshua.config").write_text(CONFIG + "lm = kenlm 2 false false 100 lm.arpa\n")
    request = Request(joshua=str(folder / "joshua.config"), options=Options(tokenized=True))
    ((_, _, (warning,)),) = simplified_lines(request, ["big dog ||| large hound"])
    assert warning == "the target is not enforced, which only --output nbest does"


def test_a_phrase_penalty_is_called_as_joshua_calls_it(folder: Path) -> None:
    """Two rules of `pt` write `large dog`, one `large` alone."""
    (folder / "joshua.config").write_text(
        CONFIG + "feature-function = PhrasePenalty -owner pt\nPhrasePenalty -0.2\ntop-n = 1\n"
    )
    assert lines(load_joshua(folder / "joshua.config"), "big dog") == [
        "7 ||| large dog ||| PhrasePenalty=2.000 WordPenalty=-1.737 tm_glue_0=1.000 tm_pt_0=-0.500 tm_pt_1=-1.000 "
        "||| 0.587"
    ]


@pytest.mark.parametrize(("span", "expected"), [(0, "large dog"), (2, "large dog"), (1, "big dog")])
def test_a_span_limit_of_0_is_none(folder: Path, span: int, expected: str) -> None:
    (folder / "joshua.config").write_text(CONFIG.replace("pt 12", f"pt {span}"))
    (first, *_) = lines(load_joshua(folder / "joshua.config"), "big dog")
    assert first.split(" ||| ")[1] == expected


def test_a_grammar_limited_to_the_start_is_told(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A phrase after the first word is out of its reach: -1 is for glue."""
    (folder / "joshua.config").write_text(CONFIG.replace("pt 12", "pt -1"))
    (first, *_) = lines(load_joshua(folder / "joshua.config"), "big dog")
    assert caplog.messages == [
        "rules of the grammar pt apply only where the sentence begins, as its span limit is -1, yet none makes the "
        "goal [GOAL]: give it a number of words (in a Joshua configuration 0 is any)"
    ]
    assert first.split(" ||| ")[1] == "big dog"


@pytest.mark.parametrize(("glue", "named"), [(True, "one of [GOAL]"), (False, "one of [X]")])
def test_a_goal_that_no_rule_makes_is_told(
    folder: Path, caplog: pytest.LogCaptureFixture, glue: bool, named: str
) -> None:
    config = CONFIG if glue else CONFIG.replace("tm = thrax glue -1 grammar.glue\n", "").replace("pt 12", "pt 13")
    (folder / "joshua.config").write_text(config.replace("goalSymbol = GOAL", "goal-symbol = [ROOT]"))
    assert lines(load_joshua(folder / "joshua.config"), "big dog") == ["7 ||| big dog |||  ||| 0.000"]
    assert caplog.messages[0] == (
        "no rule makes the goal [ROOT], so every sentence will stay as it is: set the goal (goal-symbol; "
        "decoder.settings.goal "
        f"of a model) to {named}, or add glue rules that make it (docs/decoder.md)"
    )
    assert caplog.messages[-1] == "line 8: no derivation reaches [ROOT]"


def test_of_grammars_without_rules_no_label_is_proposed_as_the_goal(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("grammar", "grammar.glue"):
        (folder / name).write_text("")
    load_joshua(folder / "joshua.config")
    assert caplog.messages[0] == (
        "no rule makes the goal [GOAL], so every sentence will stay as it is: add glue rules that make it "
        "(docs/decoder.md)"
    )


def test_a_grammar_packed_by_joshua_is_told(folder: Path) -> None:
    (folder / "packed").mkdir()
    (folder / "packed" / "encoding").touch()
    (folder / "packed" / "slice_00000.source").touch()
    (folder / "joshua.config").write_text(CONFIG.replace("12 grammar", "12 packed"))
    message = "packed: is a grammar packed by Joshua, which is not read here: name the text it was made from"
    with pytest.raises(SbmtError, match=message):
        load_joshua(folder / "joshua.config")


def test_a_column_of_0_stays_0(folder: Path) -> None:
    joshua = load_joshua(folder / "joshua.config")
    [hypothesis] = joshua.decoder.translate(["dog"])
    values = {name: str(value) for step in hypothesis.derivation for name, value in step.rule.features.items()}
    assert "-0.0" not in values.values()


def test_missing_files_are_named(folder: Path) -> None:
    (folder / "joshua.config").write_text(CONFIG.replace("12 grammar", "12 nosuch"))
    with pytest.raises(SbmtError, match="nosuch: no such file"):
        load_joshua(folder / "joshua.config")


def test_what_is_protected_stays_in_lines_of_several_pieces(folder: Path) -> None:
    """The pipeline cuts after 250 words; here the second piece has the word."""
    (folder / "joshua.config").write_text(CONFIG + "maxlen = 400\n")
    options = Options(tokenized=True, patterns=(re.compile("big"),))
    request = Request(joshua=str(folder / "joshua.config"), options=options, output="nbest")
    ((_, text, _),) = simplified_lines(request, ["a " * 298 + "big dog"])
    ends = [line.split(" ||| ")[1].split()[298:] for line in text.split("\n")]
    assert ends == [["big", "dog"], ["big", "hound"]]
