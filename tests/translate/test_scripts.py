"""Training scripts."""

from msbridge.translate import translate

LOOP = """\
import torch
from torch import nn, optim


def train(net: nn.Module, rows, criterion):
    optimizer = optim.AdamW(net.parameters(), lr=1e-3)
    for x, y in rows:
        optimizer.zero_grad()
        output = net(x)
        loss = criterion(output, y)  # the mean
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        print(output.shape)
"""


def test_a_step_becomes_a_function_and_its_gradients():
    result = translate(LOOP)
    assert not result.by_hand
    assert result.source.endswith("""\
    optimizer = optim.AdamW(net.trainable_params(), lr=1e-3)
    net.set_train()
    for x, y in rows:

        def forward_fn():
            output = net(x)
            loss = criterion(output, y)  # the mean
            return loss, output

        (loss, output), grads = ms.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)()
        grads = ops.clip_by_global_norm(grads, 1.0)
        optimizer(grads)
        print(output.shape)
""")


def test_a_loss_that_is_no_name_is_left_by_hand():
    result = translate("def step(x, optimizer):\n    x.sum().backward()\n    optimizer.step()\n")
    assert [line.number for line in result.by_hand] == [2]


def test_devices_go():
    text = 'import torch\n\ndevice = "cuda" if torch.cuda.is_available() else "cpu"\nx = torch.ones(2, device=device)\n'
    source = translate(text).source
    assert source.endswith('\ndevice = ms.get_context("device_target")\nx = ops.ones((2,))\n')
