"""The Adam family: a running mean of the gradients and one of their squares for each parameter."""

from typing import Any

from msbridge.core.parameter.step_scalars import Scalar
from msbridge.nn.optim.engine import Bucket, Engine
from msbridge.ops.training.optimizer_updates import rules
from msbridge.ops.training.optimizer_updates.lists import Tensors

__all__ = ["Moments"]


class Moments(Engine):
    """m = β1·m + (1-β1)·g; v = β2·v + (1-β2)·g²; p -= lr / (1-β1^t)·m / (√v / √(1-β2^t) + eps).

    A subclass keeps the moments and says what its variant differs in; one with another rule defines `_update`.
    """

    _takes_decay = True
    _is_decoupled = False  # whether weight decay shrinks the parameters themselves, by lr·decay
    _is_eps_corrected = True  # whether eps is added to the corrected root, as written above, or to √v
    _moments: tuple[str, str] = ("exp_avg", "exp_avg_sq")
    _largest = "max_exp_avg_sq"

    def _update(self, bucket: Bucket, p: Tensors, g: Tensors) -> None:
        m, v = self._means(bucket)
        v_max = bucket.of(getattr(self, self._largest)) if self._is_amsgrad(bucket) else None
        betas, eps, decay, step = self._betas(bucket), self._eps(bucket), bucket.decay, bucket.step
        settings: dict[str, Any] = {"is_decoupled": self._is_decoupled, "overflow": bucket.overflow}
        if self._is_eps_corrected:
            rules.adam(p, g, m, v, v_max, bucket.lr, betas, eps, decay, step, **settings)
        else:
            rules.adam(p, g, m, v, v_max, self._corrected_rate(bucket), betas, eps, decay, **settings)

    def _means(self, bucket: Bucket) -> tuple[Tensors, Tensors]:
        """Return m and v of a bucket."""
        first, second = self._moments
        return bucket.of(getattr(self, first)), bucket.of(getattr(self, second))

    def _corrected_rate(self, bucket: Bucket) -> Scalar:
        """Return lr·√(1-β2^t) / (1-β1^t)."""
        return rules.corrected_rate(bucket.lr, self._powers(bucket))

    def _powers(self, bucket: Bucket) -> tuple[Scalar, Scalar]:
        """Return β1^t and β2^t."""
        beta1, beta2 = self._betas(bucket)
        return beta1**bucket.step, beta2**bucket.step

    def _betas(self, bucket: Bucket) -> tuple[float, float]:
        """Return β1 and β2."""
        return bucket.options["betas"]  # type: ignore[no-any-return]

    def _eps(self, bucket: Bucket) -> float:
        return bucket.options["eps"]  # type: ignore[no-any-return]

    def _is_amsgrad(self, bucket: Bucket) -> Any:
        """Whether the largest v so far represents v in the quotient."""
        return bucket.options["amsgrad"]
