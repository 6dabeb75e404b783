"""The example of docs/devices.md runs, and leaves a trace that is what the page says."""

import json
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "devices.md"


@pytest.mark.usefixtures("dropin")
def test_the_example_of_profiling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(compile(example, str(PAGE), "exec"), {})
    (file,) = (tmp_path / "traces").glob("*.pt.trace.json")
    names = [event.get("name") for event in json.loads(file.read_text())["traceEvents"]]
    (layer,) = re.findall(r"`(Default/.*?)`", text)
    assert names.count(layer) == names.count("forward") == 2
