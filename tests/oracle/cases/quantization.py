"""Simulated quantisation: the CPU has no kernels of it, so what is recorded is which arguments are refused, and how."""

from mindspore.ops.operations import _quant_ops as Q  # noqa: F401  used by the expressions

from tests.oracle.case import Case, each, rand

CASES = [
    *each(
        """
        Q.FakeQuantPerLayer(num_bits=5)
        Q.FakeQuantPerLayer(quant_delay=-1)
        Q.FakeQuantPerLayer(ema_decay=2.0)
        Q.FakeQuantPerLayer(ema=True, ema_decay=0.0)
        Q.FakeQuantPerChannel(num_bits=3)
        Q.FakeQuantPerChannel(channel_axis=-1)
        Q.MinMaxUpdatePerLayer(True, 1.5)
        Q.MinMaxUpdatePerLayer(True, 0)
        Q.MinMaxUpdatePerChannel(True, 0)
        Q.MinMaxUpdatePerChannel(channel_axis=-1)
        Q.FakeQuantPerLayerGrad(num_bits=5)
        Q.FakeQuantPerChannelGrad(num_bits=5)
        Q.FakeLearnedScaleQuantPerLayer(quant_delay=-1)
        Q.FakeLearnedScaleQuantPerChannel(quant_delay=-1)
        Q.FakeQuantWithMinMaxVars(num_bits=1)
        Q.FakeQuantWithMinMaxVars(num_bits=17)
        Q.FakeQuantWithMinMaxVarsPerChannel(num_bits=17)
        Q.FakeQuantWithMinMaxVarsGradient(num_bits=1)
        """,
        raises=ValueError,
    ),
    *each(
        """
        Q.FakeQuantPerLayer(ema=1)
        Q.FakeQuantPerLayer(symmetric=None)
        Q.FakeQuantPerChannel(narrow_range=0)
        Q.MinMaxUpdatePerLayer(ema="yes")
        Q.FakeLearnedScaleQuantPerLayer(neg_trunc=1)
        Q.FakeLearnedScaleQuantPerChannel(training=1)
        Q.FakeQuantWithMinMaxVarsPerChannelGradient(narrow_range=1)
        Q.FakeQuantParam.linear_quant_param(ms.int8, "0.5", 1)
        """,
        raises=TypeError,
    ),
    Case("Q.FakeQuantPerLayer(8, True, 0.9, 3).quant_delay"),
    Case("Q.CorrectionMul()(x, s, s)", raises=ValueError, x=rand(2, 3), s=rand(3)),
]
