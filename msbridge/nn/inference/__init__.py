"""Inference that is prepared: normalisation folded into weights, fused activations, packed weights.

optimize(cell) ── first call with inputs of some shapes ──► trace.py     the ATen graph of `construct`
│
a plan, if it is right and faster            ▼
call ──► prepared.py: is the plan of today? ──► run      fusion.py    convolutions and Dense with what follows
│ no                                        │
▼                                           ▼
`construct`, as ever                       kernels.py   oneDNN's, with packed weights; measured
"""

from msbridge.nn.inference.optimize import Preparation, optimize, preparations

__all__ = ["Preparation", "optimize", "preparations"]
