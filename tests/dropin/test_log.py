"""mindspore.log: the line it writes (that of the real MindSpore 2.10), and the level."""

import logging
import re
from collections.abc import Iterator

import pytest

from msbridge.dropin import log

MOMENT = r"\d{4}-\d\d-\d\d-\d\d:\d\d:\d\d\.\d{3}\.000"
LINE = rf"\[WARNING\] ME\(\d+:\d+,MainProcess\):{MOMENT} \[.*test_log\.py:\d+\] loss is 3\n"


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("GLOG_v", raising=False)
    log._logger.cache_clear()
    yield
    logging.getLogger("msbridge.ME").handlers.clear()
    log._logger.cache_clear()


def test_a_warning_names_the_place_that_warns(capsys: pytest.CaptureFixture[str]) -> None:
    log.warning("loss is %d", 3)
    assert re.fullmatch(LINE, capsys.readouterr().err)


def test_info_is_silent_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    log.info("step")
    assert not capsys.readouterr().err


def test_the_environment_sets_the_level(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("GLOG_v", "1")
    log.info("step")
    assert "step" in capsys.readouterr().err


def test_a_level_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLOG_v", "loud")
    with pytest.raises(ValueError, match="GLOG_v must be 0, 1, 2, 3 or 4, got 'loud'"):
        log.get_level()


def test_the_settings_are_told() -> None:
    assert log.get_log_config() == {"GLOG_v": "2", "GLOG_logtostderr": "1"}


def test_the_defaults_are_mindspores() -> None:
    found = (log.LOGGER_LEVEL, log.STD_ON, log.STD_OFF, log.MAX_BYTES, log.BACKUP_COUNT)
    assert found == ("2", "1", "0", "52428800", "30")
