from msbridge.dataset.audio import amplitude
from tests.dataset.audio.audio_tests import RecordedTests, RefusalTests


class TestLevels(RecordedTests, RefusalTests):
    module = amplitude
