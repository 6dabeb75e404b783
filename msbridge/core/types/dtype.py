"""MindSpore's dtype objects and their conversions to torch, numpy and Python types.

Follows: mindspore.common.dtype (2.10), with the names that earlier releases had.
"""

import builtins
import enum
import importlib.util
import inspect
from collections.abc import Callable

import numpy as np
import torch

from msbridge.core.types.type_metaclass import TypeMeta, by_name, element_of, issubclass_

__all__ = [
    "Int", "QuantDtype", "TensorType", "Type", "_NullType", "_null", "all_types", "bfloat16", "bool", "bool_",
    "byte", "cdouble", "cfloat", "complex64", "complex128", "double", "dtype_to_nptype", "dtype_to_pytype", "float",
    "float8_e4m3fn", "float8_e5m2", "float16", "float32", "float64", "float_", "float_type", "function",
    "get_py_obj_dtype", "half", "hifloat8", "int", "int8", "int16", "int32", "int64", "int_", "int_type", "intc",
    "intp", "issubclass_", "list_", "long", "number", "number_type", "pytype_to_dtype", "qint4x2", "short",
    "single", "string", "tensor_type", "tuple_", "type_none", "type_size_in_bytes", "ubyte", "uint", "uint8",
    "uint16", "uint32", "uint64", "uint_type", "uintc", "uintp", "ushort",
]  # fmt: skip


class Type(metaclass=TypeMeta):
    """A MindSpore type; `str()` returns its short name, `repr()` its qualified one.

    Attributes:
        torch: the torch dtype of tensors of this type, or None for an abstract type.
    """

    __slots__ = ("_path", "name", "torch")

    def __init__(self, name: str, path: str, torch_dtype: torch.dtype | None = None) -> None:
        self.name = name
        self.torch = torch_dtype
        self._path = path

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"mindspore.{self._path}"

    def __eq__(self, other: object) -> builtins.bool:
        return self is other or (isinstance(other, Type) and other.name == self.name)

    def __hash__(self) -> builtins.int:
        return hash(self.name)

    def __reduce__(self) -> tuple[Callable[[str], "Type"], tuple[str]]:
        return by_name, (self.name,)

    def __copy__(self) -> "Type":
        return self

    def __deepcopy__(self, memo: object) -> "Type":
        return self

    @property
    def itemsize(self) -> builtins.int:
        """Bytes of one element."""
        return dtype_to_torch(self).itemsize

    @property
    def is_floating_point(self) -> builtins.bool:
        """Whether elements are floating point numbers."""
        return dtype_to_torch(self).is_floating_point

    @property
    def is_complex(self) -> builtins.bool:
        """Whether elements are complex numbers."""
        return dtype_to_torch(self).is_complex

    @property
    def is_signed(self) -> builtins.bool:
        """Whether elements have a sign."""
        return dtype_to_torch(self).is_signed

    def to_real(self) -> "Type":
        """Return the real type of the same precision."""
        return from_torch(dtype_to_torch(self).to_real())

    def to_complex(self) -> "Type":
        """Return the complex type of the same precision."""
        return from_torch(dtype_to_torch(self).to_complex())


class Number(Type):
    """A type of numbers."""

    __slots__ = ()


class Int(Number):
    """A signed integer type."""

    __slots__ = ()


class UInt(Number):
    """An unsigned integer type."""

    __slots__ = ()


class Float(Number):
    """A floating point type."""

    __slots__ = ()


class BFloat(Number):
    """A brain floating point type."""

    __slots__ = ()


class Bool(Number):
    """The boolean type."""

    __slots__ = ()


class Complex(Number):
    """A complex type."""

    __slots__ = ()


class String(Type):
    """The type of text."""

    __slots__ = ()


class TensorType(Type):
    """The type of tensors."""

    __slots__ = ()

    def element_type(self) -> Type | None:
        """Return the type of the elements, or None for the type of all tensors."""
        found: Type | None = element_of(self.name)
        return found


class List(Type):
    """The type of lists."""

    __slots__ = ()


class Tuple(Type):
    """The type of tuples."""

    __slots__ = ()


class Dict(Type):
    """The type of dictionaries."""

    __slots__ = ()


class FunctionType(Type):
    """The type of functions."""

    __slots__ = ()


class NoneType(Type):
    """The type of None."""

    __slots__ = ()


TypeNull, AnythingType, Ellipsis_, CSRTensorType, EnvType, MsClassType, RefType, Slice = (
    TypeMeta(name, (Type,), {"__slots__": (), "__module__": __name__})
    for name in ["TypeNull", "AnythingType", "Ellipsis_", "CSRTensorType", "EnvType", "MsClassType", "RefType", "Slice"]
)
_NullType = TypeNull  # these classes are what else the compiler of MindSpore distinguishes


int8: Int = Int("Int8", "int8", torch.int8)
int16: Int = Int("Int16", "int16", torch.int16)
int32: Int = Int("Int32", "int32", torch.int32)
int64: Int = Int("Int64", "int64", torch.int64)
uint8: UInt = UInt("UInt8", "uint8", torch.uint8)
uint16: UInt = UInt("UInt16", "uint16", torch.uint16)
uint32: UInt = UInt("UInt32", "uint32", torch.uint32)
uint64: UInt = UInt("UInt64", "uint64", torch.uint64)
float16: Float = Float("Float16", "float16", torch.float16)
float32: Float = Float("Float32", "float32", torch.float32)
float64: Float = Float("Float64", "float64", torch.float64)
bfloat16: BFloat = BFloat("BFloat16", "bfloat16", torch.bfloat16)
float8_e4m3fn: Float = Float("Float8E4M3FN", "float8_e4m3fn", torch.float8_e4m3fn)
float8_e5m2: Float = Float("Float8E5M2", "float8_e5m2", torch.float8_e5m2)
complex64: Complex = Complex("Complex64", "complex64", torch.complex64)
complex128: Complex = Complex("Complex128", "complex128", torch.complex128)
bool_: Bool = Bool("Bool", "bool", torch.bool)

hifloat8: Float = Float("HiFloat8", "hifloat8")  # these two are of the Ascend: no tensor here can have them
qint4x2: Int = Int("Int4", "int4")

number: Number = Number("Number", "number")
int_: Int = Int("Int", "int")
uint: UInt = UInt("UInt", "uint")
float_: Float = Float("Float", "float")
string: String = String("String", "string_")
tensor_type: TensorType = TensorType("Tensor", "tensor")
list_: List = List("List", "list_")
tuple_: Tuple = Tuple("Tuple", "tuple_")
function: FunctionType = FunctionType("Func", "function")
type_none: NoneType = NoneType("None", "type_none")
type_type: Type = Type("TypeType", "type_type")
index_slices: Type = Type("RowTensor", "RowTensor")
coo_tensor: Type = Type("COOTensor", "COOTensor")
csr_tensor: Type = CSRTensorType("CSRTensor", "CSRTensor")
undetermined: Type = Type("Undetermined", "undetermined")
_null = TypeNull("Null", "Null")
env_type: Type = EnvType("EnvType", "EnvType")
symbolic_key: Type = Type("SymType", "SymType")
type_refkey: Type = Type("RefKeyType", "type_refkey")

byte = int8
short = int16
intc = int32
intp = int64
long = int64
ubyte = uint8
ushort = uint16
uintc = uint32
uintp = uint64
half = float16
single = float32
double = float64
cfloat = complex64
cdouble = complex128
NUMBERS = (  # what every operator takes, of those in `number_type`
    *(int8, int16, int32, int64, uint8, uint16, uint32, uint64),
    *(float16, float32, float64, bfloat16, complex64, complex128),
)
number_type = (*NUMBERS, qint4x2, float8_e4m3fn, float8_e5m2, hifloat8)
int_type = (int8, int16, int32, int64)
uint_type = (uint8, uint16, uint32, uint64)
signed_type = (int8, byte, int16, short, int32, intc, int64, intp, float16, half, float32, single, float64, double)
float_type = (float16, float32, float64, bfloat16, float8_e4m3fn, float8_e5m2, hifloat8)
complex_type = (complex64, complex128)
all_types = (bool_, *number_type)

_CONCRETE = (bool_, *NUMBERS, float8_e4m3fn, float8_e5m2)
FROM_TORCH: dict[torch.dtype, Type] = {dtype.torch: dtype for dtype in _CONCRETE if dtype.torch is not None}
FROM_NAME = {dtype.name: dtype for dtype in tuple(globals().values()) if isinstance(dtype, Type)}
_FROM_NUMPY = {
    np.dtype(str(dtype.torch).removeprefix("torch.")): dtype for dtype in (bool_, *NUMBERS) if dtype is not bfloat16
}
_TO_NUMPY: dict[object, type] = {dtype: numpy_dtype.type for numpy_dtype, dtype in _FROM_NUMPY.items()}
_TO_PYTHON: dict[type[Type], type] = {Bool: builtins.bool, Int: builtins.int, UInt: builtins.int, Complex: complex}
_TO_PYTHON |= {Float: builtins.float, BFloat: builtins.float, String: str, List: list, Tuple: tuple, Dict: dict}
_simple_types = {
    builtins.bool: bool_,
    builtins.int: int64,
    builtins.float: float64,
    complex: complex128,
    str: string,
    np.str_: string,
    list: list_,
    tuple: tuple_,
    type(None): type_none,
}


class QuantDtype(enum.Enum):
    """The integer types of quantised values: `INT1` … `UINT16`.

    Follows: mindspore.QuantDtype (2.0).
    """

    INT1, INT2, INT3, INT4, INT5, INT6, INT7, INT8 = range(8)
    INT9, INT10, INT11, INT12, INT13, INT14, INT15, INT16 = range(8, 16)
    UINT1, UINT2, UINT3, UINT4, UINT5, UINT6, UINT7, UINT8 = range(100, 108)
    UINT9, UINT10, UINT11, UINT12, UINT13, UINT14, UINT15, UINT16 = range(108, 116)

    def value(self) -> builtins.int:
        """Return its number.

        Follows: mindspore.QuantDtype.value (2.0).
        """
        return builtins.int(self._value_)


def from_torch(dtype: torch.dtype) -> Type:
    """Return the MindSpore type of a torch dtype.

    Raises:
        TypeError: MindSpore has no such type.
    """
    try:
        return FROM_TORCH[dtype]
    except KeyError:
        raise TypeError(f"MindSpore has no type for {dtype}.") from None


def from_numpy(dtype: np.dtype | type) -> Type:
    """Return the MindSpore type of a numpy dtype.

    Raises:
        TypeError: MindSpore has no such type.
    """
    numpy_dtype = np.dtype(dtype)
    if numpy_dtype in _FROM_NUMPY:
        return _FROM_NUMPY[numpy_dtype]
    if numpy_dtype.name in FROM_TORCH_NAMES:
        return FROM_TORCH_NAMES[numpy_dtype.name]
    raise TypeError(f"MindSpore has no type for numpy's {numpy_dtype}.")


FROM_TORCH_NAMES = {str(dtype).removeprefix("torch."): value for dtype, value in FROM_TORCH.items()}


def dtype_to_torch(dtype: Type) -> torch.dtype:
    """Return the torch dtype of tensors of a MindSpore type.

    Raises:
        TypeError: `dtype` is not a concrete MindSpore type.
    """
    data_type: torch.dtype | None = getattr(dtype, "torch", None)
    if data_type is None:
        raise TypeError(f"The dtype must be one of MindSpore's number types, such as mindspore.float32, got {dtype!r}.")
    return data_type


def of_group(dtype: Type) -> Type:
    """Return the dtype that a cast to a group of dtypes makes.

    Raises:
        TypeError: a cast makes nothing of it.
    """
    groups: dict[Type, Type] = {int_: int32, float_: float32}
    if dtype not in groups:
        raise TypeError(f"For 'cast', the dtype must be one of MindSpore's number types, got {dtype!r}.")
    return groups[dtype]


def torch_of(dtype: Type | None) -> torch.dtype | None:
    """Return the torch dtype of a MindSpore type, and None for None.

    Raises:
        TypeError: `dtype` is something else.
    """
    return None if dtype is None else dtype_to_torch(dtype)


def dtype_to_nptype(type_: Type) -> type:
    """Return the numpy scalar class of a MindSpore type; bfloat16's comes from the package ml_dtypes.

    Raises:
        KeyError: the type has none.

    Follows: mindspore.dtype_to_nptype (2.10).
    """
    if type_ in (bfloat16, float8_e4m3fn, float8_e5m2):
        import ml_dtypes

        scalar: type = getattr(ml_dtypes, str(type_.torch).removeprefix("torch."))
        return scalar
    return _TO_NUMPY[type_]


def dtype_to_pytype(type_: Type) -> type:
    """Return the Python class of a MindSpore type's elements.

    Follows: mindspore.dtype_to_pytype (2.10).
    """
    return _TO_PYTHON[type(type_)]


def pytype_to_dtype(obj: type) -> Type:
    """Return the MindSpore type of a Python or numpy class; a Python float is Float64 here.

    Raises:
        TypeError: `obj` is not a class.
        NotImplementedError: the class has no MindSpore type.

    Follows: mindspore.pytype_to_dtype (2.10).
    """
    if isinstance(obj, Type):
        return obj
    if isinstance(obj, np.dtype):
        return from_numpy(obj)
    if not isinstance(obj, type):
        raise TypeError(f"For 'pytype_to_dtype', obj must be a Python class such as int or float, got {obj!r}.")
    if obj in _simple_types:
        return _simple_types[obj]
    if issubclass(obj, np.generic):
        return from_numpy(obj)
    raise NotImplementedError(f"For 'pytype_to_dtype', {obj!r} has no MindSpore type.")


def get_py_obj_dtype(obj: object) -> Type:
    """Return the MindSpore type of a Python object or class; of primitives, Cells and Python functions, `function`.

    Raises:
        NotImplementedError: there is no MindSpore type for it.

    Follows: mindspore.get_py_obj_dtype (2.10).
    """
    dtype = getattr(obj, "dtype", None)
    if isinstance(dtype, Type):
        return TensorType(dtype)  # type: ignore[arg-type, call-arg]  # its metaclass takes a type
    if isinstance(obj, Type):
        return type_type
    if hasattr(obj, "__primitive_flag__") or hasattr(obj, "construct") or inspect.isfunction(obj):
        return function
    return pytype_to_dtype(obj if isinstance(obj, type) else type(obj))


def type_size_in_bytes(dtype: Type) -> builtins.int:
    """Return the bytes of one element of `dtype`."""
    return dtype.itemsize


def np_dtype_valid(is_needed: builtins.bool) -> builtins.bool:
    """Whether numpy can have a bfloat16 that is needed, which the package ml_dtypes brings.

    Follows: mindspore.common.np_dtype.np_dtype_valid (2.10).
    """
    return is_needed and importlib.util.find_spec("ml_dtypes") is not None


def __getattr__(name: str) -> type:
    if name == "np_bfloat16":
        return dtype_to_nptype(bfloat16)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)


_dtype_to_nptype, _pytype_to_dtype = dtype_to_nptype, pytype_to_dtype  # what libraries import


bool = bool_
int = int32
float = float32
