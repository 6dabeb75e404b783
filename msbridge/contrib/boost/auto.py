"""AutoBoost: which methods of boost a level and a script's settings turn on."""

from collections.abc import Mapping
from typing import Any

from msbridge.contrib.boost.base import OptimizerProcess, ParameterProcess
from msbridge.contrib.boost.grad_freeze import FreezeOpt, GradientFreeze
from msbridge.contrib.boost.less_batch_normalization import LessBN
from msbridge.core.checks.arguments import one_of
from msbridge.nn.cell.cell import Cell
from msbridge.nn.optim.cells.optimizer import Optimizer

__all__ = ["AutoBoost"]

_METHODS = ("less_bn", "grad_freeze", "adasum", "grad_accumulation", "dim_reduce", "loss_scale_group")
_LEVELS: dict[str, set[str]] = {
    "O0": set(),
    "O1": {"less_bn", "grad_freeze"},
    "O2": {"less_bn", "grad_freeze", "adasum"},
}
_MODES = ("auto", "manual", "enable_all", "disable_all")
# What is not here, and why. Adasum works between servers of eight devices each: on fewer MindSpore leaves it out, too.
_ABSENT = {
    "dim_reduce": "it needs the principal components of weights that were saved on an Ascend",
    "loss_scale_group": "loss scales by layer are a part of MindSpore's compiler",
}
_SETTINGS = {
    "fn_flag": "_fn_flag",
    "gc_flag": "_gc_flag",
    "param_groups": "_param_groups",
    "freeze_type": "_freeze_type",
    "freeze_p": "_freeze_p",
    "total_steps": "_total_steps",
    "gradient_split_groups": "gradient_groups",
    **{name: name for name in ("device_number", "grad_accumulation_step", "rho", "gamma", "alpha", "sigma")},
    **{name: name for name in ("n_components", "pca_mat_path", "weight_load_dir", "timeout")},
}


class AutoBoost:
    """The methods of boost that are on. There is one object: called without arguments, it stays as it was set.

    Args:
        level: "O0", "O1" or "O2"; another one is "O0".
        boost_config_dict: {"boost": {"mode": …}, "common": {…}, "less_bn": {…}, …}: with the mode "manual", what is
            beside it turns methods on and off; "enable_all" and "disable_all" do so for all.

    Raises:
        ValueError: the mode is unknown; or a setting has another type.
        NotImplementedError: a method is turned on that is not here.

    Follows: mindspore.boost.AutoBoost (2.10).
    """

    _instance: "AutoBoost | None" = None
    level: str

    def __new__(cls, *args: Any, **kwargs: Any) -> "AutoBoost":
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance

    def __init__(self, level: str | None = None, boost_config_dict: Mapping[str, Any] | str | None = None) -> None:
        if level is None and boost_config_dict is None and "level" in self.__dict__:
            return
        self.level = level if level in _LEVELS else "O0"
        self.boost_config_dict = boost_config_dict or ""
        self._fn_flag, self._gc_flag = True, True
        self._param_groups, self._freeze_type, self._freeze_p, self._total_steps = 10, 1, 0.7, 65536
        self.gradient_groups: list[int] | None = None
        self.device_number, self.grad_accumulation_step, self.timeout = 8, 1, 1800
        self.rho, self.gamma, self.alpha, self.sigma, self.n_components = 0.55, 0.9, 0.001, 0.4, 32
        self.pca_mat_path: str | None = None
        self.weight_load_dir: str | None = None
        self.boost_config = self._configuration(boost_config_dict or {})
        self._param_processer = ParameterProcess()

    def _configuration(self, given: Any) -> dict[str, bool]:
        config = {method: method in _LEVELS[self.level] for method in _METHODS}
        chosen = given.get("boost", {})
        mode = chosen.get("mode", "auto")
        one_of(mode, "mode", None, _MODES)
        if mode == "manual":
            config |= {method: bool(value) for method, value in chosen.items() if method in config}
        elif mode != "auto":
            config = dict.fromkeys(_METHODS, mode == "enable_all")
        for method, reason in _ABSENT.items():
            if config[method]:
                raise NotImplementedError(f"mindspore.boost: '{method}' is not available in msbridge: {reason}.")
        for part, settings in given.items():
            if part == "common" or config.get(part):
                for name, value in settings.items():
                    self._set(name, value)
        return config

    def _set(self, name: str, value: Any) -> None:
        if name == "gradient_split_groups":
            if not isinstance(value, list | int):
                raise ValueError(f"gradient_groups `{value}` is not in (list, int)")
            value = [value] if isinstance(value, int) else value
        if name in _SETTINGS:
            setattr(self, _SETTINGS[name], value)

    def network_auto_process_train(self, network: Cell, optimizer: Optimizer) -> tuple[Cell, Optimizer | FreezeOpt]:
        """Return network and optimizer with the methods that are on applied.

        Follows: mindspore.boost.AutoBoost.network_auto_process_train (2.10).
        """
        changed: Any = optimizer
        if self.boost_config["less_bn"]:
            network = LessBN(network, self._fn_flag)
            process = OptimizerProcess(optimizer)
            grouped = self._param_processer.assign_parameter_group(network.trainable_params(), self.gradient_groups)
            process.origin_params = ParameterProcess.generate_group_params(grouped, process.origin_params)
            if self._gc_flag:
                process.add_grad_centralization(network)
            changed = process.generate_new_optimizer()
        if self.boost_config["grad_freeze"]:
            freezing = GradientFreeze(self._param_groups, self._freeze_type, self._freeze_p, self._total_steps)
            network, changed = freezing.freeze_generate(network, changed)
        if self.boost_config["adasum"]:
            changed.adasum = True
        return network, changed

    def network_auto_process_eval(self, network: Cell) -> Cell:
        """Return the network for evaluation.

        Follows: mindspore.boost.AutoBoost.network_auto_process_eval (2.10).
        """
        return LessBN(network) if self.boost_config["less_bn"] else network
