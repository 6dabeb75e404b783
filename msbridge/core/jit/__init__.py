"""Graph mode: what scripts mark for MindSpore's compiler, and compiling with torch where it is asked for."""

from msbridge.core.jit.compiler import *
from msbridge.core.jit.decorators import *
from msbridge.core.jit.graph_breaks import *
from msbridge.core.jit.input_signatures import *
from msbridge.core.jit.mutable import *
from msbridge.core.jit.settings import *
