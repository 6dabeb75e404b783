"""Operators of level "auto": which compute in Float16, which in Float32, and which in the types of their inputs."""

import mindspore as ms
import mindspore.numpy as mnp  # noqa: F401  used by the expressions
import numpy as np
from mindspore import Parameter, Tensor, amp, mint, nn, ops  # noqa: F401

from tests.oracle.case import Case
from tests.oracle.cases._fixed import fixed


class Chosen(nn.Cell):
    """Computes an expression of Tensors that lie outside, and of a layer of its own."""

    def __init__(self, expression: str) -> None:
        super().__init__()
        self.d = fixed(nn.Dense(2, 2))
        self.code = compile(expression, expression, "eval")

    def construct(self, x: Tensor) -> object:
        return eval(self.code, globals(), {"self": self, **outside()})


def outside() -> dict[str, Tensor]:
    """Return Tensors of each floating type: matrices, `v` a vector, `s` a scalar, `ps` and `pf` Parameters."""
    f = Tensor(np.cos(np.arange(4)).reshape(2, 2), ms.float32)
    s = Tensor(2.0, ms.float32)
    return {
        "f": f,
        "h": f.astype(ms.float16),
        "d": f.astype(ms.float64),
        "s": s,
        "v": f[0],
        "i": Tensor([[1, 0], [0, 1]], ms.int32),
        "k": Tensor([0, 1], ms.int32),
        "ps": Parameter(s, name="ps"),
        "pf": Parameter(f, name="pf"),
    }


def chosen(expression: str) -> object:
    return amp.auto_mixed_precision(Chosen(expression), "auto")(Tensor([1.0]))


def dtypes(expression: str) -> object:
    """Return the dtypes alone, of layers that draw their weights."""
    found = chosen(expression)
    return [str(one.dtype) for one in found] if isinstance(found, tuple) else str(found.dtype)


OPERATORS = """
h*s
h*f
h+f
h*ps
h*pf
f*h
ops.matmul(f,f)*s
ops.matmul(f,f)*f
ops.norm(f)
ops.norm(h)
ops.norm(f,dim=-1,keepdim=True)
ops.norm(h,dim=-1,keepdim=True)
h/ops.norm(h,dim=-1,keepdim=True)
ops.matmul(f,f)
ops.matmul(h/ops.norm(h,dim=-1,keepdim=True),f)
ops.add(h,f)
ops.mul(h,f)
ops.sub(h,f)
ops.div(h,f)
h-f
h/f
h**f
h**2
f**2
ops.maximum(h,f)
ops.where(i>0,h,f)
ops.concat((h,f))
ops.addn([h,f])
ops.bias_add(h,v)
ops.addcmul(h,f,f,1.)
ops.addcdiv(h,f,f+2,1.)
ops.cross(Tensor(np.ones(3),ms.float16),Tensor(np.ones(3),ms.float32))
ops.mse_loss(f,f)
ops.l1_loss(f,f)
mint.sum(h)
h.sum()
ops.sum(h)
h.cumsum(0)
mint.prod(h)
ops.prod(h)
h.prod()
ops.softmax(h)
ops.log_softmax(h)
ops.softmax(h,-1)
mint.softmax(h,-1)
ops.exp(h)
ops.log(h+2)
ops.sqrt(h+2)
ops.rsqrt(h+2)
ops.pow(h,2)
ops.square(h)
ops.tan(h)
ops.sigmoid(h)
ops.tanh(h)
ops.gelu(f)
ops.softplus(h)
ops.reciprocal(h+2)
1/(h+2)
ops.erfinv(h)
ops.expm1(h)
ops.log1p(h+2)
ops.acos(h/2)
ops.asin(h/2)
ops.sinh(h)
ops.cosh(h)
ops.kl_div(f,f)
ops.smooth_l1_loss(f,f)
ops.cdist(f,f)
ops.pdist(f)
ops.renorm(f,1,0,1.)
ops.cumprod(h,0)
ops.addmm(f,f,f)
ops.addmv(v,f,v)
ops.bmm(f[None],f[None])
ops.baddbmm(f[None],f[None],f[None])
ops.mv(f,v)
ops.mm(f,f)
f@f
f.matmul(f)
mint.matmul(f,f)
mint.nn.functional.linear(f,f)
mint.nn.functional.linear(f,f,v)
ops.dense(f,f)
ops.dense(f,f,v)
ops.MatMul()(f,f)
ops.BatchMatMul()(f,f)
ops.Exp()(h)
ops.Softmax()(h)
ops.ReduceProd()(h)
ops.prelu(f,v)
ops.outer(v,v)
ops.ger(v,v)
ops.inner(f,f)
ops.tensor_dot(f,f,1)
mnp.matmul(f,f)
mnp.dot(f,f)
mnp.exp(h)
ops.conv2d(f[None,None],f[None,None])
self.d(f)+f
self.d(f)*2.5
ops.grid_sample(f[None,None],Tensor(np.zeros((1,2,2,2)),ms.float32))
ops.interpolate(h[None,None],scale_factor=2.0,mode='nearest',recompute_scale_factor=True)
d*h
ops.matmul(d,d)
ops.exp(d)
ops.concat((d,h))
ops.add(d,f)
ops.atan2(h,f)
h>f
ops.lerp(h,h,0.5)
ops.var(h)
ops.std(h)
ops.logsumexp(h,1)
ops.batch_norm(f,v,v,v,v)
ops.group_norm(f[None],2)
h+2
ops.sqrt(h)
ops.relu(h)
ops.abs(h)
h*2
h*2.5
h/2
h*h
-h
ops.gelu(h)
ops.silu(h)
ops.mish(h)
ops.sin(h)
ops.cos(h)
ops.floor(h)
ops.mean(h)
ops.ReduceMean()(h)
h.max()
ops.ReduceSum()(h)
h.reshape(4)
h.T
h[0]
ops.concat((h,h))
ops.stack([h,h])
ops.sign(h)
ops.erf(h)
ops.rsqrt(h)
2-h
ops.add(h,1)
ops.mul(h,h)
ops.sub(h,1)
ops.div(h,2)
mnp.sin(h)
ops.clamp(h,0,1)
ops.where(i>0,h,h)
ops.masked_fill(h,i>0,0.)
ops.leaky_relu(h)
ops.elu(h)
ops.hardswish(h)
ops.relu6(h)
ops.avg_pool2d(h[None,None],2)
ops.max_pool2d(h[None,None],2)
ops.adaptive_avg_pool2d(h[None,None],1)
ops.topk(h,1)
ops.sort(h)
ops.argmax(h)
ops.cast(h,ms.float32)
h.astype(ms.float32)
ops.tile(h,(2,1))
ops.gather(h,Tensor([0]),0)
ops.expand_dims(h,0)
ops.broadcast_to(h,(2,2,2))
h.max(0)
h>0
ops.pad(h,(1,1))
ops.unfold(h[None,None],1)
ops.pixel_shuffle(h.reshape(1,4,1,1),2)
s*h
h+s
h/s
h-s
f*s
d*s
d*f
d+h
h*i
i*2.5
i*f
i/2
i*s
2/h
2.5/h
1/h
1.0/h
1/f
1/s
ops.addbmm(f,f[None],f[None])
ops.addr(f,v,v)
ops.addmm(h,h,h)
mnp.log(h+2)
mnp.inner(f,f)
mnp.tensordot(f,f,1)
mnp.sum(h)
mnp.mean(h)
mnp.var(h)
mnp.std(h)
mnp.power(h,2)
ops.interpolate(h[None,None],size=(4,4),mode='bilinear')
h.sum(0)
ops.sum(h,0)
h.var()
h.std()
ops.norm(h,2,1)
h.norm()
ops.L2Normalize()(h)
mint.mean(h)
ops.cosine_similarity(h,h)
ops.celu(h)
ops.selu(h)
ops.glu(h)
ops.softsign(h)
ops.log2(h+2)
ops.log10(h+2)
ops.exp2(h)
ops.sum(f)
ops.trace(h)
ops.dist(h,h+1)
ops.mean(f)
ops.batch_norm(h,v,v,v,v)
ops.huber_loss(h,h)
ops.mse_loss(h,h)
ops.l1_loss(h,h)
h.mean()
ops.cross_entropy(h,k)
ops.nll_loss(f,k)
"""
LAYERS = """
nn.Conv2d(1,1,1)(f[None,None])
nn.Conv2d(1,1,1,has_bias=True)(f[None,None])
nn.Conv2dTranspose(1,1,1)(f[None,None])
nn.Conv2dTranspose(1,1,1,has_bias=True)(f[None,None])
nn.Conv3dTranspose(1,1,1)(f[None,None,None])
nn.Conv3dTranspose(1,1,1,has_bias=True)(f[None,None,None])
nn.Conv3d(1,1,1,has_bias=True)(f[None,None,None])
nn.Dense(2,2)(f)
mint.nn.Linear(2,2)(f)
mint.nn.Linear(2,2,bias=False)(f)
nn.BiDense(2,2,2)(f,f)
nn.Embedding(3,2,True)(i)
nn.Embedding(3,2)(i)
nn.LayerNorm((2,))(h)
nn.Conv1dTranspose(2,1,1)(f[None])
nn.Conv1dTranspose(2,1,1,has_bias=True)(f[None])
nn.Conv1d(2,1,1,has_bias=True)(f[None])
nn.Conv1d(2,1,1)(f[None])
nn.Dropout(p=0.0)(h)
nn.LSTMCell(2,2)(f,(f,f))
nn.GRUCell(2,2)(f,f)
nn.RNNCell(2,2)(f,f)
nn.GRU(2,2)(f[None])
nn.MultiheadAttention(2,1)(f[None],f[None],f[None])
nn.L1Loss()(h,h)
nn.MSELoss()(h,h)
nn.HuberLoss()(h,h)
nn.MSELoss()(h,h)
nn.L1Loss()(h,h)
nn.CrossEntropyLoss()(h,k)
"""
CASES = [
    *[Case(f"chosen({line!r})", tolerance=5e-3) for line in dict.fromkeys(OPERATORS.strip().splitlines())],
    *[Case(f"dtypes({line!r})") for line in dict.fromkeys(LAYERS.strip().splitlines())],
]
