"""Questions in parallel: throughput and latency of a server's doors against the graph in process.

    python examples/load.py FILE [QUESTION]

Ingests FILE into a home folder of its own, asks the graph in this process, then starts a server on
that home and asks it, 1, 8 and 32 at a time. No model is used.
"""

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
from langgraph_sdk import get_client

from tuwen.app import build_chat_graph, build_ingest_graph, load_settings, open_services
from tuwen.app.ingest import ingest
from tuwen.core.options import RunOptions

PORT = 2191
URL = f"http://127.0.0.1:{PORT}"
LEVELS = (1, 8, 32)
TURNS = 64
MEMORY_TURNS = 500
Ask = Callable[[int], Awaitable[Any]]


async def measure(name: str, ask: Ask) -> None:
    """One line per level: turns a second, median and 95th percentile in milliseconds."""
    for number in range(4):
        await ask(number)
    for level in LEVELS:
        gate, times = asyncio.Semaphore(level), list[float]()

        async def one(number: int, gate: asyncio.Semaphore = gate, times: Any = times) -> None:
            async with gate:
                begun = time.perf_counter()
                await ask(number)
                times.append((time.perf_counter() - begun) * 1000)

        begun = time.perf_counter()
        await asyncio.gather(*(one(number) for number in range(TURNS)))
        rate = TURNS / (time.perf_counter() - begun)
        p95 = statistics.quantiles(times, n=20)[-1]
        print(f"| {name} | {level} | {rate:.1f} | {statistics.median(times):.0f} | {p95:.0f} |")


async def in_process(home: Path, file: str, question: str) -> None:
    """The graph without a server."""
    with open_services(load_settings({}, home=home)) as services:
        await ingest(build_ingest_graph(services).compile(), [file])
        graph = build_chat_graph(services).compile()

        async def ask(number: int) -> Any:
            asked: Any = {"messages": [("user", question)]}
            return await graph.ainvoke(asked, context=RunOptions())

        await measure("graph in process", ask)


async def through_doors(question: str, memory: Callable[[], int]) -> None:
    """The server's doors, and its memory over many turns."""
    limits = httpx.Limits(max_connections=64)
    async with httpx.AsyncClient(timeout=300, limits=limits) as http, get_client(url=URL) as client:

        async def chat(number: int) -> Any:
            answer = await http.post(f"{URL}/chat", json={"question": question})
            answer.raise_for_status()
            return answer.json()

        async def run(number: int) -> Any:
            asked = {"messages": [{"role": "user", "content": question}]}
            return await client.runs.wait(None, "chat", input=asked)

        await measure("POST /chat", chat)
        await measure("LangGraph runs/wait", run)
        print("\nMemory of the server, MB:", end=" ")
        for number in range(MEMORY_TURNS + 1):
            if number % 100 == 0:
                print(f"{number} turns {memory()}", end="; ", flush=True)
            await chat(number)
        print()


def resident(pid: int) -> int:
    """Megabytes that a process holds (Linux)."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


def main() -> None:
    """Measure and print a Markdown table and the memory line."""
    file = str(Path(sys.argv[1]).absolute())
    question = sys.argv[2] if len(sys.argv) > 2 else "What does Figure 2.1 show?"
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        print("| door | at once | turns/s | p50 ms | p95 ms |\n|---|---|---|---|---|")
        asyncio.run(in_process(home, file, question))
        env = {**os.environ, "TUWEN_HOME": str(home)}
        argv = [str(Path(sys.executable).with_name("tuwen")), "serve", "--port", str(PORT)]
        with (Path(folder) / "log").open("wb") as log:
            server = subprocess.Popen(argv, env=env, cwd=folder, stdout=log, stderr=log)
            try:
                for _ in range(600):
                    try:
                        if httpx.get(f"{URL}/health", timeout=5).status_code == 200:
                            break
                    except httpx.HTTPError:
                        time.sleep(0.2)
                asyncio.run(through_doors(question, lambda: resident(server.pid)))
            finally:
                server.terminate()
                server.wait(timeout=60)


if __name__ == "__main__":
    main()
