from pathlib import Path

from tests.docs import made

made.project()
Path("nets").mkdir()  # the clone of a repository
Path("nets/train.py").write_text("import mindspore as ms\n")
