"""Methods of Tensor."""

from msbridge.ops.arithmetic import functions
from msbridge.ops.contents import same

SAME = same(
    functions,
    "add addcdiv addcmul arctan2 atan2 copysign div divide float_power floor_divide fmax fmin fmod gcd "
    "heaviside hypot lcm ldexp lerp logaddexp logaddexp2 maximum minimum mul multiply nextafter pow remainder "
    "sub subtract true_divide xdivy xlogy",
)
