"""The server's address and key, and the question: the same for every example."""

import os
import sys

URL = os.environ.get("TUWEN_URL", "http://127.0.0.1:2024").rstrip("/")
KEY = os.environ.get("TUWEN_KEY", "")
HEADERS = {"Authorization": f"Bearer {KEY}"} if KEY else {}
QUESTION = sys.argv[1] if len(sys.argv) > 1 else "What does Figure 2.1 show?"


def show(finish: dict) -> None:
    """The answer, its sources and its images."""
    print(finish["answer"])
    for source in finish["sources"]:
        print(f"[{source['n']}] {source['doc']} p. {source['page']} {source['section_path']}")
    for image in finish["images"]:
        print(f"image {image['url']} {image['caption']}")
