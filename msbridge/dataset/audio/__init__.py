"""Transforms of waveforms and spectrograms.

Follows: mindspore.dataset.audio (2.10).
"""

from msbridge.dataset.audio.amplitude import *
from msbridge.dataset.audio.base import *
from msbridge.dataset.audio.biquads import *
from msbridge.dataset.audio.cepstral import *
from msbridge.dataset.audio.complex_numbers import *
from msbridge.dataset.audio.effects import *
from msbridge.dataset.audio.enums import *
from msbridge.dataset.audio.filter_banks import *
from msbridge.dataset.audio.filters import *
from msbridge.dataset.audio.masks import *
from msbridge.dataset.audio.mel import *
from msbridge.dataset.audio.pitch_and_vad import *
from msbridge.dataset.audio.resampling import *
from msbridge.dataset.audio.spectrogram import *
from msbridge.dataset.audio.time_stretch import *
