"""Settings of parallel training of 1.2."""

from msbridge.core.context import context
from msbridge.core.context.settings import AUTO_PARALLEL_KEYS, Key
from msbridge.core.legacy import r1_10
from msbridge.core.releases.overrides import Part

_KEYS = {**AUTO_PARALLEL_KEYS, **r1_10.SETTINGS, "pipeline_stages": Key((int,), 1)}
OVERRIDES = {"context.set_auto_parallel_context": Part(context, "AUTO_PARALLEL_KEYS", _KEYS)}
