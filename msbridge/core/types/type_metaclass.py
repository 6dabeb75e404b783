"""The metaclass of types, which scripts call: `Float(32)`, `TensorType(mindspore.float32)`, `String()`."""

from typing import Any, ClassVar

# What a class returns without an argument, where its own name is not the type's.
DEFAULTS = {
    "Dict": "Dictionary",
    "FunctionType": "Func",
    "NoneType": "None",
    "TensorType": "Tensor",
    "TypeNull": "Null",
}


class TypeMeta(type):
    """The class of the classes of types: called with a name it makes a type, else it finds one of its own."""

    known: ClassVar[dict[str, Any]] = {}

    def __call__(cls, *arguments: Any) -> Any:
        """Make a type of (name, path, torch dtype); or return the one of so many bits, or of such elements."""
        if arguments and isinstance(arguments[0], str):
            made = super().__call__(*arguments)
            return cls.known.setdefault(made.name, made)
        if len(arguments) > 1 or not (arguments or cls.__name__ != "Type"):
            raise TypeError(f"{cls.__name__} takes the number of bits, or the type of the elements.")
        if not arguments or isinstance(arguments[0], list):  # what a list or a tuple holds is not distinguished
            name = DEFAULTS.get(cls.__name__, cls.__name__)
            return cls.known.get(name) or cls(name, name.lower())
        (given,) = arguments
        if cls.__name__ == "TensorType":
            if not isinstance(type(given), TypeMeta):
                raise TypeError(f"TensorType takes the type of the elements, got {given!r}.")
            return cls(f"Tensor[{given}]", f"tensor[{given!r}]".replace("mindspore.", ""))
        known = cls.known.get(f"{cls.__name__}{given}")
        if type(given) is not int or type(known) is not cls:
            kind = TypeError if type(given) is not int else RuntimeError
            raise kind(f"There is no type of {cls.__name__} with {given!r} bits.")
        return known


def element_of(name: str) -> Any:
    """Return the type of the elements of `Tensor[…]`, and None for the type of all tensors."""
    return TypeMeta.known.get(name.removeprefix("Tensor[").removesuffix("]")) if "[" in name else None


def by_name(name: str) -> Any:
    """Return the type of that name, as `str` returns it."""
    element = element_of(name)
    return TypeMeta.known[name] if element is None else type(TypeMeta.known["Tensor"])(element)


def issubclass_(type_: Any, dtype: Any) -> bool:
    """Whether a type is another one, or one of its kind, as Float32 is a Float and a Number.

    Follows: mindspore.issubclass_ (1.0).
    """
    if type_ == dtype:
        return True
    return dtype.torch is None and "[" not in dtype.name and isinstance(type_, type(dtype))


def type_to_type_id(dtype: Any) -> int:
    """Return the number of a type in MindSpore's engine.

    Raises:
        TypeError: it is not a type.
        ValueError: it has no number here.

    Follows: mindspore._c_expression.typing.type_to_type_id (2.10).
    """
    if not isinstance(type(dtype), TypeMeta):
        raise TypeError(f"type_to_type_id takes a type of mindspore, got {dtype!r}.")
    if dtype.name not in NUMBERS:
        raise ValueError(f"{dtype!r} has no number here.")
    return NUMBERS[dtype.name]


def type_id_to_type(number: int) -> Any:
    """Return the type of a number of MindSpore's engine.

    Raises:
        TypeError: it is not an int.
        ValueError: no type has it.

    Follows: mindspore._c_expression.typing.type_id_to_type (2.10).
    """
    if not isinstance(number, int):
        raise TypeError(f"type_id_to_type takes an int, got {number!r}.")
    found = next((name for name, value in NUMBERS.items() if value == number), None)
    if found is None:
        raise ValueError(f"There is no type of the number {number}.")
    return by_name(found)


def str_to_type(name: str) -> Any:
    """Return the type of a name such as "Float32", "float32" or "Tensor".

    Raises:
        RuntimeError: there is none.

    Follows: mindspore._c_expression.typing.str_to_type (2.10).
    """
    by_name = TypeMeta.known.get(name)
    if by_name is None:
        numbers = (known for known in TypeMeta.known.values() if known.torch is not None)
        by_name = next((known for known in numbers if known.name.lower() == name), None)
    if by_name is None:
        raise RuntimeError(f"Unsupported type name: {name}!")
    return by_name


NUMBERS = {
    "None": 7,
    "Number": 11,
    "String": 12,
    "List": 13,
    "Tuple": 14,
    "Tensor": 17,
    "Bool": 30,
    "Int": 31,
    "Int8": 32,
    "Int16": 33,
    "Int32": 34,
    "Int64": 35,
    "UInt": 36,
    "UInt8": 37,
    "UInt16": 38,
    "UInt32": 39,
    "UInt64": 40,
    "Float": 41,
    "Float16": 42,
    "Float32": 43,
    "Float64": 44,
    "BFloat16": 45,
    "Complex64": 51,
    "Complex128": 52,
}
