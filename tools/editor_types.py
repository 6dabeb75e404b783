"""Measure what an editor knows of MindSpore's names: the share with a type other than Any, and with a docstring.

    pip install basedpyright                     # pyright with its own node; or pyright
    python tools/editor_types.py [LANGUAGE_SERVER] [MODULE …]

Asks the language server for what it shows over each public name of the drop-in, with the stubs of the wheel.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import mindspore_stubs

import msbridge

MODULES = (
    *(
        "",
        "amp",
        "dataset",
        "dataset.audio",
        "dataset.text",
        "dataset.transforms",
        "dataset.vision",
        "mint",
        "mint.linalg",
    ),
    *("mint.nn", "mint.nn.functional", "mint.optim", "nn", "numpy", "ops", "ops.operations", "train"),
)
UNKNOWN = re.compile(r"\(\w+\) \w+: (Any|Unknown)")


class Server:
    """A language server, spoken to over its standard streams."""

    def __init__(self, command: str, folder: Path) -> None:
        self.process = subprocess.Popen([command, "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.count = 0
        settings = {"workspaceFolders": [{"uri": folder.as_uri(), "name": "folder"}]}
        hover = {"textDocument": {"hover": {"contentFormat": ["plaintext"]}}}
        self.ask("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": hover, **settings})
        self.tell("initialized", {})

    def tell(self, method: str, params: dict[str, Any], **more: Any) -> None:
        """Send a message."""
        text = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        self.write(text)

    def write(self, text: bytes) -> None:
        """Send the bytes of a message."""
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.process.stdin.flush()

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        """Send a request and return its result; questions of the server in between are answered with nothing."""
        self.count += 1
        self.tell(method, params, id=self.count)
        while True:
            answer = self.read()
            if "method" in answer and "id" in answer:
                wanted = len(answer["params"].get("items", ())) if answer["params"] else 0
                self.write(
                    json.dumps({"jsonrpc": "2.0", "id": answer["id"], "result": [None] * wanted or None}).encode()
                )
            elif answer.get("id") == self.count:
                return answer.get("result")

    def read(self) -> dict[str, Any]:
        """Return the next message."""
        assert self.process.stdout
        length = 0
        while line := self.process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        message: dict[str, Any] = json.loads(self.process.stdout.read(length))
        return message


def public(module: str) -> list[str]:
    """Return the public names of a module of the drop-in."""
    value = import_module(f"mindspore.{module}".rstrip("."))
    names = getattr(value, "__all__", None) or dir(value)
    return [name for name in names if name[0] != "_" and hasattr(value, name)]  # there are lists with too many


def lines_of(module: str, names: list[str]) -> str:
    """Return a script in which line i + 1 names the i-th name."""
    path = f"mindspore.{module}".rstrip(".")
    return "\n".join([f"import {path}", *(f"{path}.{name}" for name in names), ""])


def shown(server: Server, file: Path, module: str, names: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the names, and what the server shows over them."""
    text = lines_of(module, names)
    document = {"uri": file.as_uri(), "languageId": "python", "version": 1, "text": text}
    server.tell("textDocument/didOpen", {"textDocument": document})
    for row, name in enumerate(names, 1):
        place = {"line": row, "character": len(f"mindspore.{module}".rstrip(".")) + 1}
        hover = server.ask("textDocument/hover", {"textDocument": {"uri": file.as_uri()}, "position": place})
        yield name, hover["contents"]["value"] if hover else ""


def is_known(text: str) -> bool:
    """Whether what is shown has a type other than Any."""
    return bool(text) and not UNKNOWN.fullmatch(text.partition("\n\n")[0].strip())


def main() -> None:
    """Print a row for each module: names, those with a type, those with a docstring."""
    command, *chosen = sys.argv[1:] or [shutil.which("basedpyright-langserver") or "pyright-langserver"]
    msbridge.install()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place).resolve()
        mindspore_stubs.write(folder)
        (folder / "msbridge").symlink_to(mindspore_stubs.ROOT / "msbridge")
        interpreter = {"pythonPlatform": "Linux", "extraPaths": ["."], "venvPath": sys.prefix, "stubPath": "."}
        (folder / "pyrightconfig.json").write_text(json.dumps(interpreter))
        (folder / "mindspore").symlink_to(folder / "mindspore-stubs")
        server = Server(command, folder)
        for module in chosen or MODULES:
            names = public(module)
            texts = dict(
                shown(server, folder / f"{module or 'top'}.py".replace(".", "_", module.count(".")), module, names)
            )
            typed = [name for name, text in texts.items() if is_known(text)]
            documented = [name for name, text in texts.items() if "\n\n" in text.strip()]
            print(f"{module or 'mindspore'}: {len(names)} names, {len(typed)} typed, {len(documented)} documented")
            print("   without a type:", *sorted({*names} - {*typed}))
            print("   without a docstring:", *sorted({*names} - {*documented}))
        server.process.kill()


if __name__ == "__main__":
    main()
