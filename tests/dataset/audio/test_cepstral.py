from msbridge.dataset.audio import cepstral
from tests.dataset.audio.audio_tests import RecordedTests, RefusalTests


class TestCepstra(RecordedTests, RefusalTests):
    module = cepstral
