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
    logging.getLogger("msbridge.ME").handlers.clear()  # another test may have logged
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


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("1", (True, (1, 1))),
        (" 3 ", (True, (3, 3))),
        ("(1,3)", (True, (1, 3))),
        ("(,3)", (True, (1, 3))),
        ("(2,)", (True, (2, float("inf")))),
        ("(,)", (False, ())),
        ("1,2", (False, ())),
        ("(a,b)", (False, ())),
        ("", (False, ())),
        (None, (False, ())),
    ],
)
def test_the_levels_of_verbose_messages(text: str | None, levels: object) -> None:
    """The oracle's."""
    assert log.parse_vlog_level(text) == levels


def test_a_verbose_message_is_printed_where_its_level_is_named(monkeypatch, capsys) -> None:
    log.vlog_print("1", "ME", "/a/mindspore/b.py", 7, "hello")
    monkeypatch.setattr(log, "VLOG_VALID", True)
    monkeypatch.setattr(log, "VLOG_INDEX", (1, 2))
    log.vlog_print("1", "ME", "/a/mindspore/b.py", 7, "hello")
    log.vlog_print("3", "ME", "/a/mindspore/b.py", 7, "hello")
    out = capsys.readouterr().out
    assert re.fullmatch(r"\[V1\] ME\(\d+,\d+,python\):[\d.:-]+ \[mindspore/b\.py:7\] hello\n", out)


def test_an_action_warns_once_by_its_key() -> None:
    said = []

    class Logger:
        def warning(self, text: str) -> None:
            said.append(text)

    logger = Logger()
    once = log._LogActionOnce(logger=logger, key="once")(lambda text: logger.warning(text) or text)
    assert (once("a"), once("b"), said) == ("a", "b", ["a"])
    log._LogActionOnce(logger=logger, key="never", no_warning=True)(lambda text: logger.warning(text))("c")
    logger.warning("d")
    assert said == ["a", "d"]
