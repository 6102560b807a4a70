"""Packed grammars: the same rules and scores as in memory, and clear words about damaged files."""

from __future__ import annotations

import errno
import io
import json
import os
import tempfile
from functools import reduce
from operator import getitem
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbmt.errors import FormatError, ModelError, SbmtError
from sbmt.io import PACKED_GRAMMAR
from sbmt.ppdb import packed
from sbmt.ppdb.build import columns_from_rules
from sbmt.ppdb.grammar import Grammar
from sbmt.ppdb.load import load_grammar, packed_copy
from sbmt.ppdb.packed import blaming_damage, open_packed, pack, packed_rules, verify
from sbmt.ppdb.packed_header import START, is_packed, read_header
from sbmt.ppdb.rule import Rule
from sbmt.simplifier import Options, Simplifier

WORDS = st.sampled_from("a b c dé ζ".split())
GAPS = st.sampled_from([(), ("[NN,1]",), ("[X,1]", "[NP,2]")])
VALUES = st.one_of(st.integers(-3, 3).map(float), st.floats(-50, 50))


@st.composite
def rules(draw: st.DrawFn) -> Rule:
    gaps = draw(GAPS)
    source = draw(st.permutations([*gaps, *draw(st.lists(WORDS, min_size=1, max_size=3))]))
    target = draw(st.permutations([*gaps, *draw(st.lists(WORDS, max_size=3))]))
    features = draw(st.dictionaries(st.sampled_from(["p(e|f)", "Lexical", "x"]), VALUES, max_size=3))
    renumbered = [symbol for symbol in source if symbol.startswith("[")]
    names = {gap: f"{gap.split(',')[0]},{i}]" for i, gap in enumerate(renumbered, 1)}
    return Rule(
        draw(st.sampled_from(["X", "NP"])),
        tuple(names.get(symbol, symbol) for symbol in source),
        tuple(names.get(symbol, symbol) for symbol in target),
        features,
        draw(st.sampled_from([(), ((0, 0),)])) if target else (),
        draw(st.sampled_from(["", "Equivalence"])),
    )


def present(rule: Rule) -> tuple[object, ...]:
    features = {name: round(value, 4) for name, value in rule.features.items() if abs(value) > 1e-30}
    return rule.lhs, rule.source, rule.target, tuple(sorted(features.items())), rule.alignment, rule.entailment


@given(st.lists(rules(), max_size=12))
def test_every_rule_comes_back(tmp_path_factory: pytest.TempPathFactory, grammar_rules: list[Rule]) -> None:
    path = tmp_path_factory.mktemp("packed") / "grammar"
    assert pack(grammar_rules, path) == len(grammar_rules)
    grammar = open_packed(path)
    assert sorted(present(grammar.rule(i)) for i in range(len(grammar))) == sorted(map(present, grammar_rules))
    verify(path)


@given(st.lists(rules(), min_size=1, max_size=12))
def test_the_trie_leads_to_each_source_side(grammar_rules: list[Rule]) -> None:
    grammar = Grammar(columns_from_rules(grammar_rules), "pt", 20)
    for rule in grammar_rules:
        node = 0
        for symbol in rule.source:
            label = symbol[1:].partition(",")[0]
            step = -1 - grammar.labels.find(label) if symbol.startswith("[") else grammar.terminal(symbol)
            node = grammar.child(node, step)
            assert node > 0
        assert present(rule) in [present(grammar.rule(i)) for i in grammar.rules(node)]
    assert grammar.terminal("unseen") == -1


def test_wide_features_keep_their_values(tmp_path: Path) -> None:
    """One feature of each width: 3 values in a byte, 300 in two, 70,000 in single precision; and an absent one."""
    count = 70_000
    grammar_rules = [
        Rule("X", (f"w{i % 500}",), (f"t{i}",), {"byte": i % 3, "two": i % 300 / 7, "float": i / 3} if i else {})
        for i in range(count)
    ]
    pack(grammar_rules, tmp_path / "grammar")
    small, memory = open_packed(tmp_path / "grammar"), Grammar.from_rules(grammar_rules, "pt", 20)
    names = ["byte", "two", "float"]
    values = np.zeros((2, count, 3))
    for grammar, table in zip((small, memory), values, strict=True):
        position, index, value = grammar.columns.features.entries(np.arange(count))
        table[position, np.array([names.index(name) for name in grammar.feature_names])[index]] = value
    assert (values[0, :, :2] == values[1, :, :2]).all()
    assert (values[0, :, 2] == values[1, :, 2].astype(np.float32)).all()
    table = small.columns.features
    assert isinstance(table, packed.CodedFeatures)
    assert (table.code8.shape[1], table.code16.shape[1], table.value32.shape[1]) == (1, 1, 1)


@pytest.mark.parametrize("count", [255, 256])
def test_as_many_values_as_a_byte_holds_and_one_more(tmp_path: Path, count: int) -> None:
    """The value 0 of a rule without the feature is one of them."""
    grammar_rules = [Rule("X", (f"w{i}",), ("t",), {"f": float(i)} if i else {}) for i in range(count + 1)]
    pack(grammar_rules, tmp_path / "grammar")
    grammar = open_packed(tmp_path / "grammar")
    values = {rule.source: rule.features.get("f", 0.0) for rule in map(grammar.rule, range(count + 1))}
    assert values == {(f"w{i}",): i for i in range(count + 1)}


@pytest.mark.parametrize(
    "grammar_rules",
    [
        [Rule("X", ("a",), ("b",), entailment=f"{chr(65 + i // 26)}{chr(65 + i % 26)}{'x' * 50}") for i in range(200)],
        [Rule("X", ("a",), ("b",), {"\N{GRINNING FACE}" * 3000: 1.0})],
    ],
    ids=["entailments", "feature"],
)
def test_however_long_names_are_the_header_has_room(tmp_path: Path, grammar_rules: list[Rule]) -> None:
    pack(grammar_rules, tmp_path / "grammar")
    assert sorted(map(present, packed_rules(tmp_path / "grammar"))) == sorted(map(present, grammar_rules))


def test_lists_that_went_to_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sbmt.ppdb import spool

    grammar_rules = [Rule("X", (f"w{i % 7}",), (f"t{i}",), {"f": i / 3}) for i in range(100)]
    expected = [present(Grammar.from_rules(grammar_rules, "pt", 20).rule(i)) for i in range(100)]
    monkeypatch.setattr(spool, "_MAX_IN_MEMORY", 64)
    monkeypatch.setattr(spool, "CHUNK", 7)
    monkeypatch.setattr(packed, "CHUNK", 7)
    pack(grammar_rules, tmp_path / "grammar")
    grammar = open_packed(tmp_path / "grammar")
    assert [present(grammar.rule(i)) for i in range(100)] == expected


def test_a_full_temporary_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sbmt.ppdb import spool

    class Full(io.BytesIO):
        def write(self, data: object) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(spool, "_MAX_IN_MEMORY", 64)
    monkeypatch.setattr("tempfile.TemporaryFile", Full)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    rules = [Rule("X", (f"w{i}",), ("t",), {"f": i / 3}) for i in range(100)]
    with pytest.raises(SbmtError, match=f"{tmp_path}: no room is left for temporary files; let TMPDIR name"):
        pack(rules, tmp_path / "grammar")


def test_packed_or_text_by_content(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("[X] ||| big ||| large ||| 0.5\n")
    pack([Rule("X", ("big",), ("large",), {"tm_pt_0": -0.5})], tmp_path / "packed")
    for name in ("text", "packed"):
        assert load_grammar(tmp_path / name, "pt", 20).rule(0).features == {"tm_pt_0": -0.5}


def test_packed_copy_of_a_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    text = tmp_path / "rules"
    text.write_text("[X] ||| a [X,1] ||| [X,1] b ||| p(e|f)=0.5 x=2\n[NP] ||| a ||| c ||| x=0.25\n")
    copy = packed_copy(text)
    read, opened = load_grammar(text, "pt", 10), open_packed(copy)
    assert [present(opened.rule(n)) for n in range(2)] == [present(read.rule(n)) for n in range(2)]
    assert packed_copy(text) == packed_copy(copy) == copy
    whole = copy.read_bytes()
    for damaged in (b"", whole[:-1]):
        copy.write_bytes(damaged)
        assert packed_copy(text).read_bytes() == whole
    text.write_text("[X] ||| a ||| b ||| x=1\n")
    assert packed_copy(text) != copy
    text.write_text("[X] ||| a [X,1] ||| b ||| x=1\n")
    with pytest.raises(FormatError, match="line 1: the gaps differ"):
        packed_copy(text)


def test_reading_damaged_data_is_an_error(tmp_path: Path) -> None:
    """Opening the file does not check the data."""
    pack([Rule("X", ("a",), ("b",), {"f": 1.0}), Rule("X", ("b",), ("c",), {"f": 2.0})], tmp_path / "packed")
    header, start = read_header(tmp_path / "packed")
    with open(tmp_path / "packed", "r+b") as file:
        file.seek(start + header.columns["target_symbol"].offset)
        file.write(b"\xc8")
    with pytest.raises(ModelError, match=r"packed: its data is damaged \(rule 1\); pack the grammar again"):
        list(packed_rules(tmp_path / "packed"))


def test_text_itself_where_no_copy_can_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "file"))
    text = tmp_path / "rules"
    text.write_text("[X] ||| a ||| b ||| x=1\n")
    assert packed_copy(text) == text


def test_files_that_are_no_packed_grammar(tmp_path: Path) -> None:
    path = tmp_path / "grammar"
    with pytest.raises(ModelError, match=r"cannot be read: no such file or folder$"):
        open_packed(path)
    path.write_text("[X] ||| a ||| b\n")
    with pytest.raises(ModelError, match="is not a packed grammar"):
        open_packed(path)
    pack([Rule("X", ("big",), ("large",), {"p": 1.0})], path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-10])
    with pytest.raises(ModelError, match="it was cut short: pack it again"):
        open_packed(path)
    path.write_bytes(whole + b"\n")
    with pytest.raises(ModelError, match="something was added to it: pack it again"):
        open_packed(path)
    path.write_bytes(whole[:-1] + b"\x01")
    with pytest.raises(ModelError, match="does not match its checksum"):
        verify(path)
    path.write_bytes(whole.replace(b'{"format": 1', b'{"format": 9'))
    with pytest.raises(ModelError, match="is of format 9, this version reads 1"):
        open_packed(path)
    headers = (b"[]", b"{}", b'{"format": 1, "bytes": 0}', b'{"columns": 1}', b"\xff")
    damaged = [PACKED_GRAMMAR + len(header).to_bytes(8, "little") + header for header in headers]
    damaged += [PACKED_GRAMMAR + length.to_bytes(8, "little") + b"{}" for length in (2**62, 2**64 - 1)]
    for content in (whole.replace(b'{"format": 1', b'{"format"; 1'), *damaged):
        path.write_bytes(content)
        with pytest.raises(ModelError, match=r"header of this packed grammar is damaged \(.*\); pack it again"):
            open_packed(path)


@pytest.mark.parametrize(
    ("keys", "value", "complaint"),
    [
        (["columns", "rule_lhs"], None, "columns.rule_lhs: is missing"),
        (["columns", "more"], ["<i8", [0], 0], "columns.more: is unknown"),
        (["columns", "rule_lhs"], ["<i4", [1]], "columns.rule_lhs.offset: is missing"),
        (["columns", "rule_lhs"], ["<i4", [1], 0, 1], "columns.rule_lhs: has more than dtype, shape, offset"),
        (["columns", "rule_lhs"], 7, "columns.rule_lhs: expected names with values, found 7"),
        (["columns", "rule_lhs", 0], "<i9", "columns.rule_lhs: cannot be <i9 in the shape [1]"),
        (["columns", "rule_lhs", 0], "<f4", "columns.rule_lhs: cannot be <f4 in the shape [1]"),
        (["columns", "alignment", 1], [0], "columns.alignment: cannot be |u1 in the shape [0]"),
        (["columns", "rule_lhs", 1, 0], -1, "columns.rule_lhs: cannot be <i4 in the shape [-1]"),
        (["columns", "rule_lhs", 1, 0], 1000, "columns.target_start: begins at "),
        (["columns", "rule_lhs", 2], 1 << 40, "columns.rule_lhs: begins at 1099511627776 instead of "),
        (["columns", "rule_lhs", 2], "0", "columns.rule_lhs.offset: expected a whole number, found '0'"),
        (["bytes"], 10, "bytes: is 10, but the columns end at "),
        (["features"], ["p", "q"], "features: has 2 names for 1 features"),
        (["entailments"], "none", "entailments: expected a list, found 'none'"),
        (["sha256"], None, "sha256: is missing"),
        (["more"], 1, "more: unknown key"),
    ],
)
def test_a_damaged_header_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keys: list[str | int], value: object, complaint: str
) -> None:
    """Changes of any value (None: removal) are found, also in the cache, where a new copy is made."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    text = tmp_path / "rules"
    text.write_text("[X] ||| big ||| large ||| p=1\n")
    path = packed_copy(text)
    whole = path.read_bytes()
    start = START + int.from_bytes(whole[len(PACKED_GRAMMAR) : START], "little")
    header = json.loads(whole[START:start])
    *outer, last = keys
    part = reduce(getitem, outer, header)
    if value is None:
        del part[last]
    else:
        part[last] = value
    changed = json.dumps(header).encode()
    path.write_bytes(PACKED_GRAMMAR + len(changed).to_bytes(8, "little") + changed + whole[start:])
    with pytest.raises(ModelError) as error:
        open_packed(path)
    assert str(error.value).startswith(f"{path}: the header of this packed grammar is damaged ({complaint}")
    assert packed_copy(text).read_bytes() == whole


def test_a_stream_is_neither_read_nor_replaced(tmp_path: Path) -> None:
    """Reading its first bytes would consume them, and opening it without a writer would wait for ever."""
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for path in (pipe, link):
        assert not is_packed(path)
        assert packed_copy(path) == path
        with pytest.raises(SbmtError, match=r"(pipe|link): is a device or a pipe, which a file would replace"):
            pack([Rule("X", ("a",), ("b",))], path)
    assert pipe.is_fifo()
    assert link.is_symlink()
    with pytest.raises(SbmtError, match="-: is standard output; name a file"):
        pack([], "-")
    with pytest.raises(SbmtError, match=f"{tmp_path}: is a folder; name a file"):
        pack([], tmp_path)


def test_gaps_must_match(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="each gap must stand once on both sides"):
        pack([Rule("X", ("[NN,1]",), ("[NN,2]",))], tmp_path / "grammar")
    assert not list(tmp_path.iterdir())


def test_rules_too_large_for_the_columns(tmp_path: Path) -> None:
    long = tuple(f"w{i}" for i in range(300))
    with pytest.raises(ModelError, match=r"rule \[X\] \|\|\| w0 w1 .*: goes beyond what a grammar can hold"):
        pack([Rule("X", long, ("b",), {}, ((299, 0),))], tmp_path / "grammar")
    many = {f"f{i}": 1.0 for i in range(70_000)}
    with pytest.raises(ModelError, match="65,535 features"):
        pack([Rule("X", ("a",), ("b",), many)], tmp_path / "grammar")


def test_one_long_source_side_costs_little(tmp_path: Path) -> None:
    """Memory follows the symbols there are, not the longest source side times the rules."""
    long = Rule("X", tuple(f"w{i}" for i in range(20_000)), ("b",))
    assert pack([long, *(Rule("X", (f"w{i}",), ("c",)) for i in range(20_000))], tmp_path / "grammar") == 20_001
    grammar = open_packed(tmp_path / "grammar")
    assert long in [grammar.rule(i) for i in (0, 20_000)]


def test_errors_caused_by_damage_name_it(tmp_path: Path) -> None:
    """Errors with other causes stay unchanged."""
    path = tmp_path / "grammar"
    pack([Rule("X", ("a",), ("b",))], path)
    grammar = open_packed(path)
    with pytest.raises(IndexError), blaming_damage([grammar]):
        raise IndexError
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    in_memory = Grammar.from_rules([Rule("X", ("a",), ("b",))], "pt", 20)
    with (
        pytest.raises(ModelError, match=f"^{path}: the data does not match its checksum"),
        blaming_damage([in_memory, grammar]),
    ):
        raise IndexError
    with pytest.raises(SbmtError, match="no word"), blaming_damage([grammar]):
        raise SbmtError("no word")


@pytest.mark.parametrize("column", ["node_children", "node_rules", "target_symbol", "rule_lhs"])
def test_a_decoder_with_damaged_rules_says_so(tmp_path: Path, column: str) -> None:
    """The damage may be met while loading or decoding."""
    path = tmp_path / "grammar"
    pack([Rule("X", ("big", "[X,1]"), ("large", "[X,1]"), {"p": 1.0}), Rule("X", ("dog",), ("hound",))], path)
    (tmp_path / "model.yaml").write_text("format: 1\ngrammars: [{path: grammar}]\nweights: {p: 1}\n")
    assert Simplifier.load(tmp_path, Options(tokenized=True)).simplify("big dog").output == "large hound"
    header, start = read_header(path)
    placed = header.columns[column]
    data = bytearray(path.read_bytes())
    data[start + placed.end - np.dtype(placed.dtype).itemsize + 2] ^= 4  # the last number becomes a large one
    path.write_bytes(data)
    with pytest.raises(ModelError, match=f"^{path}: the data does not match its checksum; pack it again"):
        Simplifier.load(tmp_path, Options(tokenized=True)).simplify("big dog")
