from audio_tests import RecordedTests, RefusalTests

from msbridge.dataset.audio import time_stretch


class TestStretching(RecordedTests, RefusalTests):
    module = time_stretch
