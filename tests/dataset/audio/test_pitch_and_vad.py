from msbridge.dataset.audio import pitch_and_vad
from tests.dataset.audio.audio_tests import RecordedTests, RefusalTests


class TestVoices(RecordedTests, RefusalTests):
    module = pitch_and_vad
