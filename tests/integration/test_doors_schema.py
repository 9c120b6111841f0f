"""Every route against what its OpenAPI document allows and forbids, thrown at a real server.

Schemathesis pins a library that our own packages need newer, so it runs from an environment of its
own: `python -m venv .schema && .schema/bin/pip install schemathesis`, then
`SCHEMATHESIS=.schema/bin/st python -m pytest tests/integration/test_doors_schema.py`.
"""

import os
import subprocess
from pathlib import Path

import pytest

from tests.integration.doors_server import Server, ingest_bytes, ingest_text, pdf

pytestmark = pytest.mark.integration
PROGRAM = str(Path(os.environ["SCHEMATHESIS"]).absolute()) if os.environ.get("SCHEMATHESIS") else ""
EXAMPLES = os.environ.get("SCHEMATHESIS_EXAMPLES", "30")
OURS = "^/(images|documents|collections|chat|v1|health)"


@pytest.mark.skipif(not PROGRAM, reason="set SCHEMATHESIS to schemathesis' `st` program")
@pytest.mark.parametrize("keys", ["", "alice:s1"])
def test_no_request_is_answered_by_a_server_error(tmp_path, keys):
    running = Server(tmp_path, **({"TUWEN_API_KEYS": keys} if keys else {}))
    running.start()
    headers = {"Authorization": "Bearer s1"} if keys else {}
    try:
        ingest_text(running.url, headers=headers)
        ingest_bytes(running.url, pdf("A pump."), "pump.pdf", headers=headers)
        done = subprocess.run(
            [
                PROGRAM,
                "run",
                f"{running.url}/openapi.json",
                "--include-path-regex",
                OURS,
                "--checks",
                "not_a_server_error",
                "--continue-on-failure",
                "--max-examples",
                EXAMPLES,
                "--request-timeout",
                "60",
                *[part for key, value in headers.items() for part in ("-H", f"{key}:{value}")],
            ],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=1800,
            check=False,
        )
    finally:
        running.stop()
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert "unexpected" not in running.text()
