"""Cases of the families `changed_*` that do not give the answer of 2.10.0 yet."""

# ruff: noqa: E501

OPEN = frozenset(
    {
        "tried(lambda x, f: ops.sinc(x), x('bool'), flat('bool'))",
        "tried(lambda x, f: ops.topk(x, 2, 1, False), x('uint8'), flat('uint8'))",
        "tried(lambda: files(lambda at: [train.ModelCheckpoint('net', at, train.CheckpointConfig(2, append_info=['epoch_num', 'step_num']))]))",
    }
)
