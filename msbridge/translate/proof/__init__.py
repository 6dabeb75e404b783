"""The proof of a translation: the user's torch module and the translated Cell, run side by side, fault by line.

The names are imported when they are asked for: the command line shows its help without torch.
"""

from typing import TYPE_CHECKING

from msbridge.core.runtime.lazy_names import lazy_names

if TYPE_CHECKING:
    from msbridge.translate.proof.proving import Fault, Proof, prove

__all__ = ["Fault", "Proof", "prove"]

__getattr__, __dir__ = lazy_names(__name__, {"msbridge.translate.proof.proving": "Fault Proof prove"})
