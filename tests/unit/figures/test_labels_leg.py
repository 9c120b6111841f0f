"""The label leg: exactly the named object first, then its mentions; absence and ambiguity said."""

from collections.abc import Sequence

from tuwen.core.chunk import Chunk, Figure
from tuwen.core.document import DocumentRecord
from tuwen.core.label import Label, find_labels
from tuwen.tools.labels import find_labelled, label_notices, nearest


class Shelf:
    """A catalog of figures and chunks in memory, as far as the label leg reads it."""

    def __init__(self, figures: Sequence[Figure], chunks: Sequence[Chunk] = ()) -> None:
        self.all = list(figures)
        self.pieces = list(chunks)

    def figures_by_label(self, collection: str, label: Label) -> list[Figure]:
        return [f for f in self.all if f.label == label]

    def labels(self, collection: str, kind: str) -> list[str]:
        return sorted({f.label.key for f in self.all if f.label and f.label.kind == kind})

    def figures_of(self, doc_id: str) -> list[Figure]:
        return [f for f in self.all if f.doc_id == doc_id]

    def figures(self, ids: Sequence[str]) -> list[Figure]:
        known = {f.figure_id: f for f in self.all}
        return [known[i] for i in ids if i in known]

    def select(self, collection: str, filters: dict[str, str]) -> list[str]:
        return [
            c.chunk_id for c in self.pieces if filters["labels"] in c.metadata.get("labels", [])
        ]

    def chunks(self, ids: Sequence[str]) -> list[Chunk]:
        return [c for c in self.pieces if c.chunk_id in ids]

    def documents(self, collection: str | None = None) -> list[DocumentRecord]:
        titles = {one.doc_id: one.doc_title for one in [*self.all, *self.pieces]}
        return [
            DocumentRecord(
                doc_id=doc,
                edition="e",
                collection="k",
                name=f"{doc}.pdf",
                source_key=doc,
                content_hash=doc,
                title=titles[doc],
            )
            for doc in sorted(titles)
        ]

    def chunks_of(self, doc_id: str, *, first: int = 0, last: int | None = None) -> list[Chunk]:
        own = [c for c in self.pieces if c.doc_id == doc_id]
        return own[first : None if last is None else last + 1]

    def by_section(self, collection: str, number: str) -> list[Chunk]:
        return [c for c in self.pieces if c.section_number == number]


def figure(name: str, doc: str = "d1", **more: object) -> Figure:
    spans = find_labels(name)
    return Figure.model_validate(
        {
            "figure_id": f"{doc}-{name}",
            "doc_id": doc,
            "edition": "e",
            "collection": "k",
            "doc_title": f"文档{doc}",
            "kind": "table" if name[0] == "表" else "image",
            "ordinal": 0,
            "label": spans[0].label if spans else None,
            "label_text": name,
            "caption": f"{name} 标题",
            "chunk_id": f"{doc}-{name}-c",
            **more,
        }
    )


def section(number: str, title: str, doc: str = "d1") -> Chunk:
    return Chunk.model_validate(
        {
            "chunk_id": f"{doc}-{title}",
            "doc_id": doc,
            "edition": "e",
            "collection": "k",
            "doc_title": doc,
            "chunk_type": "section_text",
            "text": "x",
            "embedding_text": "x",
            "semantic_id": "s",
            "ordinal": 0,
            "section_number": number,
            "section_title": title,
        }
    )


def asked(text: str) -> list[Label]:
    return [s.label for s in find_labels(text)]


def test_the_object_comes_first_then_its_mentions() -> None:
    shelf = Shelf([figure("图2.3", mentions=("m1", "m2")), figure("图2.30"), figure("表2.3")])
    finding = find_labelled(shelf, "k", asked("看图2-3"))  # type: ignore[arg-type]
    assert finding.figure_ids == ("d1-图2.3",)
    assert finding.result.leg == "label"
    assert finding.result.ids == ("d1-图2.3-c", "m1", "m2")
    assert list(finding.result.scores) == sorted(finding.result.scores, reverse=True)


def test_a_neighbours_number_is_never_a_substitute() -> None:
    shelf = Shelf([figure("图3-20"), figure("图13-2"), figure("表3-2")])
    finding = find_labelled(shelf, "k", asked("图3-2"))  # type: ignore[arg-type]
    assert finding.figure_ids == ()
    [gone] = finding.missing
    assert [n.key for n in gone.nearest] == ["figure:3.20", "figure:13.2"]
    [notice] = label_notices(finding, "zh")
    assert notice.code == "label_missing"
    assert "图3.2" in notice.text
    assert "图3.20" in notice.text


def test_a_sub_figure_falls_back_to_its_parent_and_the_whole_finds_its_parts() -> None:
    shelf = Shelf([figure("图1"), figure("图2(a)"), figure("图2(b)")])
    part = find_labelled(shelf, "k", asked("图1(c)"))  # type: ignore[arg-type]
    assert part.figure_ids == ("d1-图1",)
    assert not part.matches[0].exact
    whole = find_labelled(shelf, "k", asked("图2"))  # type: ignore[arg-type]
    assert whole.figure_ids == ("d1-图2(a)", "d1-图2(b)")
    one = find_labelled(shelf, "k", asked("图2(b)"))  # type: ignore[arg-type]
    assert one.figure_ids == ("d1-图2(b)",)


def test_of_two_documents_the_focused_one_is_meant_else_both_are_named() -> None:
    shelf = Shelf([figure("图1", "d1"), figure("图1", "d2")])
    focused = find_labelled(shelf, "k", asked("图1"), ["d9", "d2"])  # type: ignore[arg-type]
    assert focused.figure_ids == ("d2-图1",)
    assert not focused.ambiguous
    both = find_labelled(shelf, "k", asked("图1"))  # type: ignore[arg-type]
    assert both.figure_ids == ("d1-图1", "d2-图1")
    [notice] = label_notices(both, "en")
    assert notice.code == "label_ambiguous"
    assert "文档d1" in notice.text
    assert "文档d2" in notice.text


def test_an_article_is_not_a_chapter() -> None:
    shelf = Shelf(
        [], [section("3", "第三章 总则"), section("3", "第三条 学生"), section("3.1", "范围")]
    )
    article = find_labelled(shelf, "k", asked("第三条"))  # type: ignore[arg-type]
    assert article.result.ids == ("d1-第三条 学生",)
    chapter = find_labelled(shelf, "k", asked("第三章"))  # type: ignore[arg-type]
    assert chapter.result.ids == ("d1-第三章 总则",)
    clause = find_labelled(shelf, "k", asked("3.1节"))  # type: ignore[arg-type]
    assert clause.result.ids == ("d1-范围",)


def test_nothing_is_said_about_kinds_that_are_not_indexed() -> None:
    finding = find_labelled(Shelf([]), "k", asked("式(3)和第9.9节"))  # type: ignore[arg-type]
    assert finding.missing == ()
    assert len(finding.unresolved) == 2
    assert label_notices(finding, "zh") == ()


def test_the_nearest_labels_are_of_the_same_chapter_first() -> None:
    known = asked("图2.9、图3.1、图2.4、图12.3、图2")
    assert [n.key for n in nearest(asked("图2.5")[0], known)] == [
        "figure:2.4",
        "figure:2.9",
        "figure:3.1",
    ]


def test_the_document_that_the_question_names_is_meant_before_the_focused_one() -> None:
    shelf = Shelf(
        [
            figure("图2.1", "d1", doc_title="青川河水情年报"),
            figure("Figure 2.1", "d2", doc_title="Small Hydro Handbook"),
        ]
    )
    question = "What does Figure 2.1 of the handbook show?"
    named = find_labelled(shelf, "k", asked(question), ["d1"], question=question)  # type: ignore[arg-type]
    assert named.figure_ids == ("d2-Figure 2.1",)
    question = "水情年报的图2.1说明什么"
    named = find_labelled(shelf, "k", asked(question), ["d2"], question=question)  # type: ignore[arg-type]
    assert named.figure_ids == ("d1-图2.1",)


def test_without_name_or_focus_the_documents_that_write_the_label_alike_are_meant() -> None:
    shelf = Shelf([figure("图2.1", "d1"), figure("Figure 2.1", "d2"), figure("图2.1", "d3")])
    english = find_labelled(shelf, "k", asked("Figure 2.1"), question="What is Figure 2.1?")  # type: ignore[arg-type]
    assert english.figure_ids == ("d2-Figure 2.1",)
    chinese = find_labelled(shelf, "k", asked("图2.1"), question="图2.1是什么")  # type: ignore[arg-type]
    assert chinese.figure_ids == ("d1-图2.1", "d3-图2.1")
    assert [item.doc_ids for item in chinese.ambiguous] == [("d1", "d3")]


def test_a_formula_is_found_by_its_number_in_the_chunk_that_carries_it() -> None:
    formula = section("2.2", "径流量").model_copy(update={"metadata": {"labels": ["equation:2.1"]}})
    finding = find_labelled(Shelf([], [formula]), "k", asked("式（2.1）是什么"))  # type: ignore[arg-type]
    assert finding.result.ids == (formula.chunk_id,)
    assert not finding.unresolved


def test_of_many_documents_the_first_are_named_and_the_others_counted() -> None:
    many = Shelf([figure("图2.1", f"d{n}") for n in range(40)])
    finding = find_labelled(many, "k", asked("图2.1"), question="图2.1是什么")  # type: ignore[arg-type]
    [item] = finding.ambiguous
    assert item.count == 40
    assert len(item.titles) == len(item.doc_ids) <= 10
    for language, counted in (("zh", "等 40 处"), ("en", f"and {40 - len(item.titles)} more")):
        [notice] = label_notices(finding, language)
        assert counted in notice.text
        assert all(title in notice.text for title in item.titles)


def test_what_is_named_in_full_is_not_counted() -> None:
    two = Shelf([figure("图3.7", "d1"), figure("图3.7", "d2"), figure("图3.8", "d2")])
    finding = find_labelled(two, "k", asked("图3.7"), question="图3.7是什么")  # type: ignore[arg-type]
    [item] = finding.ambiguous
    assert (item.count, item.doc_ids) == (2, ("d1", "d2"))
    assert "处" not in label_notices(finding, "zh")[0].text
