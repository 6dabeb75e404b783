"""What all readers say of folders that are not there."""

import pytest

from msbridge.core.runtime import path_mapping
from msbridge.dataset.readers.source import check_file, check_folder


def test_an_absent_place_is_called_mapped_only_where_a_mapping_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match=r"^The folder \./absent/ does not exist"):
        check_folder("./absent/")
    with pytest.raises(ValueError, match=r"^The file \./absent does not exist"):
        check_file("./absent", "dataset_file")
    monkeypatch.setenv(path_mapping.VARIABLE, "/data=/absent")
    with pytest.raises(ValueError, match=r"^The folder /data/mnist \(mapped to /absent/mnist\) does not exist"):
        check_folder("/data/mnist")
