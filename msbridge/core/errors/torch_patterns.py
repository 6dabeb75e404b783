"""Why torch refused: what its errors mean, as reasons and classes of ours.

The patterns are those of torch 2.6 to 2.14 on CPU and CUDA; the first that is found counts.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ErrorMeaning:
    """The meaning of an error of torch's."""

    kind: type[Exception]  # the class that MindSpore raises for it
    reason: str  # what is wrong, or what is wanted
    patterns: tuple[str, ...]  # what torch's texts of this meaning have in them, regular expressions
    kinds: Mapping[str, type[Exception]] = field(default_factory=dict)  # calls for which MindSpore raises another class


MACHINE = re.compile(
    r"CUDA|(?i:cudnn)|CUBLAS|CUSOLVER|NCCL|\bNPU|can't allocate memory|out of memory|(?<!\(arg\) )INTERNAL ASSERT"
)
"""The device or its memory failed: no argument is wrong, and the text is for whoever looks after the machine.

An assertion about `(arg)` is of torch's reading of arguments: one of them is of another type.
"""

DEVICES = re.compile(
    r"on the same device|(object of|on) device(?: type)? \w+(:\d+)? (but|is not)|Input type .* and (weight|bias) type"
)
"""Tensors of several devices came together, or of several dtypes; on CUDA the text names a wrapper "CUDA" as well."""

AXIS = re.compile(r"expected to be in range of \[(-?\d+), (-?\d+)\], but got (-?\d+)")

DTYPES = re.compile(
    "|".join(
        (
            r"not implemented for '",
            r"expected (m1 and m2|scalar type|.* to have the same dtype)",
            r"[Ee]xpected (tensor|both inputs|object|floating|a (floating|complex)|input to be)",
            r"[Ee]xpected .* to be (a )?(floating|int)",
            r"same dtype",
            r"same scalar type",
            r"dtype to be equal",
            r"same type",
            r"\w+ did not match \w+",
            r"Expected dtype",
            r"mixed dtype",
            r"Input type .* and (weight|bias) type",
            r"can't be cast",
            r"should be the same",
            r"(only|to) (supports?|accepts?|Tensors of|be of) floating",
            r"Got: \w+$",
            r"not (currently |yet )?(implemented|support(ed)?) (for|with) (integral|bool|complex|input|dtype|Half)",
            r"(not|only) (implemented|supported|support)s? .*(complex|floating|integral|integer|boolean|dtype|[Tt]ype)",
            r"Subtraction, the `-` operator",
            r"Negation, the `-` operator",
            r"Can only calculate the mean of",
            r"is not supported for|does not support|isn't supported|not supported on",
            r"Promotion for",
            r"but (got|found|received|it (is|was))( input)?( of type| dtype)?:? '?(torch\.)?(c10::)?"
            r"([Ii]nt|[Ff]loat|[Bb]ool|Long|Double|Half|Char|Byte|Short|[Cc]omplex|uint8|bfloat)",
            r"must be (a )?(floating|integer|boolean|bool|real|complex|long|int)",
            r"(floating point|integral|boolean|integer|complex|real)[ -](valued )?(dtype|type|tensor|input|number)",
            r"tensors? used as indices must be",
            r"(?i:bool|integer|complex) inputs? not supported",
            r"Could not run '",
        )
    )
)

CAUSES = (
    ErrorMeaning(
        ValueError,
        "the shapes need to broadcast: each axis equal, or 1 in one of them",
        (
            "must match the size of tensor",
            "broadcast",
            "The expanded size of the tensor",
            r"expand\(.*number of sizes provided",
            "must match the existing size",
        ),
    ),
    ErrorMeaning(
        ValueError,
        "the shape must hold as many elements as the Tensor has",
        (
            "is invalid for input of size",
            "invalid shape dimension",
            "only one dimension can be inferred",
            "cannot reshape tensor of 0 elements",
            "unspecified dimension size -1",
            "view size is not compatible",
        ),
    ),
    ErrorMeaning(
        TypeError,
        "an axis must be an int",
        ("Name '.*' not found in Tensor",),  # before torch 2.13, which had names for axes
    ),
    ErrorMeaning(
        ValueError,
        "each axis must be named once",
        ("duplicate dims", "repeated dim", "dims should be unique"),
    ),
    ErrorMeaning(
        RuntimeError,
        "each axis must be named once",
        ("appears multiple times in the list",),
        dict.fromkeys(("std", "var", "std_mean", "var_mean", "norm", "flip", "numpy.mean", "squeeze"), ValueError),
    ),
    ErrorMeaning(
        ValueError,
        "the axes must be an order of all axes of the Tensor",
        (r"permute.*number of dimensions", r"number of dimensions in the tensor input does not match"),
    ),
    ErrorMeaning(
        ValueError,
        "the last axis of the first matrix must be as long as the last but one of the second",
        ("mat1 and mat2 shapes", r"Expected size for first two dimensions"),
        {"matmul": RuntimeError},
    ),
    ErrorMeaning(
        ValueError,
        "the axis that is halved must be of even length",
        ("Halving dimension must be even",),
        {"GLU": RuntimeError, "nn.GLU": ValueError},
    ),
    ErrorMeaning(
        RuntimeError,
        "the input must have as many channels (axis 1) as the weight takes, times the groups",
        ("Given (groups|transposed)=",),
        dict.fromkeys(
            ("Conv3d", "Conv3dTranspose", "conv3d", "mint.conv2d", *(f"mint.nn.Conv{rank}d" for rank in (1, 2, 3))),
            ValueError,
        ),
    ),
    ErrorMeaning(
        ValueError,
        "the kernel must not be larger than the padded input",
        ("Kernel size can't be greater", "Output size is too small", "smaller than kernel size"),
        dict.fromkeys(("avg_pool1d", "avg_pool2d", "avg_pool3d", "AvgPool", "AvgPool2d", "AvgPool3d"), RuntimeError),
    ),
    ErrorMeaning(
        ValueError,
        "the input has a wrong number of axes",
        (
            "expected for input",
            r"D \(batch mode\)",
            "Expected 2D or 3D",
            "same number of spatial dimensions",
            r"Expected \dD .* input to conv",
        ),
        {"mint.conv2d": RuntimeError, "mint.nn.Conv2d": RuntimeError},
    ),
    ErrorMeaning(
        ValueError,
        "these shapes do not multiply",
        (
            "size mismatch, got",
            "must be a matrix",
            "must be a 2-D matrix",
            "vector.*expected",
            "1D tensors expected",
            "inconsistent tensor size",
            "both arguments to matmul",
            "batch1|batch2",
        ),
    ),
    ErrorMeaning(
        ValueError,
        "a size must not be negative",
        ("negative dimension", "non-negative", "non negative", "negative size", "nonnegative"),
        {"bartlett_window": TypeError, "blackman_window": TypeError},
    ),
    ErrorMeaning(
        ValueError,
        "the shapes must be equal, but for the axis that is joined",
        (
            "Sizes of tensors must match",
            "Tensors must have same number of dimensions",
            "stack expects each tensor",
            r"zero-dimensional tensor .* cannot be concatenated",
        ),
    ),
    ErrorMeaning(ValueError, "there must be one Tensor or more", ("non-empty",)),
    ErrorMeaning(RuntimeError, "a number must fit in 64 bits", ("int too big to convert", "Overflow when unpacking")),
    ErrorMeaning(
        ValueError,
        "source and destination must name equally many axes",
        (r"movedim\(\) received an invalid", "Invalid source or destination dims"),
    ),
    ErrorMeaning(ValueError, "the sizes of the parts must sum to the length of the axis", ("sum exactly",)),
    ErrorMeaning(
        RuntimeError,
        "an index is out of range",
        (r"index .*is out of bounds", "index out of range", "out of bounds for dimension", "index -?\\d+ is out"),
    ),
    ErrorMeaning(
        RuntimeError,
        "each class number must be one of the classes that there are scores for",
        (r"Target -?\d+ is out of bounds",),
        {"mint.nll_loss": ValueError, "mint.nn.NLLLoss": ValueError},
    ),
    ErrorMeaning(RuntimeError, "the lowest number must be below the highest", ("'from' to be less than",)),
    ErrorMeaning(ValueError, "there must be a weight for each class", ("weight tensor should be defined",)),
    ErrorMeaning(
        ValueError,
        "there must be an element or more",
        ("non-zero size", "reduction dim to be specified"),
        {"argmax": RuntimeError, "argmin": RuntimeError},
    ),
    ErrorMeaning(
        ValueError,
        "there are fewer axes than this needs",
        ("has no dimensions", "must have at least", "too many indices", "at least one dimension", "at least \\d-?D"),
    ),
    ErrorMeaning(
        RuntimeError,
        "the value is needed for a gradient, and cannot change in place",
        ("leaf Variable", "needed for gradient", "modified by an inplace", "modified inplace"),
    ),
    ErrorMeaning(ValueError, "a matrix is singular", ("singular", "could not be completed", "not positive-definite")),
    ErrorMeaning(
        TypeError,
        "a value is of a wrong type",
        (
            "invalid literal",
            "could not convert string",
            "received an invalid combination",
            r"must be [\w ]+, not",
            "object is not",
        ),
    ),
)


def cause_of(message: str) -> ErrorMeaning | None:
    """Return the first cause one of whose patterns is in a text of torch's, or None."""
    return next((cause for cause in CAUSES if any(re.search(each, message) for each in cause.patterns)), None)
