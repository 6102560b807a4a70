"""HTML elements, tags and comments in lines."""

from __future__ import annotations

import pytest

from sbmt.text.protection.elements import elements, html_spans


def test_scripts_and_styles_on_one_line() -> None:
    line = "so <style a='b'>c. D</style><script>e</style></script > f <STYLE/> <scripts> <style-guide> <script>g"
    spans, inside = elements(line)
    assert [line[start:end] for start, end in spans] == ["<style a='b'>c. D</style>", "<script>e</style></script >"]
    assert inside == "script"


@pytest.mark.parametrize("part", ["<script ", "<script>", "<style></script", "</style  ", "<script></script>", '"<!--'])
def test_time_is_linear_in_elements(part: str) -> None:
    assert len(elements(part * 50_000)[0]) == (50_000 if part.endswith(">") and "/" in part else 0)


def test_code_comments_and_a_tag_that_goes_on_in_the_next_line() -> None:
    line = "a <code>b! C</code> <kbd>d</kbd> <!-- e <i> > --> f --> '<!-- j -->' <!--> k <code> <b>g</b> <a title='h. I"
    assert [line[start:end] for start, end in html_spans(line)] == [
        "<code>b! C</code>", "<kbd>d</kbd>", "<!-- e <i> > -->", "<!-- j -->", "<!-->", "<a title='h. I"
    ]  # fmt: skip
