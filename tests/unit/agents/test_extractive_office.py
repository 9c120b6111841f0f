import pytest

from tuwen.agents.extractive_office import holders, is_office, office_asked, office_lines
from tuwen.agents.extractive_question import spelled_out
from tuwen.agents.extractive_sentences import passage_sentences

CREW = """| Name | Age | Post | Years |
|---|---|---|---|
| Ida Moss | 51 | Chief Pilot Officer | 9 |
| Jon Reed | 44 | Chief Mooring Officer | 3 |"""
BOARD = """| 姓名 | 职务 | 兼职单位 | 兼职职务 |
|---|---|---|---|
| 田一禾 | 站长 | 青川协会 | 会长 |
| 方小雨 | 总工 | 水文学会 | 站长 |"""


@pytest.mark.parametrize(
    ("question", "office"),
    [
        ("Who is the CMO?", "CMO"),
        ("Who is the harbour master of Eastport?", "harbour master"),
        ("站长是谁？", "站长"),
        ("谁是总工？", "总工"),
        ("What is the office of the pilot?", ""),
        ("站长什么时候上任？", ""),
    ],
)
def test_the_office_is_read_from_the_question(question, office):
    assert office_asked(question) == office


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("Who is the CPO?", ["Chief Pilot Officer: Ida Moss"]),
        ("Who is the chief mooring officer?", ["Chief Mooring Officer: Jon Reed"]),
        ("站长是谁？", ["站长：田一禾"]),
        ("会长是谁？", []),
        ("Who is the CTO?", []),
    ],
)
def test_the_holder_stands_beside_the_office_and_not_beside_one_elsewhere(passage, question, lines):
    table = BOARD if question[0] != "W" else CREW
    assert [text for _, text in office_lines(question, [passage(3, table)])] == lines


def test_initials_stand_for_capitalised_words_only():
    assert is_office("CPO", "Chief Pilot Officer")
    assert is_office("DOS", "Director of Operations and Safety") is True
    assert is_office("总工", "副站长兼总工")
    assert not is_office("站长", "副站长兼总工")
    assert not is_office("CPO", "chief pilot officer")
    assert not is_office("CPO", "Chief Pilot")


def test_initials_that_no_text_says_are_spelled_out_as_one_says_them(passage):
    held = [
        passage(1, "The Vessel Traffic Service guides ships. Vessel Traffic Service is manned.")
    ]
    assert spelled_out("Where is the VTS?", held) == "Where is the Vessel Traffic Service?"
    assert spelled_out("Where is the VHF?", held) == "Where is the VHF?"
    held = [passage(1, "The VTS guides ships. The Vessel Traffic Service is manned.")]
    assert spelled_out("Where is the VTS?", held) == "Where is the VTS?"


def test_figures_on_lines_of_their_own_stand_with_their_label(passage):
    text = "Dues and charges\n$\n18,315\n$\n34,704\nMooring 57,228\nThe port is open.\n43\n"
    assert passage_sentences(passage(1, text)) == [
        "Dues and charges $ 18,315 $ 34,704",
        "Mooring 57,228",
        "The port is open.",
        "43",
    ]
    assert passage_sentences(passage(1, "Tide tables\n43\nNeap")) == ["Tide tables", "43", "Neap"]


def test_a_table_without_names_has_no_holders():
    assert list(holders("CPO", [["Post", "Pay"], ["Chief Pilot Officer", "9"]])) == []
    firms = [["兼职单位", "职务"], ["青川船厂", "站长"], ["白石码头", "会计"]]
    assert list(holders("站长", firms)) == []
