"""Functions of neural networks: convolution, pooling, normalisation, interpolation, losses."""

from tests.oracle.case import Case, arange, each, ints, rand, values

IMAGE = rand(1, 3, 5, 6)

CASES = [
    *each(
        """
        ops.conv2d(x, w)
        ops.conv2d(x, w, b)
        ops.conv2d(x, w, stride=2)
        ops.conv2d(x, w, stride=(2, 1))
        ops.conv2d(x, w, pad_mode='same')
        ops.conv2d(x, w, pad_mode='same', stride=2)
        ops.conv2d(x, w, pad_mode='pad', padding=1)
        ops.conv2d(x, w, pad_mode='pad', padding=(1, 2))
        ops.conv2d(x, w, dilation=2)
        ops.conv2d(x, w, pad_mode='same', dilation=2)
        ops.conv2d(x, w[:, :1].tile((1, 1, 1, 1)).reshape(3, 1, 3, 3)[:3], groups=3)
        ops.Conv2D(out_channel=3, kernel_size=3)(x, w)
        ops.Conv2D(3, 3, pad_mode='same', stride=2)(x, w)
        ops.Conv2D(3, 3, pad_mode='pad', pad=(1, 0, 2, 1))(x, w)
        ops.Conv2D(3, (3, 3), dilation=2)(x, w)
    """,
        x=IMAGE,
        w=rand(3, 3, 3, 3),
        b=rand(3),
        grad=True,
        tolerance=1e-4,
    ),  # sums of 27 products, in any order
    *each(
        """
        ops.conv1d(x, w)
        ops.conv1d(x, w, pad_mode='same')
        ops.conv1d(x, w, stride=2, pad_mode='pad', padding=1)
    """,
        x=rand(2, 3, 8),
        w=rand(4, 3, 3),
        grad=True,
        tolerance=1e-4,
    ),
    Case("ops.conv3d(x, w)", x=rand(1, 2, 4, 4, 4), w=rand(2, 2, 2, 2, 2), tolerance=1e-4),
    Case("ops.Conv2DBackpropInput(3, 2)(x, w, (1, 3, 4, 4))", x=rand(1, 3, 3, 3), w=rand(3, 3, 2, 2), tolerance=1e-4),
    Case("ops.Conv2DTranspose(3, 2)(x, w, (1, 3, 4, 4))", x=rand(1, 3, 3, 3), w=rand(3, 3, 2, 2), tolerance=1e-4),
    *each(
        """
        ops.max_pool2d(x, 2)
        ops.max_pool2d(x, 2, stride=2)
        ops.max_pool2d(x, 3, stride=1, padding=1)
        ops.max_pool2d(x, 2, 2, return_indices=True)
        ops.max_pool2d(x, 2, 2, ceil_mode=True)
        ops.avg_pool2d(x, 2)
        ops.avg_pool2d(x, 2, 2)
        ops.avg_pool2d(x, 3, 1, 1)
        ops.avg_pool2d(x, 3, 1, 1, count_include_pad=False)
        ops.avg_pool2d(x, 2, 2, ceil_mode=True)
        ops.avg_pool2d(x, 2, divisor_override=3)
        ops.MaxPool()(x)
        ops.MaxPool(kernel_size=2, strides=2)(x)
        ops.MaxPool(2, 2, 'same')(x)
        ops.MaxPool(3, 2, pad_mode='SAME')(x)
        ops.MaxPool((2, 3), (1, 2), 'valid')(x)
        ops.AvgPool(kernel_size=2, strides=2)(x)
        ops.AvgPool(2, 2, 'same')(x)
        ops.AvgPool(3, 1, 'same')(x)
        ops.adaptive_avg_pool2d(x, 1)
        ops.adaptive_avg_pool2d(x, (2, 3))
        ops.adaptive_avg_pool2d(x, (None, 3))
        ops.adaptive_max_pool2d(x, (2, 2))
        ops.adaptive_max_pool2d(x, (-1, 2))
        ops.lp_pool2d(x, 2, 2)
        ops.ReduceMean(keep_dims=True)(x, (2, 3))
        ops.interpolate(x, size=(3, 4), mode='nearest')
        ops.interpolate(x, size=(12, 14), mode='nearest')
        ops.interpolate(x, size=(4, 4), mode='bilinear')
        ops.interpolate(x, size=(7, 9), mode='bicubic', align_corners=False)
        ops.ResizeBicubic()(x, (7, 3))
        ops.interpolate(x, size=(9, 10), mode='bilinear')
        ops.interpolate(x, size=(9, 10), mode='bilinear', align_corners=True)
        ops.interpolate(x, scale_factor=2.0, mode='nearest', recompute_scale_factor=True)
        ops.interpolate(x, size=(3, 3), mode='area')
        ops.ResizeNearestNeighbor((9, 10))(x)
        ops.ResizeNearestNeighbor((12, 14), align_corners=True)(x)
        ops.ResizeNearestNeighbor((3, 3))(x)
        ops.pad(x, (1, 1, 2, 2), mode='reflect')
        ops.pad(x, (1, 2, 1, 0))
        ops.unfold(x, kernel_size=2)
        ops.unfold(x, kernel_size=(2, 3), stride=2, padding=1)
        ops.grid_sample(x, Tensor(np.linspace(-1, 1, 12).reshape(1, 2, 3, 2), ms.float32))
        ops.lrn(x)
        ops.LRN()(x)
        ops.flatten(x)
        ops.pixel_shuffle(x.reshape(1, 9, 2, 5), 3)
    """,
        x=IMAGE,
        grad=True,
    ),
    *each(
        """
        ops.avg_pool1d(x, 2)
        ops.avg_pool1d(x, 3, stride=2, padding=1)
        ops.adaptive_avg_pool1d(x, 2)
        ops.adaptive_max_pool1d(x, 4)
        ops.interpolate(x, size=12, mode='linear')
        ops.interpolate(x, size=4, mode='nearest')
        ops.interpolate(x, size=12, mode='linear', align_corners=True)
    """,
        x=rand(2, 3, 8),
        grad=True,
    ),
    *each(
        """
        ops.LayerNorm()(x, g, b)[0]
        ops.LayerNorm(begin_norm_axis=1, begin_params_axis=-1)(x, g, b)[0]
        ops.LayerNorm(begin_norm_axis=-1, begin_params_axis=-1, epsilon=1e-3)(x, g, b)[0]
        ops.batch_norm(x, Tensor([0.5] * 4), Tensor([2.0] * 4), g, b)
        ops.batch_norm(x, Tensor([0.5] * 4), Tensor([2.0] * 4), g, b, training=False, eps=1e-3)
        ops.group_norm(x, 2, g, b)
        ops.group_norm(x, 4, g, b)
        ops.L2Normalize(axis=1)(x)
        ops.L2Normalize(axis=-1, epsilon=1e-2)(x)
        ops.cosine_similarity(x, x + b)
        ops.dense(x, g[None], b[:1])
    """,
        x=rand(3, 4),
        g=rand(4, low=0.5),
        b=rand(4),
        grad=True,
        tolerance=1e-4,
    ),
    *each(
        """
        ops.cross_entropy(x, t)
        ops.cross_entropy(x, t, reduction='none')
        ops.cross_entropy(x, t, reduction='sum')
        ops.cross_entropy(x, t, weight=Tensor([1.0, 2.0, 0.5, 1.5]))
        ops.cross_entropy(x, t, label_smoothing=0.1)
        ops.cross_entropy(x, t, ignore_index=1)
        ops.cross_entropy(x, ops.softmax(x * 2, 1))
        ops.nll_loss(ops.log_softmax(x, 1), t)
        ops.nll_loss(ops.log_softmax(x, 1), t, weight=Tensor([1.0, 2.0, 0.5, 1.5]), reduction='sum')
        ops.nll_loss(ops.log_softmax(x, 1), t, ignore_index=1)
        ops.SparseSoftmaxCrossEntropyWithLogits()(x, t)
        ops.SoftmaxCrossEntropyWithLogits()(x, ops.one_hot(t, 4, Tensor(1.0), Tensor(0.0)))
        ops.NLLLoss('mean')(ops.log_softmax(x, 1), t, Tensor([1.0, 2.0, 0.5, 1.5]))
        ops.multi_margin_loss(x, t.astype(ms.int64))
    """,
        x=rand(5, 4),
        t=ints(5, low=0, high=4),
        grad=True,
    ),
    *each(
        """
        ops.mse_loss(x, y)
        ops.mse_loss(x, y, reduction='none')
        ops.mse_loss(x, y, 'sum')
        ops.l1_loss(x, y)
        ops.l1_loss(x, y, 'none')
        ops.smooth_l1_loss(x, y)
        ops.smooth_l1_loss(x, y, beta=0.5, reduction='mean')
        ops.SmoothL1Loss(beta=2.0)(x, y)
        ops.huber_loss(x, y)
        ops.huber_loss(x, y, 'sum', 0.5)
        ops.kl_div(ops.log_softmax(x, 1), ops.softmax(y, 1))
        ops.kl_div(ops.log_softmax(x, 1), ops.softmax(y, 1), 'sum')
        ops.KLDivLoss('sum')(ops.log_softmax(x, 1), ops.softmax(y, 1))
        ops.binary_cross_entropy(ops.sigmoid(x), ops.sigmoid(y))
        ops.binary_cross_entropy(ops.sigmoid(x), ops.sigmoid(y), reduction='none')
        ops.binary_cross_entropy_with_logits(x, ops.sigmoid(y), ops.ones_like(x), ops.ones_like(x))
        ops.BCEWithLogitsLoss('sum')(x, ops.sigmoid(y), ops.ones_like(x), ops.ones_like(x))
        ops.BinaryCrossEntropy()(ops.sigmoid(x), ops.sigmoid(y), ops.ones_like(x))
        ops.SigmoidCrossEntropyWithLogits()(x, ops.sigmoid(y))
        ops.margin_ranking_loss(x, y, ops.sign(x + y))
        ops.cosine_embedding_loss(x, y, Tensor([1, -1, 1]))
        ops.gaussian_nll_loss(x, y, ops.exp(x))
        ops.cdist(x, y)
        ops.L2Loss()(x)
        ops.L2Loss()(x - y)
    """,
        x=rand(3, 4),
        y=rand(3, 4),
        grad=True,
    ),
    *each(
        """
        ops.dropout(x, p=0.5, training=False)
        ops.dropout(x, 0.0)
        ops.dropout(ops.ones((1000,)), p=0.25).max()
        abs((ops.dropout(ops.ones((10000,)), p=0.25) > 0).astype(ms.float32).mean().item() - 0.75) < 0.03
        len(ops.Dropout(keep_prob=0.5)(x))
        ops.Dropout(keep_prob=1.0)(x)[0]
        ops.dropout2d(x.reshape(1, 1, 3, 4), p=0.0)
    """,
        x=rand(3, 4),
    ),
    *each(
        """
        ops.iou(x, x + 1)
        ops.iou(x, x + 1, mode='iof')
        ops.IOU()(x, x + 2)
        ops.bounding_box_decode(x, x * 0.1, max_shape=(20, 20))
    """,
        x=values([0.0, 0.0, 4.0, 4.0], [1.0, 1.0, 5.0, 6.0]),
    ),
    *each(
        """
        ops.abs(x > 0)
        x.astype(ms.int32).masked_fill(x > 0, -1.5)
        ops.prelu(x.astype(ms.float16), Tensor([0.25]))
        ops.prelu(x, Tensor([0.25], ms.float16))
        ops.cross(x[:, :3], x[0, :3])
        ops.cross(x[:, :3].astype(ms.float16), x[:, :3])
        ops.margin_ranking_loss(x, x[0], ops.sign(x))
        ops.nll_loss(x, Tensor([0, 1, 2], ms.int32), weight=Tensor([1.0, 2.0, 3.0, 4.0], ms.float16))
        ops.multinomial(Tensor([[0, 3]]), 2)
        ops.sum(x, np.int64(1))
        ops.clip_by_norm(x.astype(ms.int32), 1.0).dtype
        ops.Flatten()(x[0])
        ops.arange(0, 5, 1.5, dtype=ms.int64)
    """,
        x=rand(3, 4),
    ),
    *each(
        """
        ops.prod(x, 5)
        ops.gather(x, Tensor([0]), 0, 9)
        ops.ScatterAdd()(Parameter(x), Tensor([0, 2]), x[:1])
        ops.scatter_nd_update(Parameter(x), Tensor([[0, 0], [1, 1]]), Tensor([1.0]))
        ops.reverse_sequence(x, Tensor([1, 2, 3]), 5, 0)
    """,
        x=rand(3, 4),
        raises=ValueError,
    ),
    Case("ops.ctc_greedy_decoder(x, Tensor([3, 3], ms.int32))[0].shape", x=rand(3, 2, 4)),
    Case(
        "ops.ctc_loss(ops.log_softmax(x, 2), Tensor([[1, 2], [1, 1]], ms.int32), Tensor([4, 4]), Tensor([2, 1]))[0]",
        x=rand(4, 2, 3),
    ),
    Case("ops.conv2d(x, w)", x=rand(1, 1, 4, 4), w=rand(2, 3, 3, 3), raises=RuntimeError),
    Case("ops.conv2d(x, w)", x=rand(1, 1, 4), w=rand(2, 1, 3, 3), raises=ValueError),
    Case("ops.max_pool2d(x, 2)", x=arange(1, 1, 4, 4)),
    Case("ops.cross_entropy(x, t, reduction='foo')", x=rand(2, 3), t=ints(2, low=0, high=3), raises=ValueError),
]
