from audio_tests import RecordedTests, RefusalTests

from msbridge.dataset.audio import voices


class TestVoices(RecordedTests, RefusalTests):
    module = voices
