"""`mindspore.explainer` of MindSpore 1.x: what a classifier decides by, and how good such explanations are."""

from msbridge.explainer import benchmark, explanation
from msbridge.explainer.runner import ImageClassificationRunner

__all__ = ["ImageClassificationRunner", "benchmark", "explanation"]
