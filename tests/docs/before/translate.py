from tests.docs import made

made.torch_model()
