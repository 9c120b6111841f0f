"""Small boosts from what the chunks are: kind and place in the document.

A rule moves a hit by a share of the spread of the scores, so it works for z-scores and for
reciprocal ranks alike, decides between near neighbours and never lifts a bad hit over a good one.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from ..core.analysis import Analysis
from ..core.chunk import Chunk
from ..core.evidence import Hit
from .merge import explained, in_order, kept, labelled, scored
from .spread import mean_and_deviation

# One rule is worth this share of the scores' standard deviation; all rules together MOST.
UNIT = 0.25
MOST = 0.6

_DEFINITION_PATH = re.compile(
    r"术语|定义|名词|释义|缩略|terms?\b|definition|glossary|abbreviation", re.I
)
_REQUIREMENT_PATH = re.compile(
    r"要求|规定|条款|条件|职责|禁止|处罚|义务|requirement|obligation|provision|dut(?:y|ies)\b|shall",
    re.I,
)
_REFERENCE_PATH = re.compile(r"引用|参考文献|依据|references?\b|bibliography|normative", re.I)
_NUMBER_PATH = re.compile(
    r"参数|规格|尺寸|性能|指标|数据|技术条件|parameter|specification|dimension|result|data", re.I
)
_SHOWN_WORDS = re.compile(
    r"结构|构造|外观|状态|布置|流程|分布|走势|趋势|曲线|structure|layout|appearance|trend|flow|diagram",
    re.I,
)
_NUMBER_WORDS = re.compile(
    r"尺寸|参数|数值|规格|指标|额定|多少|多大|多长"
    r"|\b(?:sizes?|dimensions?|parameters?|values?|how (?:many|much)|ratings?)\b",
    re.I,
)
_PATHS = {
    "definition": ("path_definition", _DEFINITION_PATH),
    "requirement": ("path_requirement", _REQUIREMENT_PATH),
    "reference": ("path_reference", _REFERENCE_PATH),
    "numeric": ("path_numbers", _NUMBER_PATH),
    "calculation": ("path_numbers", _NUMBER_PATH),
}


def apply_rules(hits: Sequence[Hit], chunks: Mapping[str, Chunk], analysis: Analysis) -> list[Hit]:
    """The hits with their boosts, best first, ties by id; `explain.rules` names what fired.

    Hits of the label leg stay first; hits that a step dropped stay at the end.
    """
    live = kept(hits)
    gone = [hit for hit in hits if hit.explain.dropped]
    _, deviation = mean_and_deviation(hit.score for hit in live if not labelled(hit))
    unit = UNIT * deviation
    raised = [_raise(hit, chunks.get(hit.chunk_id), analysis, unit) for hit in live]
    return [*in_order(raised), *gone]


def _raise(hit: Hit, chunk: Chunk | None, analysis: Analysis, unit: float) -> Hit:
    names = tuple(_fired(chunk, analysis)) if chunk is not None else ()
    if not names:
        return hit
    boost = min(unit * len(names), unit / UNIT * MOST)
    return explained(scored(hit, hit.score + boost), rules=(*hit.explain.rules, *names))


def _fired(chunk: Chunk, analysis: Analysis) -> Iterator[str]:
    kind, question = analysis.question_type, analysis.rewritten
    if kind in ("definition", "requirement") and chunk.chunk_type == "section_text":
        yield "text_up"
    if chunk.chunk_type == "table" and (kind == "numeric" or _NUMBER_WORDS.search(question)):
        yield "table_up"
    if chunk.chunk_type in ("image", "chart") and (
        kind == "figure" or analysis.wish != "none" or _SHOWN_WORDS.search(question)
    ):
        yield "figure_up"
    if kind == "formula" and chunk.chunk_type == "equation":
        yield "equation_up"
    if kind in _PATHS and _PATHS[kind][1].search(f"{chunk.section_path} {chunk.section_title}"):
        yield _PATHS[kind][0]
