from msbridge.dataset.audio import time_stretch
from tests.dataset.audio.audio_tests import RecordedTests, RefusalTests


class TestStretching(RecordedTests, RefusalTests):
    module = time_stretch
