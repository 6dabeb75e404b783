"""Let MindSpore answer the lines of `folder_cases`: `python tests/dataset/record_folders.py [TOPIC ...]`, where it is.

Each line is put to a process of its own: some files end the process that reads them, which is recorded as "crash".
"""

import contextlib
import gzip
import json
import os
import pathlib
import signal
import sys
import tempfile
import time

import mindspore as ms
import mindspore.dataset
from mindspore import mindrecord

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from tests.dataset.folder_case import HERE, TOPICS, lines, names, outcome

PATIENCE_S, SLOW_S = 120, 10


def asked_apart(topic: str, line: str, folder: pathlib.Path) -> object:
    answer = folder / "answer.json"
    (folder / "files").mkdir()
    child = os.fork()
    if not child:
        os.setpgid(0, 0)
        signal.alarm(PATIENCE_S)
        os.chdir(folder / "files")
        try:
            answer.write_text(json.dumps(outcome(topic, line, names(ms, mindrecord))), encoding="utf-8")
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    with contextlib.suppress(ProcessLookupError):  # worker processes that it left
        os.killpg(child, signal.SIGKILL)
    return json.loads(answer.read_text(encoding="utf-8")) if answer.exists() else "crash"


def main() -> None:
    for topic in sys.argv[1:] or TOPICS:
        answers = {}
        for line in lines(topic)[1]:
            begin = time.monotonic()
            with tempfile.TemporaryDirectory() as folder:
                answers[line] = asked_apart(topic, line, pathlib.Path(folder).resolve())
            if time.monotonic() - begin > SLOW_S:
                print("slow:", line, flush=True)
        text = json.dumps(answers, ensure_ascii=False, indent=0)
        (HERE / f"{topic}.json.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))
        print(topic, len(answers), flush=True)


if __name__ == "__main__":
    main()
