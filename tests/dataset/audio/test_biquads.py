from msbridge.dataset.audio import biquads
from tests.dataset.audio.audio_tests import RecordedTests, RefusalTests


class TestBiquads(RecordedTests, RefusalTests):
    module = biquads
