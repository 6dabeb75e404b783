"""Names of earlier releases of Pillow. Judge: Pillow 9.5.0, where `Image.ANTIALIAS == Image.LANCZOS`."""

from pathlib import Path

import pytest

from tests.processes import msbridge

SCRIPT = """
import mindspore, sys
assert "PIL.Image" not in sys.modules
from PIL import Image
assert Image.ANTIALIAS == Image.LANCZOS
assert Image.LINEAR == Image.BILINEAR
assert Image.CUBIC == Image.BICUBIC
assert Image.new("L", (4, 4)).resize((2, 2), Image.ANTIALIAS).size == (2, 2)
try:
    Image.no_such_name
except AttributeError as error:
    print(error)
"""


@pytest.mark.process
def test_a_script_finds_the_old_names_of_pictures(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SCRIPT)
    done = msbridge("run", "a.py", cwd=tmp_path)
    assert done.stdout == "module 'PIL.Image' has no attribute 'no_such_name'\n"
    assert done.stderr.count("Pillow has no `ANTIALIAS` since 10.0; `msbridge run` takes PIL.Image.LANCZOS.") == 1
