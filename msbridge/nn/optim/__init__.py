"""Optimizers."""

from typing import TYPE_CHECKING

from msbridge.core.runtime.lazy_names import lazy_names, names_in
from msbridge.nn.public_names import FILES

_FILES = {module: names for module, names in FILES.items() if module.startswith("msbridge.nn.optim.")}

if TYPE_CHECKING:
    from msbridge.nn.optim.cells.adafactor import AdaFactor
    from msbridge.nn.optim.cells.adam import Adam, AdaMax, AdamOffload, AdamWeightDecay, Lamb, LazyAdam
    from msbridge.nn.optim.cells.adaptive import FTRL, Adadelta, Adagrad, ProximalAdagrad, RMSProp
    from msbridge.nn.optim.cells.lars import LARS
    from msbridge.nn.optim.cells.momentum import SGD, Momentum
    from msbridge.nn.optim.cells.optimizer import Optimizer
    from msbridge.nn.optim.cells.stepwise import ASGD, Rprop
else:
    __all__ = names_in(_FILES)

__getattr__, __dir__ = lazy_names(__name__, _FILES)
