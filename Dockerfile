# msbridge in a container. What torch is chosen by, and so whether the image knows CUDA, is the index of its packages:
#   docker build -t msbridge .                                       with CUDA: as torch's default package has it
#   docker build -t msbridge --build-arg TORCH_INDEX=URL .           without: the index of CPU builds that pytorch.org names
#   docker run --rm -v "$PWD:/work" msbridge run train.py            --gpus all for CUDA
FROM python:3.12-slim

ARG TORCH_INDEX=""
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONUNBUFFERED=1

WORKDIR /opt/msbridge
COPY constraints.txt ./
RUN pip install --constraint constraints.txt ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} torch
COPY pyproject.toml setup.py README.md LICENSE ./
COPY converters converters
COPY mappings mappings
COPY msbridge msbridge
RUN pip install --constraint constraints.txt ".[vision,text,audio,crypto,onnx]" \
    && useradd --uid 1000 --create-home user

USER 1000
WORKDIR /work
ENTRYPOINT ["msbridge"]
CMD ["--help"]
