"""Mistakes with Model, callbacks, metrics and checkpoints: the class of the error."""

import tempfile
from pathlib import Path

import mindspore as ms
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


def stored(name: str = "a.ckpt", content: bytes | None = None, **options: object) -> str:
    """Return the path of a checkpoint, or of a file with other contents."""
    path = Path(tempfile.mkdtemp()) / name
    if content is None:
        ms.save_checkpoint(NET, str(path), **options)
    else:
        path.write_bytes(content)
    return str(path)


KEY = b"0123456789abcdef"
CASES = [
    *each(
        """
        ms.load_checkpoint(stored() + "x")
        ms.load_checkpoint(stored()[:-1])
        ms.load_checkpoint("")
        ms.load_checkpoint(tempfile.mkdtemp())
        ms.load_checkpoint("nowhere.ckpt")
        ms.load_checkpoint("nowhere.pth")
        ms.load_checkpoint(stored(content=b""))
        ms.load_checkpoint(stored(content=b"no protobuf" * 9))
        ms.load_checkpoint(stored("a.safetensors", b"no header" * 9), format="safetensors")
        ms.load_checkpoint(stored(), format="pth")
        ms.load_checkpoint(stored(), format=None)
        ms.load_checkpoint(stored(), filter_prefix=[])
        ms.load_checkpoint(stored(), specify_prefix=())
        ms.load_checkpoint(stored(), specify_prefix="nowhere")
        ms.load_checkpoint(stored(), choice_func=3)
        ms.load_checkpoint(stored(enc_key=KEY))
        ms.load_checkpoint(stored(enc_key=KEY), dec_key=KEY[::-1])
        ms.load_checkpoint(stored(enc_key=KEY), dec_key=b"short")
        ms.load_checkpoint(stored(enc_key=KEY), dec_key=KEY, dec_mode="abc")
        ms.load_checkpoint(stored("a.safetensors", format="safetensors"), dec_key=KEY, format="safetensors")
        ms.load_checkpoint(stored("a.safetensors", format="safetensors"), dec_mode="AES-CBC", format="safetensors")
        ms.save_checkpoint(NET, 'a.ckpt', enc_key=b"short")
        ms.save_checkpoint(NET, 'a.ckpt', enc_key=KEY, enc_mode="abc")
        ms.load_param_into_net(NET, {}, remove_redundancy=3)
    """,
        raises=ValueError,
    ),
    *each(
        """
        ms.load_param_into_net(NET, {}, 3)
        ms.load_param_into_net(NET, {}, None)
        ms.export(NET, ONES, file_name='a')
        ms.export(NET, ONES, file_format='MINDIR')
    """,
        raises=TypeError,
    ),
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
