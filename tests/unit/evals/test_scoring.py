"""How answers, pages and questions are scored and made."""

import numpy as np
import pytest
from reportlab.pdfgen import canvas

from tuwen.core.chunk import Figure
from tuwen.core.document import BBox
from tuwen.core.label import Label, parse_label
from tuwen.evals import phrasing
from tuwen.evals.answers import Case, abstentions, hold_out
from tuwen.evals.chats import Asked, cites_page, contains
from tuwen.evals.figures import FigureCase, _exact_score, _paraphrase_score, label_cases
from tuwen.evals.page_peers import split
from tuwen.evals.pages import page_ranking
from tuwen.evals.pdf_text import HELD, bare, comparable, held, opened, text_in
from tuwen.evals.rankings import _leg_ids
from tuwen.evals.rewrite import same
from tuwen.evals.sets import Passage, Question, RetrievalSet
from tuwen.evals.vector_cache import CachedEmbedder


class Words:
    def fold(self, text):
        return text.lower()

    def tokens(self, text):
        stop = {"the", "of", "a"}
        return [w for w in text.lower().split() if w not in stop]


@pytest.mark.parametrize(
    ("answer", "groups", "found"),
    [
        ("共有70个议席。", [["70"]], True),
        ("共有170个议席。", [["70"]], False),
        ("约70.5个", [["70"]], False),
        ("共1,577元", [["1577"]], True),
        ("增长了６．１％", [["6.1%"]], True),
        ("在 坦帕, 佛罗里达", [["坦帕,佛罗里达"]], True),
        ("Tampa (Florida)", [["Tampa, Florida"]], True),
        ("只有甲", [["甲"], ["乙"]], False),
        ("甲和乙", [["丙", "甲"], ["乙"]], True),
        ("任何", [], False),
        ("任何", [["，"]], False),
    ],
)
def test_an_answer_contains_every_group(answer, groups, found):
    assert contains(answer, groups) is found


def asked(*, images=(), sources=(), abstained=False):
    finish = {
        "answer": "",
        "images": [{"id": i} for i in images],
        "sources": list(sources),
        "abstained": abstained,
    }
    return Asked(finish=finish, trace={})


def test_a_citation_counts_on_its_page_of_its_document_only():
    answer = asked(sources=[{"doc_id": "d", "page": 4, "page_start": 3, "page_end": 5}])
    assert cites_page(answer, "d", [4])
    assert not cites_page(answer, "d", [3])
    assert not cites_page(answer, "e", [4])
    ranged = asked(sources=[{"doc_id": "d", "page": None, "page_start": 3, "page_end": 5}])
    assert cites_page(ranged, "d", [5])
    assert not cites_page(asked(), "d", [5])


def test_abstention_is_scored_on_the_unanswerable():
    cases = [
        Case(text="", answers=(), answerable=possible, doc_id="d", pages=())
        for possible in (True, True, False, False)
    ]
    answers = [asked(abstained=value) for value in (False, True, True, False)]
    scored = abstentions(cases, answers)
    assert (scored["precision"], scored["recall"]) == (0.5, 0.5)
    assert (scored["unanswerable"], scored["abstained"]) == (2, 2)


def test_held_out_passages_make_every_question_on_them_unanswerable():
    loaded = RetrievalSet(
        name="s",
        passages=(Passage(id="a", text="A"), Passage(id="b", text="B")),
        questions=(
            Question(id="1", text="", relevant=("a",)),
            Question(id="2", text="", relevant=("b",)),
            Question(id="3", text="", relevant=("b",)),
        ),
    )
    kept, possible = hold_out(loaded, 2)
    assert [passage.id for passage in kept] == ["a"]
    assert possible == [True, False, False]


def test_pages_rank_by_their_first_chunk():
    table = {"c1": ["d#2", "d#3"], "c2": ["d#1"], "c3": ["d#3"]}
    assert page_ranking(["c1", "c3", "c2", "gone"], table) == ["d#2", "d#3", "d#1"]


def test_legs_are_scored_for_the_question_as_asked():
    from tuwen.core.evidence import LegResult

    results = [
        LegResult(leg="dense", query="variant", ids=("x",), scores=(1.0,)),
        LegResult(leg="dense", query="asked", ids=("y",), scores=(1.0,)),
    ]
    assert _leg_ids(results, "asked") == {"dense": ["y"]}
    assert _leg_ids(results, "neither") == {"dense": ["x"]}


@pytest.mark.parametrize(
    ("caption", "tongue"),
    [
        ("图2.3 结构", "zh"),
        ("表1 参数", "zh"),
        ("图3 外形", "zh"),
        ("图2.3(b) 局部", "zh"),
        ("Figure 4: Loss", "en"),
        ("Table 2-1 Sizes", "en"),
        ("图A.1 示例", "zh"),
    ],
)
def test_every_written_form_is_the_same_label(caption, tongue):
    label = parse_label(caption)
    forms = phrasing.label_forms(label, tongue)
    assert len(forms) == len(set(forms))
    for form in forms:
        question = phrasing.label_question(label.kind, form)
        from tuwen.core.label import find_labels

        assert [span.label for span in find_labels(question)] == [label], question


def test_a_paraphrase_has_no_number_and_not_the_caption():
    caption = "Figure 4: Loss of the small model over training steps with warm restarts"
    question = phrasing.paraphrase(caption, "image", Words())
    assert question.startswith("Which figure is about")
    assert "4" not in question
    assert "Loss of the small model" not in question
    assert "restarts" in question
    assert question == phrasing.paraphrase(caption, "image", Words())
    assert phrasing.paraphrase("图4 结构", "image", Words()) == ""


def test_a_number_inside_a_caption_stays():
    assert phrasing.without_label("图2 与图1的比较") == "与图1的比较"
    assert phrasing.without_label("Growth in 2021") == "Growth in 2021"


def test_a_telling_sentence_names_no_figure():
    text = "See Figure 3 for the pump and its long inlet pipe. The pump runs at 1500 rpm all night."
    assert phrasing.telling_sentence(text) == "The pump runs at 1500 rpm all night."
    assert phrasing.telling_sentence("短。") == ""
    assert (
        phrasing.telling_sentence("The sum $\\frac{1}{2}$ is what the pump needs at night.") == ""
    )


def figure(key, label, *, sub=""):
    return Figure(
        figure_id=key,
        doc_id="d",
        edition="1",
        collection="c",
        doc_title="t",
        kind="image",
        ordinal=0,
        label=Label(kind="figure", parts=label, sub=sub),
        caption=f"图{'.'.join(label)} 说明",
    )


def test_label_questions_accept_every_figure_of_that_label_and_no_neighbour():
    figures = [figure("a", ("3",)), figure("b", ("3",), sub="b"), figure("c", ("30",))]
    cases = {case.question: case.right for case in label_cases(figures)}
    assert cases["图3展示了什么内容？"] == {"a", "b"}
    assert cases["图30展示了什么内容？"] == {"c"}
    assert cases["图3(b)展示了什么内容？"] == {"a", "b"}


def test_an_exact_answer_shows_the_label_and_nothing_else():
    cases = [FigureCase(question="q", right=frozenset({"a"}), about="a")] * 3
    answers = [asked(images=["a"]), asked(images=["a", "b"]), asked()]
    scored = _exact_score(cases, answers)
    assert scored["accuracy"] == pytest.approx(1 / 3, abs=1e-4)
    assert len(scored["misses"]) == 2


def test_paraphrases_are_scored_within_the_first_two_figures():
    cases = [FigureCase(question="q", right=frozenset({"a"}), about="a")] * 2
    scored = _paraphrase_score(cases, [asked(images=["b", "a"]), asked(images=["b", "c", "a"])])
    assert scored["recall@2"] == 0.5
    assert scored["recall@1"] == 0.0
    assert scored["precision"] == pytest.approx(2 / 5)


def test_quotes_compare_without_blanks_hyphens_and_ligatures():
    assert bare("The e\ufb03cient pro-\ncess") == bare("The efficient process")
    assert bare("流量 为50") == bare("流量为50")
    assert bare("50") != bare("51")


def test_rewrites_compare_without_punctuation_and_case():
    assert same("What is X?", "what is x")
    assert not same("What is X?", "What is Y?")


def test_pieces_overlap_and_cover_the_text():
    text = " ".join(f"word{i}" for i in range(400))
    pieces = split(text, size=200, overlap=40)
    assert all(len(piece) <= 200 for piece in pieces)
    assert {word for piece in pieces for word in piece.split()} >= set(text.split())
    assert split("", size=200, overlap=40) == []
    assert split("short", size=200, overlap=40) == ["short"]


class Counting:
    name = "counting"
    dim = 2

    def __init__(self):
        self.calls = []

    def embed_passages(self, texts):
        self.calls.append(("p", list(texts)))
        return np.asarray([[len(t), 1.0] for t in texts], dtype=np.float32)

    def embed_queries(self, texts):
        self.calls.append(("q", list(texts)))
        return np.asarray([[len(t), 2.0] for t in texts], dtype=np.float32)


def test_vectors_are_kept_by_role_and_text_over_runs(tmp_path):
    inner = Counting()
    first = CachedEmbedder(inner, tmp_path)
    assert first.embed_passages(["a", "bb", "a"]).tolist() == [[1, 1], [2, 1], [1, 1]]
    first.close()
    again = CachedEmbedder(inner, tmp_path)
    assert again.embed_passages(["bb", "ccc"]).tolist() == [[2, 1], [3, 1]]
    assert again.embed_queries(["bb"]).tolist() == [[2, 2]]
    assert again.embed_passages([]).shape == (0, 2)
    again.close()
    assert inner.calls == [("p", ["a", "bb"]), ("p", ["ccc"]), ("q", ["bb"])]


def test_a_quote_is_held_without_its_formulas_and_around_a_footnote():
    quote = comparable("We add the loss $\\mathcal{L}_{D}$ to the objective function of the model.")
    assert "mathcal" not in quote
    page = bare("We add the loss LD to the objective function of the model. Another one.")
    assert held(quote, page) < 1.0
    assert held(comparable("the objective function of the model"), page) == 1.0
    long = comparable(" ".join(f"word{i}" for i in range(40)))
    broken = long[:90] + bare("1 https://example.org") + long[90:]
    assert HELD <= held(long, broken) < 1.0
    assert held(quote, bare("Something else entirely is written here.")) == 0.0
    assert held("", page) == 0.0


def test_text_is_looked_up_in_what_a_cropped_page_shows(tmp_path):
    drawing = canvas.Canvas(
        str(tmp_path / "a.pdf"), pagesize=(400, 400), cropBox=(100, 100, 300, 300)
    )
    drawing.drawString(110, 280, "inside")
    drawing.drawString(10, 390, "outside")
    drawing.save()
    with opened(tmp_path / "a.pdf") as document:
        assert text_in(document[0], BBox(x0=0, y0=0, x1=0.5, y1=0.2)).strip() == "inside"
