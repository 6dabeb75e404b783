from audio_tests import RecordedTests, RefusalTests

from msbridge.dataset.audio import pitch_and_vad


class TestVoices(RecordedTests, RefusalTests):
    module = pitch_and_vad
