"""Primitives of two operands."""

from msbridge.ops.arithmetic import functions as arithmetic
from msbridge.ops.division import functions as division
from msbridge.ops.primitive import derive

DERIVED = (
    derive("Add", arithmetic.add),
    derive("AddN", arithmetic.addn),
    derive("AccumulateNV2", arithmetic.accumulate_n),
    derive("Addcdiv", arithmetic.addcdiv),
    derive("Addcmul", arithmetic.addcmul),
    derive("Atan2", arithmetic.atan2),
    derive("Div", division.div),
    derive("DivNoNan", division.div_no_nan),
    derive("FloorDiv", division.floor_div),
    derive("FloorMod", division.floor_mod),
    derive("Fmax", arithmetic.fmax),
    derive("Fmin", arithmetic.fmin),
    derive("Gcd", arithmetic.gcd),
    derive("Heaviside", arithmetic.heaviside),
    derive("Hypot", arithmetic.hypot),
    derive("Lcm", arithmetic.lcm),
    derive("Lerp", arithmetic.lerp),
    derive("LerpScalar", arithmetic.lerp),
    derive("Maximum", arithmetic.maximum),
    derive("Minimum", arithmetic.minimum),
    derive("Mod", division.truncate_mod),
    derive("Mul", arithmetic.mul),
    derive("MulNoNan", arithmetic.mul_no_nan),
    derive("NextAfter", arithmetic.nextafter),
    derive("Pow", arithmetic.pow),
    derive("RealDiv", division.real_div),
    derive("SquaredDifference", arithmetic.squared_difference),
    derive("Sub", arithmetic.sub),
    derive("TensorAdd", arithmetic.add),
    derive("TruncateDiv", division.truncate_div),
    derive("TruncateMod", division.truncate_mod),
    derive("Xdivy", division.xdivy),
    derive("Xlogy", arithmetic.xlogy),
)
