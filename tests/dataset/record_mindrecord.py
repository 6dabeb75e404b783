"""Let MindSpore write and answer `mindrecord_cases.py`: `python tests/dataset/record_mindrecord.py`, in an environment
that has it."""

import json
import os
import pathlib
import sys
import tempfile
import zipfile

import mindspore.dataset as ds
from mindspore.mindrecord import FileReader, FileWriter, MindPage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from tests.dataset.mindrecord_cases import ASKED, CHANGED, WRITTEN, names, outcome, stored, write

TARGET = pathlib.Path(__file__).resolve().with_name("mindrecord.zip")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, case in WRITTEN.items():
            write(FileWriter, name, case)
        files = sorted(path for path in pathlib.Path().iterdir() if path.is_file())
        with zipfile.ZipFile(TARGET, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for path in files:
                archive.writestr(zipfile.ZipInfo(path.name), path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
            answers = {
                "asked": {each: outcome(each, names(FileWriter, FileReader, MindPage, ds)) for each in ASKED},
                "stored": {name: stored(FileWriter, FileReader, name, change) for name, change in CHANGED.items()},
            }
            text = json.dumps(answers, indent=1, ensure_ascii=False)
            archive.writestr(zipfile.ZipInfo("answers.json"), text, zipfile.ZIP_DEFLATED, 9)
        os.chdir(pathlib.Path(__file__).parent)


if __name__ == "__main__":
    main()
