"""Server-sent events: progress while it runs, `finish` last. Leaving cancels the run."""

import json

import httpx
from common import HEADERS, QUESTION, URL, show

body = {"question": QUESTION, "collection": "default", "thread": "example"}
with httpx.stream("POST", f"{URL}/chat/stream", json=body, headers=HEADERS, timeout=120) as answer:
    answer.raise_for_status()
    for line in answer.iter_lines():
        if not line.startswith("data: "):
            continue
        event = json.loads(line.removeprefix("data: "))
        if event["type"] == "finish":
            show(event)
        else:
            print("·", event["type"])
