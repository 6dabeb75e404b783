from audio_tests import RecordedTests, RefusalTests

from msbridge.dataset.audio import biquads


class TestBiquads(RecordedTests, RefusalTests):
    module = biquads
