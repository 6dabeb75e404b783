"""Steps in few dimensions: a quasi-Newton step on the principal components, momentum on what they leave."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import torch

from msbridge.core.parameter.parameter import Parameter, ParameterTuple
from msbridge.core.tensor.tensor import Tensor, wrap
from msbridge.distributed.groups.communicator import Communicator
from msbridge.distributed.groups.group import HCCL_WORLD_COMM_GROUP, communicator
from msbridge.nn.cell.cell import Cell

__all__ = ["DimReduce"]

SEARCHES = 2
MIN_CURVATURE = 1e-20
Parts = list[torch.Tensor]


class DimReduce(Cell):
    """Updates weights by a quasi-Newton step in the space of `pca_mat_local`, and by momentum outside of it.

    A call takes the loss, its gradients, the loss scale, the weights, their copies, and the network's inputs; it
    returns the loss. The step in the space is tried with powers of `rho` until the loss falls enough, at most twice;
    else it is left out. The copies hold the weights of the last call.

    Args:
        network: returns the loss.
        optimizer: takes steps off the weights.
        weight: the parameters.
        pca_mat_local: the components of this process, one per row, as wide as all weights together.
        n_components: the components of all processes.
        rho: the factor of a shorter step.
        gamma: how much of the momentum stays.
        alpha: the factor of the momentum in a step.
        sigma: how much of the fall that the gradient promises a step must win.
        rank: this process's number.
        rank_size: how many processes divide the components.

    Follows: mindspore.boost.DimReduce (2.10).
    """

    def __init__(
        self,
        network: Cell,
        optimizer: Cell,
        weight: Iterable[Parameter],
        pca_mat_local: np.ndarray,
        n_components: int,
        rho: float,
        gamma: float,
        alpha: float,
        sigma: float,
        rank: int,
        rank_size: int,
    ) -> None:
        super().__init__()
        self.network = network
        self.optimizer = optimizer
        self.rank = rank
        self.rank_size = rank_size
        self.gamma, self.alpha, self.sigma = gamma, alpha, sigma
        self.n_components = n_components
        self.rho_list = [float(rho) ** power for power in range(SEARCHES)]
        weights = ParameterTuple(weight)
        sizes = [one.size for one in weights]
        columns = np.split(np.asarray(pca_mat_local)[:, : sum(sizes)], np.cumsum(sizes)[:-1], axis=1)
        self.pca_list_local = tuple(Tensor(part.astype(np.float32)) for part in columns)
        for name in ("gk_last", "sk", "gk_last_back"):
            setattr(self, name, Parameter(Tensor(np.zeros((n_components, 1), np.float32)), name=name))
        for name in ("bk", "bk_back"):
            setattr(self, name, Parameter(Tensor(np.eye(n_components, dtype=np.float32)), name=name))
        self.gk_last_init = Parameter(Tensor(False), name="gk_last_init")
        for name in ("grad_res_momentum", "grad_proj_init", "dn_init"):
            setattr(self, name, weights.clone(prefix=name, init="zeros"))

    def construct(
        self,
        loss: Tensor,
        old_grad: Sequence[Tensor],
        loss_scale: Tensor,
        weight: Sequence[Parameter],
        weight_clone: Sequence[Parameter],
        *inputs: Any,
    ) -> Tensor:
        with torch.no_grad():
            self._update(loss, old_grad, loss_scale, weight, weight_clone, inputs)
        return loss

    def _update(
        self,
        loss: Tensor,
        old_grad: Sequence[Tensor],
        loss_scale: Tensor,
        weight: Sequence[Parameter],
        weight_clone: Sequence[Parameter],
        inputs: tuple[Any, ...],
    ) -> None:
        gradients = [one._data.float() / loss_scale._data for one in old_grad]
        old_loss = self._mean(loss._data)
        parts = [pca._data @ one.reshape(-1, 1) for pca, one in zip(self.pca_list_local, gradients, strict=True)]
        local = torch.stack(parts).sum(0)
        gk = self._gather(local)
        _keep(self.gk_last_back, self.gk_last._data)
        _keep(self.bk_back, self.bk._data)
        dk = self._quasi_newton_step(gk)
        step = self._back(self._local_part(dk), gradients)
        inside = self._back(local, gradients)
        rho = 0.0
        for candidate in self.rho_list:
            self._apply([-candidate * one for one in step])
            new_loss = self._mean(self.network(*inputs)._data)
            for parameter, copy in zip(weight, weight_clone, strict=True):
                _keep(parameter, copy._data)
            if bool(old_loss + self.sigma * candidate * (gk.mT @ dk).squeeze() > new_loss):
                _keep(self.sk, candidate * dk)
                rho = candidate
                break
        else:
            _keep(self.gk_last, self.gk_last_back._data)
            _keep(self.bk, self.bk_back._data)
        updates = []
        for momentum, gradient, part, along in zip(self.grad_res_momentum, gradients, inside, step, strict=True):
            _keep(momentum, self.gamma * momentum._data + gradient - part)
            updates.append(self.alpha * momentum._data - rho * along)
        self._apply(updates)
        for parameter, copy in zip(weight, weight_clone, strict=True):
            _keep(copy, parameter._data)

    def _quasi_newton_step(self, gk: torch.Tensor) -> torch.Tensor:
        """Improve the inverse Hessian by the last step (BFGS), and return the next one."""
        if bool(self.gk_last_init._data):
            change, last = gk - self.gk_last._data, self.sk._data
            curvature = (change.mT @ last).squeeze()
            if bool(curvature > MIN_CURVATURE):
                left = torch.eye(self.n_components, device=gk.device) - change @ last.mT / curvature
                _keep(self.bk, left.mT @ self.bk._data @ left + last @ last.mT / curvature)
        else:
            self.gk_last_init._data.fill_(True)
        _keep(self.gk_last, gk)
        step: torch.Tensor = -(self.bk._data @ gk)
        return step

    def _apply(self, steps: Parts) -> None:
        self.optimizer(tuple(wrap(one) for one in steps))

    def _back(self, local: torch.Tensor, gradients: Parts) -> Parts:
        """Return components in the space of the weights, of all processes together."""
        parts = [
            (pca._data.mT @ local).reshape(one.shape) for pca, one in zip(self.pca_list_local, gradients, strict=True)
        ]
        world = self._world()
        return [world.all_reduce(one, "sum") for one in parts] if world else parts

    def _local_part(self, dk: torch.Tensor) -> torch.Tensor:
        count = self.n_components // self.rank_size
        own: torch.Tensor = dk[self.rank * count : (self.rank + 1) * count]
        return own

    def _gather(self, local: torch.Tensor) -> torch.Tensor:
        world = self._world()
        return (world.all_gather(local) if world else local).reshape(-1, 1)[: self.n_components]

    def _mean(self, loss: torch.Tensor) -> torch.Tensor:
        """Return the mean of the processes' losses; of several, rounded down, as MindSpore divides."""
        world = self._world()
        if world is None:
            return loss
        mean: torch.Tensor = world.all_reduce(loss, "sum") // self.rank_size
        return mean

    def _world(self) -> Communicator | None:
        return communicator(HCCL_WORLD_COMM_GROUP, "DimReduce") if self.rank_size > 1 else None


def _keep(parameter: Parameter, value: torch.Tensor) -> None:
    parameter._data.copy_(value)
