import json

import pytest

from tuwen.core.errors import UsageError
from tuwen.evals.datasets import load_retrieval, passage_id
from tuwen.evals.datasets_pages import load_pages
from tuwen.evals.datasets_rewrite import load_rewrite
from tuwen.evals.sets import spread


def write(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


def squad(paragraphs):
    return {
        "data": [
            {
                "paragraphs": [
                    {
                        "context": context,
                        "qas": [
                            {"id": key, "question": text, "answers": [{"text": answer}]}
                            for key, text, answer in items
                        ],
                    }
                    for context, items in paragraphs
                ]
            }
        ]
    }


def test_squad_gives_one_passage_a_distinct_context(tmp_path):
    file = write(
        tmp_path / "s.json",
        squad(
            [
                ("水泵额定流量为50。", [("1", "流量多少？", "50")]),
                ("水泵额定流量为50。", [("2", "额定流量？", "50")]),
                ("电机功率为7。", [("3", "功率多少？", "7")]),
            ]
        ),
    )
    loaded = load_retrieval("squad", file)
    assert [p.text for p in loaded.passages] == ["水泵额定流量为50。", "电机功率为7。"]
    assert [q.relevant for q in loaded.questions] == [
        (passage_id("水泵额定流量为50。"),),
        (passage_id("水泵额定流量为50。"),),
        (passage_id("电机功率为7。"),),
    ]
    assert loaded.questions[0].answers == (("50",),)


def test_parallel_questions_are_matched_by_id_and_others_are_counted(tmp_path):
    texts = write(tmp_path / "en.json", squad([("The pump is red.", [("1", "Colour?", "red")])]))
    asked = write(
        tmp_path / "zh.json",
        squad([("水泵是红色的。", [("1", "什么颜色？", "红色"), ("9", "别的？", "无")])]),
    )
    loaded = load_retrieval("squad", texts, questions=asked)
    assert loaded.name == "zh->en"
    assert [(q.text, q.relevant) for q in loaded.questions] == [
        ("什么颜色？", (passage_id("The pump is red."),))
    ]
    assert loaded.questions[0].answers == (("red",),)
    assert loaded.left_out == 1


def test_rgb_reads_nested_positives_and_nested_answers(tmp_path):
    row = {
        "id": 0,
        "query": "谁获奖？",
        "answer": [["甲", "甲某"], ["乙"]],
        "positive": [["甲获奖。"], ["乙获奖。"]],
        "negative": ["丙参赛。"],
    }
    file = tmp_path / "r.json"
    file.write_text(json.dumps(row, ensure_ascii=False) + "\n", encoding="utf-8")
    loaded = load_retrieval("rgb", file)
    assert len(loaded.passages) == 3
    assert loaded.questions[0].relevant == (passage_id("甲获奖。"), passage_id("乙获奖。"))
    assert loaded.questions[0].answers == (("甲", "甲某"), ("乙",))


def test_crud_reads_both_published_shapes(tmp_path):
    facts = write(
        tmp_path / "facts.json",
        {
            "a": {
                "key_info": ["每天30克", "降低17%"],
                "question": ["多少克？", "降低多少？"],
                "answers": ["无法推断", "17%"],
            }
        },
    )
    loaded = load_retrieval("crud", facts)
    assert [p.text for p in loaded.passages] == ["每天30克；降低17%"]
    assert [q.text for q in loaded.questions] == ["降低多少？"]
    news = write(
        tmp_path / "news.json",
        {
            "questanswer_2docs": [
                {"ID": "b", "questions": "问？", "answers": "答", "news1": "一", "news2": "二"}
            ],
            "event_summary": [{"ID": "c", "text": "x"}],
        },
    )
    loaded = load_retrieval("crud", news)
    assert loaded.questions[0].relevant == (passage_id("一"), passage_id("二"))


def test_ohr_pages_become_one_based_and_empty_pages_are_left_out(tmp_path):
    rows = [
        {
            "doc_name": "law/a",
            "ID": "1",
            "questions": "Q?",
            "answers": "A",
            "evidence_page_no": 1,
        },
        {"doc_name": "law/a", "ID": "2", "questions": "R?", "answers": "B", "evidence_page_no": 0},
    ]
    file = write(tmp_path / "qas.json", rows)
    write(
        tmp_path / "retrieval_base/gt/law/a.json",
        [{"text": " ", "page_idx": 0}, {"text": "text", "page_idx": 1}],
    )
    loaded = load_retrieval("ohr", file)
    assert [(p.id, p.page) for p in loaded.passages] == [("law/a#2", 2)]
    assert [q.relevant for q in loaded.questions] == [("law/a#2",)]
    assert loaded.left_out == 1


def test_wrong_shapes_are_refused_in_words(tmp_path):
    with pytest.raises(UsageError, match="not in the form"):
        load_retrieval("squad", write(tmp_path / "x.json", {"rows": []}))
    with pytest.raises(UsageError, match="cannot be read"):
        load_retrieval("squad", tmp_path / "absent.json")
    with pytest.raises(UsageError, match="--format is one of"):
        load_retrieval("trec", tmp_path / "x.json")
    with pytest.raises(UsageError, match="--questions goes with"):
        load_retrieval("rgb", tmp_path / "x.json", questions=tmp_path / "y.json")


def test_limit_spreads_over_the_whole_set():
    assert spread(list(range(10)), 4) == (0, 2, 5, 7)
    assert spread([1, 2], 5) == (1, 2)
    assert spread([1, 2], None) == (1, 2)


def test_mmlongbench_pages_count_from_one_and_not_answerable_is_known(tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.pdf").write_bytes(b"%PDF")
    rows = [
        {
            "doc_id": "a.pdf",
            "question": "Which?",
            "answer": "['x', 'y']",
            "evidence_pages": "[3, 5]",
            "answer_format": "List",
        },
        {
            "doc_id": "a.pdf",
            "question": "What?",
            "answer": "Not answerable",
            "evidence_pages": "[]",
            "answer_format": "None",
        },
        {
            "doc_id": "b.pdf",
            "question": "Gone?",
            "answer": "1",
            "evidence_pages": "[1]",
            "answer_format": "Int",
        },
    ]
    loaded = load_pages("mmlongbench", write(tmp_path / "m.json", rows), [docs])
    assert [(q.pages, q.answerable) for q in loaded.questions] == [((3, 5), True), ((), False)]
    assert loaded.questions[0].answers == (("x",), ("y",))
    assert loaded.questions[1].answers == ()
    assert loaded.left_out == 1
    assert loaded.files == (str(docs / "a.pdf"),)


def test_financebench_pages_count_from_zero_in_the_file_and_from_one_here(tmp_path):
    docs = tmp_path / "pdfs"
    docs.mkdir()
    (docs / "ACME.pdf").write_bytes(b"%PDF")
    row = {
        "financebench_id": "f1",
        "doc_name": "ACME",
        "question": "Q?",
        "answer": "$5",
        "evidence": [{"evidence_page_num": 0}, {"evidence_page_num": 7}],
    }
    file = tmp_path / "f.jsonl"
    file.write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert load_pages("financebench", file, [docs]).questions[0].pages == (1, 8)
    with pytest.raises(UsageError, match="None of the documents"):
        load_pages("financebench", file, [tmp_path / "empty"])
    with pytest.raises(UsageError, match="--docs"):
        load_pages("financebench", file, [])


def test_rewrite_zh_gives_only_the_users_turns_as_history(tmp_path):
    file = tmp_path / "corpus.txt"
    file.write_text("西安天气\t\t多云\t\t明天呢\t\t西安明天天气呢\n坏行\n", encoding="utf-8")
    loaded = load_rewrite("rewrite_zh", file)
    turn = loaded.turns[0]
    assert (turn.history, turn.question, turn.human) == (("西安天气",), "明天呢", "西安明天天气呢")
    assert loaded.passages[0].text == "西安天气\n多云"
    assert turn.relevant == (loaded.passages[0].id,)


def test_canard_titles_open_the_thread_and_answers_make_the_passage(tmp_path):
    rows = [
        {
            "History": ["Zappa", "Band", "Who?", "The Mothers."],
            "QuAC_dialog_id": "d",
            "Question": "When?",
            "Question_no": 2,
            "Rewrite": "When did the Mothers start?",
        }
    ]
    loaded = load_rewrite("canard", write(tmp_path / "c.json", rows))
    assert loaded.turns[0].history == ("Tell me about Zappa: Band.", "Who?")
    assert loaded.passages[0].text == "Zappa\nBand\nThe Mothers."


def test_cast_takes_rewrites_from_the_file_or_from_the_table_beside_it(tmp_path):
    topics = [
        {
            "number": 31,
            "turn": [
                {"number": 1, "raw_utterance": "What is X?"},
                {"number": 2, "raw_utterance": "Is it treatable? "},
            ],
        }
    ]
    file = write(tmp_path / "topics.json", topics)
    (tmp_path / "topics_resolved.tsv").write_text(
        "31_1\tWhat is X?\n31_2\tIs X treatable?\n", encoding="utf-8"
    )
    second = load_rewrite("cast", file).turns[1]
    assert (second.question, second.human) == ("Is it treatable?", "Is X treatable?")
    assert (second.history, second.relevant, second.own) == (("What is X?",), ("31_1",), "31_2")
    topics[0]["turn"][1]["manual_rewritten_utterance"] = "Can X be treated?"
    assert load_rewrite("cast", write(file, topics)).turns[1].human == "Can X be treated?"


def test_files_of_no_turn_are_refused(tmp_path):
    file = tmp_path / "empty.txt"
    file.write_text("\n", encoding="utf-8")
    with pytest.raises(UsageError, match="holds no turn"):
        load_rewrite("rewrite_zh", file)
    with pytest.raises(UsageError, match="--format is one of"):
        load_rewrite("squad", file)
