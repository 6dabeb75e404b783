"""Transforms of waveforms and spectrograms.

Follows: mindspore.dataset.audio (2.10).
"""

from msbridge.dataset.audio.base import *
from msbridge.dataset.audio.biquads import *
from msbridge.dataset.audio.cepstra import *
from msbridge.dataset.audio.complex_numbers import *
from msbridge.dataset.audio.effects import *
from msbridge.dataset.audio.enums import *
from msbridge.dataset.audio.fbanks import *
from msbridge.dataset.audio.filters import *
from msbridge.dataset.audio.levels import *
from msbridge.dataset.audio.masks import *
from msbridge.dataset.audio.mel import *
from msbridge.dataset.audio.resampling import *
from msbridge.dataset.audio.spectra import *
from msbridge.dataset.audio.stretching import *
from msbridge.dataset.audio.voices import *
