"""Settings of a scan in pyproject.toml."""

from pathlib import Path

import pytest

from msbridge.scan.settings import SettingsError, project_settings


def settings_of(folder: Path, text: str) -> dict:
    (folder / "pyproject.toml").write_text(text)
    below = folder / "src" / "nets"
    below.mkdir(parents=True)
    return dict(project_settings(below))


def test_the_nearest_file_above_is_read(tmp_path: Path) -> None:
    text = '[tool.msbridge.scan]\nignore = ["yield"]\ngraph = true\nlevel = "refused"\n'
    assert settings_of(tmp_path, text) == {"ignore": ["yield"], "graph": True, "level": "refused"}


def test_a_project_without_settings(tmp_path: Path) -> None:
    assert settings_of(tmp_path, '[project]\nname = "nets"\n') == {}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("basline = 'b.json'", "has no setting 'basline'. Did you mean: 'baseline'?"),
        ("ignore = 'yield'", "ignore must be a list of strings, but is 'yield'."),
        ("ignore = [1]", "ignore must be a list of strings, but is [1]."),
        ("graph = 1", "graph must be true or false, but is 1."),
        ("level = 'grave'", "level must be one of refused, changed, fallback, advice, but is 'grave'."),
        ("level = [", "pyproject.toml: "),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, line: str, said: str) -> None:
    with pytest.raises(SettingsError) as caught:
        settings_of(tmp_path, f"[tool.msbridge.scan]\n{line}\n")
    assert said in str(caught.value)
