"""What a module of messages defines, as lines and as one number; run under the real MindSpore, it prints the numbers.

python tests/converters/messages/described.py
"""

import hashlib
import importlib
from typing import Any

from google.protobuf import descriptor_pb2

NAMES = ("anf_ir", "checkpoint", "mind_ir", "node_strategy", "print", "summary")


def lines(module: Any) -> list[str]:
    """Return messages with their fields, and enumerations with their values, sorted."""
    file = descriptor_pb2.FileDescriptorProto()
    module.DESCRIPTOR.CopyToProto(file)
    found = [f"file {file.name} {file.package} {list(file.dependency)}"]

    def describe(message: Any, path: str) -> None:
        found.append(f"message {path} map={message.options.map_entry}")
        for one in message.field:
            group = message.oneof_decl[one.oneof_index].name if one.HasField("oneof_index") else ""
            found.append(
                f"{path}.{one.name} {one.number} {one.label} {one.type} {one.type_name} {group} {one.options.packed}"
            )
        for one in message.enum_type:
            found.extend(f"enum {path}.{one.name} {value.name} {value.number}" for value in one.value)
        for one in message.nested_type:
            describe(one, f"{path}.{one.name}")

    for one in file.message_type:
        describe(one, one.name)
    for one in file.enum_type:
        found.extend(f"enum {one.name} {value.name} {value.number}" for value in one.value)
    return sorted(found)


def digest(rows: list[str]) -> str:
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()[:16]


if __name__ == "__main__":
    for name in NAMES:
        print(name, digest(lines(importlib.import_module(f"mindspore.train.{name}_pb2"))))
