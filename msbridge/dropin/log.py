"""MindSpore's logging functions, on Python's `logging`, to stderr.

The level is that of the environment variable GLOG_v, under `msbridge run` at the first import of it, else at
the first message: 0 debug, 1 info, 2 warning (the default), 3 error, 4 critical.
"""

import logging
import math
import os
import re
import sys
import threading
import time
from collections.abc import Callable
from datetime import datetime
from functools import cache, wraps
from typing import Any, ClassVar

from msbridge.core.runtime import log_level, standard_streams

VLOG_VARIABLE = "VLOG_v"
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")  # by number
LOGGER_LEVEL = log_level.DEFAULT  # these five are MindSpore's defaults, as its environment variables spell them
STD_ON = "1"
STD_OFF = "0"
MAX_BYTES = str(50 * 1024 * 1024)
BACKUP_COUNT = "30"
VLOG_LEVELS = re.compile(r"\s*(?:(-?\d+)|\(\s*(-?\d+)?\s*,\s*(-?\d+)?\s*\))\s*")
LINE = "[%(levelname)s] ME(%(process)d:%(thread)d,%(processName)s):%(asctime)s [%(pathname)s:%(lineno)d] %(message)s"


def debug(msg: object, *args: object, **kwargs: Any) -> None:
    """Log a message of level debug; `args` fill its % placeholders, `kwargs` are those of `logging.debug`.

    Follows: mindspore.log.debug (2.10).
    """
    _logger().debug(msg, *args, **_from_caller(kwargs))


def info(msg: object, *args: object, **kwargs: Any) -> None:
    """Log a message of level info.

    Follows: mindspore.log.info (2.10).
    """
    _logger().info(msg, *args, **_from_caller(kwargs))


def warning(msg: object, *args: object, **kwargs: Any) -> None:
    """Log a message of level warning.

    Follows: mindspore.log.warning (2.10).
    """
    _logger().warning(msg, *args, **_from_caller(kwargs))


def error(msg: object, *args: object, **kwargs: Any) -> None:
    """Log a message of level error.

    Follows: mindspore.log.error (2.10).
    """
    _logger().error(msg, *args, **_from_caller(kwargs))


def critical(msg: object, *args: object, **kwargs: Any) -> None:
    """Log a message of level critical.

    Follows: mindspore.log.critical (2.10).
    """
    _logger().critical(msg, *args, **_from_caller(kwargs))


def get_level() -> str:
    """Return the level as GLOG_v spells it, "0" to "4".

    Returns:
        A string.

    Raises:
        ValueError: GLOG_v is something else.

    Follows: mindspore.log.get_level (2.10).
    """
    level = log_level.level()
    if level not in set("01234"):
        raise ValueError(f"GLOG_v must be 0, 1, 2, 3 or 4, got {level!r}.")
    return level


def get_log_config() -> dict[str, str]:
    """Return the settings in effect: the level, and that messages go to stderr.

    Returns:
        name → value.

    Follows: mindspore.log.get_log_config (2.10).
    """
    return {log_level.VARIABLE: get_level(), "GLOG_logtostderr": "1"}


def parse_vlog_level(s: str | None) -> tuple[bool, tuple[float, ...]]:
    """Return whether the text of VLOG_v names levels, and the lowest and highest of them.

    Args:
        s: a number, or a range such as "(1,3)", "(2,)" or "(,3)".

    Follows: mindspore.log.parse_vlog_level (2.10).
    """
    found = VLOG_LEVELS.fullmatch(s or "")
    if found is None:
        return False, ()
    single, low, high = found.groups()
    if single:
        return True, (int(single), int(single))
    if not (low or high):
        return False, ()
    return True, (int(low or 1), int(high) if high else math.inf)


VLOG_VALID, VLOG_INDEX = parse_vlog_level(os.environ.get(VLOG_VARIABLE))


def vlog_print(level: str | int, module: str, file: str, line: int, message: str) -> None:
    """Print a message to stdout if VLOG_v names its level.

    Follows: mindspore.log.vlog_print (2.10).
    """
    if not (VLOG_VALID and VLOG_INDEX[0] <= int(level) <= VLOG_INDEX[1]):
        return
    now = datetime.now()
    moment = f"{now:%Y-%m-%d-%H:%M:%S}.{now.microsecond // 1000:03d}.{now.microsecond // 1000}"
    path = "mindspore" + file.rpartition("mindspore")[2]
    head = f"[V{level}] {module}({os.getpid()},{threading.get_ident()},python):{moment}"
    standard_streams.write(sys.stdout, f"{head} [{path}:{line}] {message}\n")


class _LogActionOnce:
    """A decorator that lets the warnings of a function through in its first call with this key.

    Args:
        logger: what the function warns with, an object or module with `warning`.
        key: what is said once.
        no_warning: say nothing the first time either.

    Follows: mindspore.log._LogActionOnce (2.10).
    """

    is_logged: ClassVar[dict[Any, bool]] = {}

    def __init__(self, logger: Any, key: Any, no_warning: bool = False) -> None:
        self.logger = logger
        self.key = key
        self.no_warning = no_warning

    def __call__(self, func: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(func)
        def once(*args: Any, **kwargs: Any) -> Any:
            said = getattr(self.logger, "warning", None)
            if said is None or not (self.no_warning or self.key in self.is_logged):
                self.is_logged[self.key] = True
                return func(*args, **kwargs)
            self.logger.warning = lambda *_, **__: None
            try:
                return func(*args, **kwargs)
            finally:
                self.logger.warning = said

        return once


class _Formatter(logging.Formatter):
    """MindSpore's line, with the time in milliseconds and three more digits."""

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        moment = time.strftime("%Y-%m-%d-%H:%M:%S", self.converter(record.created))
        return f"{moment}.{int(record.msecs):03d}.000"


class _ToStderr(logging.Handler):
    """Writes to what sys.stderr is at the time of the message."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            text = self.format(record)
        except Exception:  # the message and its arguments do not fit: as ever, `logging` shows where
            self.handleError(record)
            return
        standard_streams.write(sys.stderr, f"{text}\n")


@cache
def _logger() -> logging.Logger:
    logger = logging.getLogger("msbridge.ME")
    logger.setLevel(LEVELS[int(get_level())])
    logger.propagate = False
    handler = _ToStderr()
    handler.setFormatter(_Formatter(LINE))
    logger.addHandler(handler)
    return logger


_get_logger = _logger


def _from_caller(kwargs: dict[str, Any]) -> dict[str, Any]:
    """Set the line's location to that of the caller."""
    return {**kwargs, "stacklevel": kwargs.get("stacklevel", 1) + 1}
