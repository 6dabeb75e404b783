from audio_tests import RecordedTests, RefusalTests

from msbridge.dataset.audio import cepstral


class TestCepstra(RecordedTests, RefusalTests):
    module = cepstral
