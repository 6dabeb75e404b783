from audio_tests import RecordedTests, RefusalTests

from msbridge.dataset.audio import filter_banks


class TestFbanks(RecordedTests, RefusalTests):
    module = filter_banks
