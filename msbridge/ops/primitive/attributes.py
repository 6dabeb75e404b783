"""The attributes of primitives, and what they say to MindSpore's compiler: all is kept, little is looked at.

Follows: mindspore.ops.Primitive (2.10).
"""

from collections.abc import Callable, Sequence
from typing import Any, Self

from msbridge.core.checks.arguments import instance, non_negative_int, one_of
from msbridge.distributed.layout import Layout
from msbridge.distributed.sharding.strategy_checks import divide_operator
from msbridge.ops.primitive.signatures import Signature, make_sig, sig_dtype


class PrimitiveAttributes:
    """Base of Primitive: its attributes."""

    name: str
    attrs: dict[str, Any]
    instance_name: str

    def __getattr__(self, name: str) -> Any:
        """Return an attribute that `add_attr` keeps; `infer_dynamic_shape` is None where a class has none."""
        added = self.__dict__.get("_added", {})
        if name in added:
            return added[name]
        if name == "infer_dynamic_shape":
            return None
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def add_prim_attr(self, name: str, value: Any) -> Self:
        """Keep an attribute under `name` and return this primitive.

        Follows: mindspore.ops.Primitive.add_prim_attr (2.10).
        """
        self.__dict__[name] = value
        self.attrs[name] = value
        return self

    def del_prim_attr(self, name: str) -> Self:
        """Forget an attribute and return this primitive."""
        if name in self.__dict__ and name in self.attrs:
            del self.__dict__[name], self.attrs[name]
        return self

    def add_attr(self, name: str, value: Any) -> None:
        """Keep an attribute that `attrs` and the printed form do not show."""
        self.__dict__.setdefault("_added", {})[name] = value

    def del_attr(self, name: str) -> None:
        """Forget an attribute that `add_attr` kept."""
        self.__dict__.get("_added", {}).pop(name, None)

    def get_attr_dict(self) -> dict[str, Any]:
        """Return all attributes in a new dict."""
        return {**self.attrs, **self.__dict__.get("_added", {})}

    def set_user_data(self, key: str, value: Any) -> None:
        """Keep an object with this primitive."""
        self.__dict__.setdefault("_user_data", {})[key] = value

    def get_user_data(self, key: str) -> Any:
        """Return the data kept by `set_user_data`.

        Raises:
            RuntimeError: it kept nothing of that name.
        """
        try:
            return self.__dict__["_user_data"][key]
        except KeyError:
            raise RuntimeError(f"For '{self.name}', there is no user data {key!r}.") from None

    def set_instance_name(self, name: str) -> None:
        """Name this object."""
        self.instance_name = name

    def set_signatures(self, signatures: Sequence[Signature]) -> None:
        """Keep the signatures of the arguments; types are promoted by the operators themselves."""
        self.__dict__["_signatures"] = tuple(signatures)

    def set_prim_type(self, kind: Any) -> None:
        """Keep which way of inference MindSpore's compiler takes; shapes are computed here."""
        self.__dict__["_prim_type"] = kind

    def set_const_prim(self, is_const_prim: bool) -> None:
        """Keep whether MindSpore's compiler computes this primitive; here it is computed when it is called."""
        self.__dict__["_is_const"] = is_const_prim

    def set_const_input_indexes(self, const_input_indexes: Sequence[int]) -> None:
        """Keep which inputs MindSpore's compiler wants as constants."""
        self.__dict__["_const_inputs"] = tuple(const_input_indexes)

    def set_hook_fn(self, hook_fn: Callable[..., Any], hook_type: Any) -> None:
        """Keep a function that MindSpore's engine calls on gradients; only operators of its own have one called.

        Raises:
            TypeError: `hook_fn` cannot be called.

        Follows: mindspore.ops.Primitive.set_hook_fn (2.10).
        """
        if not callable(hook_fn):
            raise TypeError(f"For '{self.name}', hook_fn must be a function, got {type(hook_fn).__name__}.")
        self.__dict__["_hook_fn"] = hook_fn, hook_type

    def set_inplace_prim(self, inplace_prim: bool) -> None:
        """Keep whether MindSpore's compiler lets this primitive write to its input."""
        self.__dict__["_is_inplace"] = inplace_prim

    def init_prim_io_names(self, inputs: list[str], outputs: list[str]) -> None:
        """Name the inputs and outputs.

        Follows: mindspore.ops.Primitive.init_prim_io_names (2.10).
        """
        self.add_prim_attr("input_names", inputs)
        self.add_prim_attr("output_names", outputs)

    def set_prim_instance_name(self, instance_name: str) -> Self:
        """Name this object."""
        self.instance_name = instance_name
        return self

    def set_stage(self, stage: int) -> Self:
        """Keep the pipeline stage, an attribute."""
        return self.add_prim_attr("stage", stage)

    def set_device(self, device_target: str) -> Self:
        """Keep the device that the script prefers; operators run where their tensors are."""
        return self.add_prim_attr("primitive_target", device_target)

    def shard(self, in_strategy: Any = None, out_strategy: Any = None) -> Self:
        """Set into how many parts the axes of the inputs are divided over several processes; one computes the whole.

        Args:
            in_strategy: for each input a tuple with the number of parts of each axis, or a Layout.
            out_strategy: likewise for the outputs.

        Raises:
            TypeError: a strategy is not a tuple of tuples of ints or of Layouts.
            ValueError: there is one for the output only, one is of tuples and the other of Layouts, or a Layout is
                not that of a tensor. Whether parts fit devices and inputs is seen when a network runs or compiles.

        Follows: mindspore.ops.Primitive.shard (2.10).
        """
        strategies = {"in": in_strategy, "out": out_strategy}
        kinds = [_has_layouts(self, side, one) for side, one in strategies.items() if one is not None]
        if in_strategy is None and out_strategy is not None:
            raise ValueError(f"For '{self.name}', out_strategy {out_strategy!r} needs an in_strategy.")
        if len(set(kinds) - {None}) > 1:
            raise ValueError(f"For '{self.name}', in_strategy and out_strategy must both be of tuples or of Layouts.")
        for side, strategy in strategies.items():
            if strategy is None:
                continue
            if kinds[0]:
                self.add_prim_attr(f"{side}_layout", tuple(map(_facts, strategy)))
            else:
                self.add_prim_attr(f"{side}_strategy", strategy)
        if kinds:
            divide_operator(self)
        return self

    def place(self, role: str, rank_id: int) -> None:
        """Keep on which process of a cluster this operator runs; a process here runs its own.

        Raises:
            ValueError: `role` is not "MS_WORKER", or `rank_id` is not an int of at least 0.

        Follows: mindspore.ops.Primitive.place (2.10).
        """
        one_of(role, "role", "Primitive.place", ("MS_WORKER",))
        non_negative_int(rank_id, "rank_id", "Primitive.place")
        self.add_prim_attr("ms_role", role)
        self.add_prim_attr("rank_id", rank_id)

    def _fill_signature(self, signatures: Sequence[Any]) -> tuple[Signature, ...]:
        """Return signatures from signatures, types of arguments, or the arguments of `make_sig`."""
        filled = []
        for description in signatures:
            if isinstance(description, Signature | sig_dtype):
                filled.append(description if isinstance(description, Signature) else make_sig(dtype=description))
            elif len(description) < 3:
                raise ValueError(f"For '{self.name}', a signature has at least three parts, got {description!r}.")
            else:
                filled.append(make_sig(*description))
        return tuple(filled)


# Operators whose inputs may be tuples of Tensors, with a strategy for each.
_NESTED = ("Custom", "FusedInferAttentionScore", "GroupedMatmul", "Index")


def _has_layouts(primitive: Any, side: str, strategy: Any) -> bool | None:
    """Return whether a strategy is of Layouts, and None of an empty one.

    Raises:
        TypeError: it is of something else.
    """
    name = primitive.name
    for part in instance(strategy, f"{side}_strategy", name, tuple):
        instance(part, f"element of {side}_strategy", name, (tuple, Layout))
        for parts in part if isinstance(part, tuple) else ():
            if not isinstance(parts, int) and name not in _NESTED and not primitive.attrs.get("self_define_shard"):
                raise TypeError(f"For '{name}', the {side}_strategy {strategy} must have ints, but got {parts!r}.")
    return isinstance(strategy[0], Layout) if strategy else None


def _facts(layout: Any) -> Any:
    """Return the stored part of a Layout, or of several in a tuple: all but the devices' numbers."""
    if isinstance(layout, tuple):
        return tuple(map(_facts, layout))
    return {name: value for name, value in layout.to_dict().items() if name != "rank_list"}
