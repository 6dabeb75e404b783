"""The argument checks as MindSpore 1.x has them: static methods of a class."""

import inspect

from msbridge.core.runtime.defining_modules import defining_module
from msbridge.dropin.checkparam import checkparam, shapes, types


class Validator:
    """The checks of `mindspore._checkparam` as static methods, under the same names.

    Follows: mindspore._checkparam.Validator (1.10).
    """

    INC_NEITHER, INC_LEFT = checkparam.INC_NEITHER, checkparam.INC_LEFT
    INC_RIGHT, INC_BOTH = checkparam.INC_RIGHT, checkparam.INC_BOTH


for _module in (checkparam, shapes, types):
    for _name, _check in vars(_module).items():
        if inspect.isfunction(_check) and defining_module(_check) == _module.__name__ and not _name.startswith("_"):
            setattr(Validator, _name, staticmethod(_check))
