"""One repair of an answer that its evidence does not support, by the model that wrote it."""

import asyncio

from langgraph.runtime import Runtime

from ...agents.repairer import ModelRepairer
from ...agents.usage import UsageMeter
from ...core.analysis import Analysis
from ...core.options import RunOptions
from ..policies import Node
from ..services import Services
from ..state import ChatState, Json
from ..words import answer_language
from .answer import check_text, load_evidence, shown_figures


def make_repair(services: Services, repairer: ModelRepairer) -> Node:
    """Ask once; what comes back is checked like the first draft, and not repaired again."""

    async def repair(state: ChatState, runtime: Runtime[RunOptions]) -> Json:
        analysis = Analysis.model_validate(state["analysis"])
        meter = UsageMeter()
        passages = await asyncio.to_thread(load_evidence, services, state)
        text = await repairer.repair(
            state["draft"]["text"],
            analysis,
            passages,
            {passage.n: check_text(passage) for passage in passages},
            figures=await asyncio.to_thread(shown_figures, services, state),
            language=answer_language(analysis, runtime.context),
            meter=meter,
        )
        return {"draft": {**state["draft"], "text": text, "repaired": True}, "spent": meter.spent}

    return repair


def unrepaired(name: str, state: ChatState, error: Exception) -> Json:
    """A repair that goes wrong costs nothing but itself."""
    return {"draft": {**state["draft"], "repaired": True}}
