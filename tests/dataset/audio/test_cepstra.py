from audio_tests import RecordedTests, RefusalTests

from msbridge.dataset.audio import cepstra


class TestCepstra(RecordedTests, RefusalTests):
    module = cepstra
