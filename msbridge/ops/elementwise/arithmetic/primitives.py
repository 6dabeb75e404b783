"""Primitives of two operands."""

from msbridge.ops.elementwise.arithmetic import functions, kernels
from msbridge.ops.elementwise.arithmetic.kernels import div_no_nan, real_div
from msbridge.ops.elementwise.combinations import functions as combinations
from msbridge.ops.primitive.primitive import derive

DERIVED = (
    derive("Add", functions.add),
    derive("AddN", combinations.addn),
    derive("AccumulateNV2", combinations.accumulate_n),
    derive("Addcdiv", combinations.addcdiv),
    derive("Addcmul", combinations.addcmul),
    derive("Atan2", functions.atan2),
    derive("Div", functions.div),
    derive("DivNoNan", div_no_nan),
    derive("FloorDiv", functions.floor_div),
    derive("FloorMod", functions.floor_mod),
    derive("Fmax", functions.fmax),
    derive("Fmin", functions.fmin),
    derive("Gcd", functions.gcd),
    derive("Heaviside", functions.heaviside),
    derive("Hypot", functions.hypot),
    derive("Lcm", functions.lcm),
    derive("Lerp", combinations.lerp),
    derive("LerpScalar", combinations.lerp),
    derive("Maximum", functions.maximum),
    derive("Minimum", functions.minimum),
    derive("Mod", functions.truncate_mod),
    derive("Mul", functions.mul),
    derive("MulNoNan", kernels.mul_no_nan),
    derive("NextAfter", functions.nextafter),
    derive("Pow", functions.pow),
    derive("RealDiv", real_div),
    derive("SquaredDifference", kernels.squared_difference),
    derive("Sub", functions.sub),
    derive("TensorAdd", functions.add),
    derive("TruncateDiv", functions.truncate_div),
    derive("TruncateMod", functions.truncate_mod),
    derive("Xdivy", functions.xdivy),
    derive("Xlogy", functions.xlogy),
)
