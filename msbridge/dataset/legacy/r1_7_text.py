"""Texts as 1.7 has them: an eager transform refuses what leaves nothing."""

from collections.abc import Callable
from typing import Any

import numpy as np

from msbridge.core.releases.overrides import Part
from msbridge.dataset.engine.user_values import pipeline_error
from msbridge.dataset.text.base import TextTransform
from msbridge.dataset.text.token_sequences import TruncateSequencePair


def _refuse_empty(today: Callable[..., Any]) -> Callable[..., Any]:
    def call(self: Any, *inputs: Any) -> Any:
        results = today(self, *inputs)
        if any(not np.size(each) for each in (results if isinstance(results, tuple) else (results,))):
            raise pipeline_error(f"{type(self).__name__}: the result has no data.")
        return results

    return call


OVERRIDES = {
    "dataset.text.Vocab.from_dataset": [
        Part(TextTransform, "__call__", _refuse_empty(TextTransform.__call__)),
        Part(TruncateSequencePair, "__call__", _refuse_empty(TruncateSequencePair.__call__)),
    ],
}
