from msbridge.dataset.audio import enums
from tests.dataset.audio.audio_tests import RecordedTests


class TestEnums(RecordedTests):
    module = enums
