"""Code, markup and placeholders: patterns case by case, blocks line by line."""

from __future__ import annotations

import pytest

from sbmt.text.protection.code import CODE, in_code


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Run `terminate --retain` twice and `commence`.", ["`terminate --retain`", "`commence`"]),
        ("{assistance} {{ user.purchaser }} %(assistance)s ${HOME} {% if numerous %}",
         ["{assistance}", "{{ user.purchaser }}", "%(assistance)s", "${HOME}", "{% if numerous %}"]),
        ('A <a href="x.html" title="numerous tools">link</a>, a <br/>.',
         ['<a href="x.html" title="numerous tools">', "</a>", "<br/>"]),
        ("Use ``commence`` or ```x ` commence```, and ``terminate --now``.",
         ["``commence``", "``terminate --now``"]),
        ("$commence, %commence% and <%= commence %> by commence() or os.commence().",
         ["$commence", "%commence%", "<%= commence %>", "commence()", "os.commence()"]),
        ("Here --> [commence][terminate] [[Commence work|so]]", ["][terminate]", "[[Commence work"]),
        ('[commence](x_(y).html "Numerous? (Or so)") [commence](<x> \'y\') [commence][] [it](<x y> "z")',
         ['](x_(y).html "Numerous? (Or so)")', "](<x> 'y')", "[commence][]", '](<x y> "z")']),
        ("Terms &amp; conditions &#8212; [commence](docs/commence.md)", ["&amp;", "&#8212;", "](docs/commence.md)"]),
        ("Don&rsquo;t take the dogs&#39; &lsquo;R&amp;D.&rsquo;", ["&lsquo;", "&amp;", "&rsquo;"]),
        ("He left.[^commence] [^commence]: Numerous [^1][^a b]", ["[^commence]", "[^commence]", "[^1]"]),
    ],
)  # fmt: skip
def test_code_markup_and_placeholders(text: str, expected: list[str]) -> None:
    assert [match[0] for match in CODE.finditer(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "He said ``commence'' and ``terminate''.",  # LaTeX's quotes
        "He said `commence' and `terminate'.",
        "`` commence '' and ` terminate '",  # the Penn Treebank's
        "if 3 < x and y > 4 or a <3 b",
        "{the initial amount} of 20 % (half) & more; R&D",
        "(in brackets) [and others] (here)",
        "he [[said (he did not end it",
        "it costs $5 ( ), 20% more or 30 % less, and 5 %",
    ],
)
def test_plain_text(text: str) -> None:
    assert CODE.findall(text) == []


def blocks(text: str) -> str:
    """The lines with a mark before those of a block."""
    return "".join(f"{'|' if inside else ' '}{line}\n" for line, inside in in_code(text.split("\n")))


def test_fences() -> None:
    assert blocks("a\n```python\nb\n~~~\n``\n````  \nc\n   ~~~\n```\nd\n ~~~ \ne") == (
        " a\n|```python\n|b\n|~~~\n|``\n|````  \n c\n|   ~~~\n|```\n|d\n| ~~~ \n e\n"
    )


def test_what_looks_like_a_fence() -> None:
    """Code on one line, and closing fences with words after them or in a list, which close nothing."""
    assert blocks("```a```\n```\nb\n``` c\n- ```\nd") == " ```a```\n|```\n|b\n|``` c\n|- ```\n|d\n"


def test_tildes_under_a_heading_are_no_fence() -> None:
    assert blocks("Use\n\nRules\n~~~~~ \nb\n  Aim\n  ~~~\nc\n~~~\nd\n~~~~\ne\n~~~~") == (
        " Use\n \n Rules\n ~~~~~ \n b\n   Aim\n|  ~~~\n|c\n|~~~\n d\n|~~~~\n|e\n|~~~~\n"
    )


def test_fences_in_lists_and_quotes() -> None:
    text = "1. a\n   - b\n\n     ```\n     c\n     ```\n> > ~~~ d\n> > e\n> > ~~~\n- ```\n  f\n  ```\ng"
    assert blocks(text) == (
        " 1. a\n    - b\n \n|     ```\n|     c\n|     ```\n|> > ~~~ d\n|> > e\n|> > ~~~\n|- ```\n|  f\n|  ```\n g\n"
    )


def test_an_unclosed_fence_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert blocks("a\n~~~\nb\n~~~\nc\n```\nd") == " a\n|~~~\n|b\n|~~~\n c\n|```\n|d\n"
    assert [record.getMessage() for record in caplog.records] == [
        "line 6: ``` opens a block of code that nothing closes; where code is protected, all from there on is kept"
    ]
    caplog.clear()
    assert list(in_code(["~~~"], "notes")) == [("~~~", True)]
    assert caplog.messages[0].startswith("notes, line 1: ~~~ opens a block")
    caplog.clear()
    assert len(list(in_code([30_000 * "`"]))) == 1
    assert caplog.messages[0].startswith("line 1: `````````` opens a block")


def test_indented_code() -> None:
    assert blocks(
        "Run:\n\n    purchase = get(start)\n    return purchase\n\n    print(purchase)\nend\n\n\tpip install numerous\n"
    ) == (
        " Run:\n \n|    purchase = get(start)\n|    return purchase\n \n|    print(purchase)\n end\n"
        " \n|\tpip install numerous\n \n"
    )


@pytest.mark.parametrize("command", ["configure --additional", "configure -n all", "configure all -Dadditional=all"])
def test_indented_commands(command: str) -> None:
    assert blocks(f"Run:\n\n    {command}") == f" Run:\n \n|    {command}\n"


def test_indented_code_begins_where_it_looks_like_it() -> None:
    """The first line could be anything."""
    assert (
        blocks("\n    numerous\n    x = numerous\n    numerous")
        == " \n     numerous\n|    x = numerous\n|    numerous\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "    The residents (all of them) commenced the walk;\n    the person(s) concerned returned, it is said.",
        "        A HEADING IN THE MIDDLE\n\n            of two lines",
        "    Bright was the morning;\n      numerous birds\n    sang in the trees;",
        "- One:\n\n    - commence it; then\n    - terminate it",
        "    The total of numerous parts = 5",  # reads like a sentence
    ],
)
def test_indented_text(text: str) -> None:
    assert "|" not in blocks(text)


def test_what_follows_a_line_directly_goes_on_with_it() -> None:
    assert (
        blocks("He said\n    x = get(start)\n\n  y = get(start)")
        == " He said\n     x = get(start)\n \n   y = get(start)\n"
    )


def test_a_paragraph_after_code_is_recognised_by_its_words() -> None:
    """In a text that is indented throughout."""
    assert blocks("    x = get(start)\n\n    Numerous people read such a text.\n    Or so.") == (
        "|    x = get(start)\n \n     Numerous people read such a text.\n     Or so.\n"
    )


@pytest.mark.parametrize(
    "line",
    [
        "$ make it", ">>> commence", "#!/bin/sh", "# commence it at once", "// commence", '"name": "numerous",', "});",
        "while (numerous) {", "def commence(numerous):", "from commence import numerous", "sudo commence",
        "tar --create numerous", "if a && b", "total += numerous", "LANG=en",
    ],
)  # fmt: skip
def test_what_looks_like_code(line: str) -> None:
    assert blocks(f"    {line}") == f"|    {line}\n"


def test_scripts_and_styles_over_several_lines() -> None:
    """From one that begins with a tag on; fences in them are none."""
    text = "<p>a</p> <Script src='x'>\nb\n```\n\n</style></SCRIPT><style>\nc\n</style >\nd <script>\n<script/>e"
    assert blocks(f"{text}\n<script>f</script>") == (
        "|<p>a</p> <Script src='x'>\n|b\n|```\n|\n|</style></SCRIPT><style>\n|c\n|</style >\n d <script>\n <script/>e\n"
        " <script>f</script>\n"
    )


def test_an_unclosed_script_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert blocks("a\n<script>\nb") == " a\n|<script>\n|b\n"
    assert [message.partition("; ")[0] for message in caplog.messages] == [
        "line 2: <script> opens a block of code that nothing closes"
    ]


@pytest.mark.parametrize(
    "line",
    [
        '{"a": "numerous"}',
        '  "a": "numerous",',
        '"a": {"b": 1},',
        '"a": [',
        '"a" : {',
        '[{"a": null}],',
        '["a", "b"]',
        '"<!--": [ ',
    ],
)
def test_lines_of_json(line: str) -> None:
    assert blocks(line) == f"|{line}\n"


@pytest.mark.parametrize("line", ['"a"', '"a": numerous', '["a"] b', "[1]", "{name}", '{"a", he said', '"A": "b" or'])
def test_lines_of_no_json(line: str) -> None:
    assert blocks(line) == f" {line}\n"


@pytest.mark.parametrize("part", ["a", "_", " ", "a-", "a(", '"', "a, ", "= "])
def test_time_is_linear_in_a_line(part: str) -> None:
    """Of half a million: quadratic time would be hours, so that this test cannot but hang."""
    line = "    x" + part * 500_000 + " numerous"
    assert blocks(line)[1:] == f"{line}\n"


def test_tags_over_several_lines() -> None:
    """What stands before one, too, is text; one that a line of words follows was none."""
    text = "<div\n  class='a b'\n  numerous>\na <b\n  c=\"d\n e\" f\n/> g\nif a <b\nand c\n<i\n\nd"
    assert blocks(text) == (
        " <div\n|  class='a b'\n|  numerous>\n a <b\n|  c=\"d\n| e\" f\n|/> g\n if a <b\n and c\n <i\n \n d\n"
    )
    assert blocks("List<String\nnumerous\n<p>Numerous <a\nhref='x'>b") == (
        " List<String\n numerous\n <p>Numerous <a\n|href='x'>b\n"
    )


def test_comments_and_preformatted_text_over_several_lines(caplog: pytest.LogCaptureFixture) -> None:
    assert blocks("> 1. <!-- b\n\n--> c\n`<!--`\n<pre>\nd\n</pre> e\n<pre-order>\n<code> f\n<!-- g") == (
        "|> 1. <!-- b\n|\n|--> c\n `<!--`\n|<pre>\n|d\n|</pre> e\n <pre-order>\n <code> f\n|<!-- g\n"
    )
    assert caplog.messages[0].startswith("line 10: <!-- opens a block of code that nothing closes")


def test_a_comment_amid_a_line_ends_with_the_paragraph(caplog: pytest.LogCaptureFixture) -> None:
    assert blocks("a <!-- b\nc -->\nd <!-- e\nf\n> \ng <!-- h") == (
        "|a <!-- b\n|c -->\n|d <!-- e\n|f\n > \n|g <!-- h\n"
    )
    assert caplog.messages == []


@pytest.mark.parametrize(
    "line",
    ["Write `numerous <!-- b` so.", 'He said "<!--".', "<!-->", "<!--->", '<a title="see <!-- b">', "<!-- b --> c"],
)
def test_no_comment_begins(line: str) -> None:
    assert blocks(f"{line}\nb") == f" {line}\n b\n"
    assert blocks('{"a": "b <!-- c"}\nb') == '|{"a": "b <!-- c"}\n b\n'


def test_definitions_of_links() -> None:
    assert blocks("[a]: b\n> [a b]: <c d> 'Numerous'\n[^1]: Numerous words\n[a]") == (
        "|[a]: b\n|> [a b]: <c d> 'Numerous'\n [^1]: Numerous words\n [a]\n"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\na-b: c\n\n- d\n  e\n]\n---\ne: f\n---", "|---\n|a-b: c\n|\n|- d\n|  e\n|]\n|---\n e: f\n ---\n"),
        ("---\na:\n# b\n...\nc", "|---\n|a:\n|# b\n|...\n c\n"),
        ("+++\n[a]\n'b c' = 'd'\n+++\nc", "|+++\n|[a]\n|'b c' = 'd'\n|+++\n c\n"),
        ("---\n# Numerous\na: b\n---", "|---\n # Numerous\n a: b\n ---\n"),
        ("---\nHere is what: a\n---", "|---\n Here is what: a\n ---\n"),
        ("---\nHere: a\n\nNumerous people: b\n---", "|---\n|Here: a\n|\n Numerous people: b\n ---\n"),
        ("---\nNumerous words.\n---", "|---\n Numerous words.\n ---\n"),
        ("a\n---\nb: c\n---", " a\n ---\n b: c\n ---\n"),
    ],
)
def test_front_matter(text: str, expected: str) -> None:
    assert blocks(text) == expected


def test_unclosed_front_matter_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    assert blocks("---") == "|---\n"
    assert not caplog.messages
    assert blocks("---\na: b") == "|---\n|a: b\n"
    assert caplog.messages[0].startswith("line 1: --- opens a block of code that nothing closes")


@pytest.mark.parametrize("part", ["<a ", "a=b", "a=bc=d ", "a='", "<a b=c ", " ", "<a b='c' ", "[a]: ", "](<a "])
def test_time_is_linear_in_tags_and_links(part: str) -> None:
    lines = ["<x", f"{part * 100_000}!", f"b='{part * 100_000}!"]
    assert len(list(in_code(lines))) == 3
    assert len(CODE.findall(lines[1])) <= 100_000
