"""Loss scales of groups of layers. Judge of what is kept: MindSpore 2.10; of the products: their formula."""

import numpy as np

from msbridge import Tensor
from msbridge.contrib.boost.group_loss_scale_manager import GroupLossScaleManager


def test_scales_of_groups():
    manager = GroupLossScaleManager(4.0, [["a"], ["b"]])
    assert manager.get_loss_scale() == 4.0
    assert manager.get_update_cell() is manager
    manager.set_loss_scale_status(2, 8.0)
    assert [one.name for one in manager.dynamic_loss_scale] == [f"layer_loss_scale_{place}" for place in range(4)]
    assert [float(one) for one in manager.dynamic_loss_scale] == [1, 8, 8, 1]
    assert float(manager.update_loss_scale_status(1, 0.5)) == 4
    assert [float(one) for one in manager.dynamic_loss_scale] == [1, 8, 4, 1]
    x = Tensor(np.array([1.0, -2.0], np.float32))
    np.testing.assert_allclose(manager(x, 1, 2).asnumpy(), [2, -4])


def test_scales_from_a_list():
    manager = GroupLossScaleManager(4.0, [])
    manager.set_loss_scale_status(2, [Tensor(2.0), Tensor(3.0)])
    assert [float(one) for one in manager.dynamic_loss_scale] == [1, 2, 3, 1]
