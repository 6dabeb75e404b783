"""Primitives of two operands."""

from msbridge.ops.arithmetic import functions
from msbridge.ops.division import functions as division
from msbridge.ops.primitive import derive

DERIVED = (
    derive("Add", functions.add),
    derive("AddN", functions.addn),
    derive("AccumulateNV2", functions.accumulate_n),
    derive("Addcdiv", functions.addcdiv),
    derive("Addcmul", functions.addcmul),
    derive("Atan2", functions.atan2),
    derive("Div", division.div),
    derive("DivNoNan", division.div_no_nan),
    derive("FloorDiv", division.floor_div),
    derive("FloorMod", division.floor_mod),
    derive("Fmax", functions.fmax),
    derive("Fmin", functions.fmin),
    derive("Gcd", functions.gcd),
    derive("Heaviside", functions.heaviside),
    derive("Hypot", functions.hypot),
    derive("Lcm", functions.lcm),
    derive("Lerp", functions.lerp),
    derive("LerpScalar", functions.lerp),
    derive("Maximum", functions.maximum),
    derive("Minimum", functions.minimum),
    derive("Mod", division.truncate_mod),
    derive("Mul", functions.mul),
    derive("MulNoNan", functions.mul_no_nan),
    derive("NextAfter", functions.nextafter),
    derive("Pow", functions.pow),
    derive("RealDiv", division.real_div),
    derive("SquaredDifference", functions.squared_difference),
    derive("Sub", functions.sub),
    derive("TensorAdd", functions.add),
    derive("TruncateDiv", division.truncate_div),
    derive("TruncateMod", division.truncate_mod),
    derive("Xdivy", division.xdivy),
    derive("Xlogy", functions.xlogy),
)
