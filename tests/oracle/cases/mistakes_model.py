"""Mistakes with Model, callbacks, metrics and checkpoints: the class of the error."""

import mindspore.dataset as ds
import numpy as np
from mindspore import Tensor, nn, train  # noqa: F401  used by the expressions

from tests.oracle.case import each

ONES = Tensor(np.ones((2, 3), np.float32))
NET = nn.Dense(3, 1)
OPT = nn.SGD(NET.trainable_params(), 0.01)


def data() -> ds.Dataset:
    one = np.ones((4, 3), np.float32)
    return ds.NumpySlicesDataset((one, one[:, :1]), ["x", "y"], shuffle=False).batch(2)


CASES = [
    *each(
        """
        train.Model(NET, nn.MSELoss(), OPT).train(1, 1)
        train.Model(NET, nn.MSELoss(), OPT).train(1, None)
        train.Model(NET, nn.MSELoss(), OPT).train(1, 'a')
        train.Model(NET, nn.MSELoss(), OPT).train(1, [1])
        train.Model(NET, nn.MSELoss(), OPT, {'mse'}).eval(1)
        train.Model(NET, nn.MSELoss(), OPT, {'mse'}).eval(None)
    """,
        raises=AttributeError,
    ),
    *each(
        """
        ms.save_checkpoint(NET, '')
    """,
        raises=IsADirectoryError,
    ),
    *each(
        """
        train.Model(NET, nn.MSELoss(), OPT, {'acc', 'abc'})
        train.get_metric_fn(1)
        train.get_metric_fn(None)
    """,
        raises=KeyError,
    ),
    *each(
        """
        ms.load_param_into_net(NET, {'weight': Parameter(Tensor(np.ones((2, 2)), ms.float32))})
        ms.load_param_into_net(NET, {'weight': Parameter(Tensor(np.ones((3, 1)), ms.float32))})
        ms.load_param_into_net(NET, {'weight': Parameter(Tensor(np.ones((1, 3)), ms.int32))})
        ms.load_param_into_net(NET, {'weight': Parameter(Tensor(np.ones((1, 3)), ms.float16))}, strict_load=True)
        train.Model(NET, nn.MSELoss(), OPT, {'mse'}).build(1)
        train.Model(NET, nn.MSELoss(), OPT, {'mse'}).build()
        train.Model(NET, nn.MSELoss(), OPT, {'mse'}).build(data(), sink_size='a')
    """,
        raises=RuntimeError,
    ),
    *each(
        """
        ms.load_checkpoint(1)
        ms.load_param_into_net(NET, {'weight': Tensor(np.ones((1, 3)), ms.float32)})
        ms.load_param_into_net(NET, {'weight': None})
        ms.load_param_into_net(NET, None)
        ms.load_param_into_net(NET, {}, strict_load='a')
        ms.save_checkpoint(1, 'a.ckpt')
        ms.save_checkpoint(NET, 1)
        ms.save_checkpoint(NET)
        ms.save_checkpoint([{'name': 'w'}], 'a.ckpt')
        ms.save_checkpoint([{'name': 'w', 'data': 'abc'}], 'a.ckpt')
        ms.save_checkpoint(NET, 'a.ckpt', async_save=1)
        ms.save_checkpoint(NET, 'a.ckpt', append_dict={'a': object()})
        ms.save_checkpoint(NET, 'a.ckpt', append_dict={'a': [1]})
        train.CheckpointConfig(save_checkpoint_steps='a')
        train.CheckpointConfig(keep_checkpoint_max='a')
        train.CheckpointConfig(async_save=1)
        train.CheckpointConfig(append_info=1)
        train.CheckpointConfig(exception_save='a')
        train.ModelCheckpoint(directory=1)
        train.ModelCheckpoint(config='a')
        train.LossMonitor(1.5)
        train.EarlyStopping(monitor=1)
        train.EarlyStopping(min_delta='a')
        train.EarlyStopping(restore_best_weights='a')
        train.ReduceLROnPlateau(patience='a')
        train.ReduceLROnPlateau(min_lr='a')
        train.DynamicLossScaleManager(scale_factor='a')
        train.FixedLossScaleManager('a')
        train.Model(None)
        train.Model(NET, nn.MSELoss(), 1)
        train.Model(NET, nn.MSELoss(), OPT, 1)
        train.Model(NET, nn.MSELoss(), OPT, {'a': 1})
        train.Model(NET, nn.MSELoss(), OPT, loss_scale_manager=1)
        train.Model(NET, nn.MSELoss(), OPT).train(1.5, data())
        train.Model(NET, nn.MSELoss(), OPT).train(1)
        train.Model(NET, nn.MSELoss(), OPT).train(1, data(), callbacks='a')
        train.Model(NET, nn.MSELoss(), OPT).train(1, data(), callbacks=train.LossMonitor)
        train.Model(NET, nn.MSELoss(), OPT).train(1, data(), dataset_sink_mode=1)
        train.Model(NET, nn.MSELoss(), OPT).train(1, data(), dataset_sink_mode=False, initial_epoch='a')
        train.Model(NET, nn.MSELoss(), OPT, {'mse'}).eval(data(), dataset_sink_mode='a')
        train.Model(NET).train(1, data())
        train.Accuracy('abc')
        train.Accuracy().update('a', 'b')
        train.ConfusionMatrix('a')
        train.Fbeta('a')
        train.Dice('a')
        train.Perplexity('a')
        train.auc([1, 2], [1])
        ms.amp.build_train_network(1, OPT)
        ms.amp.DynamicLossScaler(1024, 'a', 1)
        ms.amp.StaticLossScaler('a')
    """,
        raises=TypeError,
    ),
    *each(
        """
        ms.save_checkpoint(NET, 'a.ckpt', async_save='abc')
        ms.save_checkpoint(NET, 'a.ckpt', format='abc')
        ms.save_checkpoint(NET, 'a.ckpt', enc_key=1)
        ms.safetensors_to_ckpt('nosuch.safetensors', 'out')
        train.CheckpointConfig(keep_checkpoint_max=-1)
        train.CheckpointConfig(append_info=['abc'])
        train.ModelCheckpoint(prefix=1)
        train.ModelCheckpoint(prefix=None)
        train.EarlyStopping(mode='abc')
        train.ReduceLROnPlateau(factor=1.5)
        train.DynamicLossScaleManager(0)
        train.DynamicLossScaleManager(scale_factor=-1)
        train.FixedLossScaleManager(0)
        train.Model(NET, nn.MSELoss(), OPT, {'mse'}, NET, 1)
        train.Model(NET, nn.MSELoss(), OPT, amp_level='O9')
        train.Model(NET, nn.MSELoss(), OPT, foo=1)
        train.Model(NET, nn.MSELoss(), OPT).train(-1, data())
        train.Model(NET, nn.MSELoss(), OPT).train(1, data(), dataset_sink_mode=False, sink_size=-2)
        train.Model(NET, nn.MSELoss(), OPT).train(1, data(), dataset_sink_mode=False, initial_epoch=5)
        train.Model(NET).eval(data())
        train.Accuracy().update(1)
        train.Accuracy().set_indexes(['a'])
        train.ConfusionMatrix(3, normalize='abc')
        train.BleuScore(9)
        ms.amp.auto_mixed_precision(NET, 'O9')
        ms.amp.auto_mixed_precision(NET, 'O2', dtype='a')
        ms.amp.DynamicLossScaler(0, 2, 1)
    """,
        raises=ValueError,
    ),
]
