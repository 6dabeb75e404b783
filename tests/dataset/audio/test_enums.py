from audio_tests import RecordedTests

from msbridge.dataset.audio import enums


class TestEnums(RecordedTests):
    module = enums
