"""Primitives of two operands."""

from msbridge.ops import arithmetic, division
from msbridge.ops.primitive import derive

__all__ = [
    "AccumulateNV2",
    "Add",
    "AddN",
    "Addcdiv",
    "Addcmul",
    "Atan2",
    "Div",
    "DivNoNan",
    "FloorDiv",
    "FloorMod",
    "Fmax",
    "Fmin",
    "Gcd",
    "Heaviside",
    "Hypot",
    "Lcm",
    "Lerp",
    "LerpScalar",
    "Maximum",
    "Minimum",
    "Mod",
    "Mul",
    "MulNoNan",
    "NextAfter",
    "Pow",
    "RealDiv",
    "SquaredDifference",
    "Sub",
    "TensorAdd",
    "TruncateDiv",
    "TruncateMod",
    "Xdivy",
    "Xlogy",
]

Add = derive("Add", arithmetic.add)
AddN = derive("AddN", arithmetic.addn)
AccumulateNV2 = derive("AccumulateNV2", arithmetic.accumulate_n)
Addcdiv = derive("Addcdiv", arithmetic.addcdiv)
Addcmul = derive("Addcmul", arithmetic.addcmul)
Atan2 = derive("Atan2", arithmetic.atan2)
Div = derive("Div", division.div)
DivNoNan = derive("DivNoNan", division.div_no_nan)
FloorDiv = derive("FloorDiv", division.floor_div)
FloorMod = derive("FloorMod", division.floor_mod)
Fmax = derive("Fmax", arithmetic.fmax)
Fmin = derive("Fmin", arithmetic.fmin)
Gcd = derive("Gcd", arithmetic.gcd)
Heaviside = derive("Heaviside", arithmetic.heaviside)
Hypot = derive("Hypot", arithmetic.hypot)
Lcm = derive("Lcm", arithmetic.lcm)
Lerp = derive("Lerp", arithmetic.lerp)
LerpScalar = derive("LerpScalar", arithmetic.lerp)
Maximum = derive("Maximum", arithmetic.maximum)
Minimum = derive("Minimum", arithmetic.minimum)
Mod = derive("Mod", division.truncate_mod)
Mul = derive("Mul", arithmetic.mul)
MulNoNan = derive("MulNoNan", arithmetic.mul_no_nan)
NextAfter = derive("NextAfter", arithmetic.nextafter)
Pow = derive("Pow", arithmetic.pow)
RealDiv = derive("RealDiv", division.real_div)
SquaredDifference = derive("SquaredDifference", arithmetic.squared_difference)
Sub = derive("Sub", arithmetic.sub)
TensorAdd = derive("TensorAdd", arithmetic.add)
TruncateDiv = derive("TruncateDiv", division.truncate_div)
TruncateMod = derive("TruncateMod", division.truncate_mod)
Xdivy = derive("Xdivy", division.xdivy)
Xlogy = derive("Xlogy", arithmetic.xlogy)
