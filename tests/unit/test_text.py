import pytest

from tuwen.core.text import sentences


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "最大充电电压 $3 . 6 5 \\mathrm{V}$。下一句。",
            ["最大充电电压 $3 . 6 5 \\mathrm{V}$。", "下一句。"],
        ),
        ("≥ 1 3 7 . 2 Ah 时停止. Next one.", ["≥ 1 3 7 . 2 Ah 时停止.", "Next one."]),
        ("Set $x. Y = 3$ first. End.", ["Set $x. Y = 3$ first.", "End."]),
        (
            "In 2019. 3 pumps. It costs $5. Then $6.",
            ["In 2019.", "3 pumps.", "It costs $5.", "Then $6."],
        ),
    ],
)
def test_a_decimal_with_blanks_and_a_formula_are_not_cut(text, parts):
    assert [text[a:b] for a, b in sentences(text)] == parts
