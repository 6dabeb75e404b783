"""Graph mode: what scripts mark for MindSpore's compiler, and compiling with torch where it is asked for."""

from msbridge.core.jit.breaks import *
from msbridge.core.jit.compiling import *
from msbridge.core.jit.marks import *
from msbridge.core.jit.mutable import *
from msbridge.core.jit.settings import *
from msbridge.core.jit.signatures import *
