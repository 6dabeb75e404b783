"""What scripts need of their machine: an Ascend, packages, files at fixed places."""

from pathlib import Path

import pytest

from msbridge.scan import scan


def found(folder: Path, section: str, text: str) -> list[tuple[int, str]]:
    (folder / "train.py").write_text(text)
    return [(one.line, one.rule.what) for one in scan([folder], [section]).findings]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("from mindspore import ops\ny = ops.cholesky(x)", "an Ascend has no ops.cholesky"),
        ("from mindspore.ops import operations as P\ny = P.Cholesky()(x)", "an Ascend has no ops.Cholesky"),
        ("import mindspore as ms\ny = ms.ops.mm(x.astype(ms.float64), w)", "an Ascend has no ops.mm for float64"),
        ("import mindspore as ms\ny = ms.ops.mm(x, w)", None),
        ("from mindspore import ops\ny = ops.cholesky(x)  # msbridge: ignore[ascend-lacks]", None),
    ],
)
def test_what_an_ascend_lacks_is_told(tmp_path: Path, text: str, what: str | None) -> None:
    assert found(tmp_path, "ascend", text) == ([] if what is None else [(2, what)])


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ('ms.set_context(device_target="Ascend")', "an Ascend is asked for"),
        ('if target == "Ascend" or target in ["Ascend", "GPU"]: pass', None),
        ('parser.add_argument("--target", choices=["Ascend", "GPU"], default="CPU")', None),
        ("ms.set_context(ascend_config={})", "set_context(ascend_config)"),
        ('os.environ["ASCEND_VISIBLE_DEVICES"]', "ASCEND_VISIBLE_DEVICES"),
        ('os.getenv("RANK_TABLE_FILE")', "RANK_TABLE_FILE"),
        ("ms.ops.NPUGetFloatStatus()", "NPUGetFloatStatus"),
        ("import acl", "acl"),
        ('ms.set_context(device_target="GPU")', None),
        ("'''Ascend and ASCEND_ in a text'''", None),
        ('ms.set_context(device_target="Ascend")  # msbridge: ignore[ascend]', None),
    ],
)
def test_what_only_an_ascend_has(tmp_path: Path, line: str, key: str | None) -> None:
    seen = found(tmp_path, "ascend", f"import os\nimport mindspore as ms\n{line}\n")
    assert [(at, what.partition(" belongs")[0]) for at, what in seen] == ([(3, key)] if key else [])


@pytest.mark.parametrize(
    ("expression", "is_path"),
    [
        ('"/data/imagenet/train"', True),
        ('"/cache"', True),
        ('"~/datasets/coco"', True),
        ('r"D:\\data\\coco"', True),
        ('"obs://bucket/data"', True),
        ('root + "/images/train"', False),
        ('f"{root}/images/train"', False),
        ('"/usr/bin/env"', False),
        ('"/tmp/is_ready"', False),
        ('"a/b"', False),
        ('"https://a.b/c"', False),
        ('"/ 3"', False),
    ],
)
def test_paths_of_data(tmp_path: Path, expression: str, is_path: bool) -> None:
    assert len(found(tmp_path, "data", f"root = ''\nx = {expression}\n")) == is_path


def test_packages_that_are_not_installed_are_told_once(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("import no_such_package.inner")
    text = "import os, torch\nimport mindspore\nimport mine\nfrom no_such_package import x\n"
    text += "try:\n    import another_one\nexcept ImportError:\n    pass\n"
    assert found(tmp_path, "packages", text) == [(1, "the package no_such_package is not installed")]
    assert scan([tmp_path], ["packages"]).packages == {"another_one": False, "no_such_package": False, "torch": True}
