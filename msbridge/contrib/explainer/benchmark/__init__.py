"""Measures of how good explanations are."""

from msbridge.contrib.explainer.benchmark.faithfulness import Faithfulness
from msbridge.contrib.explainer.benchmark.localization import Localization
from msbridge.contrib.explainer.benchmark.robustness import Robustness
from msbridge.contrib.explainer.benchmark.sensitivity import ClassSensitivity

__all__ = ["ClassSensitivity", "Faithfulness", "Localization", "Robustness"]
