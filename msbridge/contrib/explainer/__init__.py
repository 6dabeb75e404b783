"""`mindspore.explainer` of MindSpore 1.x: what a classifier decides by, and how good such explanations are."""

from msbridge.contrib.explainer import benchmark, explanation
from msbridge.contrib.explainer.runner import ImageClassificationRunner

__all__ = ["ImageClassificationRunner", "benchmark", "explanation"]
