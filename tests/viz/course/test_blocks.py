"""The text of a file in blocks, each with the line on which it begins."""

from tests.viz.course.texts import LESSON
from viz.course.blocks import blocks


def test_each_block_knows_its_line() -> None:
    """The line of the file at that number says what the block says; code begins below its fence."""
    lines = LESSON.splitlines()
    for block in blocks(LESSON, "x"):
        first = block.text.splitlines()[0]
        assert first.split()[0] in lines[block.line - 1], block


def test_a_header_stands_right_below_a_heading() -> None:
    """Further down the same words are a sentence."""
    text = "# T\nnet: a\n\nnet: b\n"
    assert [(block.kind, block.text) for block in blocks(text, "x")] == [
        ("lesson", "T"),
        ("header", "a"),
        ("text", "net: b"),
    ]


def test_code_is_left_as_it_is() -> None:
    """Headings, choices and questions in it are code."""
    text = "# T\n\n```python\n# a\n- b\n? c\n\n! d\n```\n"
    assert [block.text for block in blocks(text, "x") if block.kind == "code"] == ["# a\n- b\n? c\n\n! d"]
