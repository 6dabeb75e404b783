from msbridge.dataset.audio import filter_banks
from tests.dataset.audio.audio_tests import RecordedTests, RefusalTests


class TestFbanks(RecordedTests, RefusalTests):
    module = filter_banks
