# Layerglass in a container: a user without a home, and nothing in it that the server may write to.
#
#   docker build -t layerglass .
#   docker run --read-only --tmpfs /tmp -p 127.0.0.1:8501:8501 layerglass
#
# For graphics cards, whose wheels are those of plain PyPI:  --build-arg TORCH_INDEX=https://pypi.org/simple
# For a cluster of Ray, whose replicas run in the same image: --build-arg FOR=ray
ARG PYTHON=3.11

FROM python:${PYTHON}-slim AS installed
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
ARG FOR=timm
WORKDIR /build
COPY requirements.txt requirements-timm.txt requirements-ray.txt constraints.txt constraints-ray.txt ./
RUN python -m venv /opt/venv
ENV PATH=/opt/venv/bin:$PATH \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1
# PyTorch first and by itself: it is large, changes rarely, and is the only one that has another index.
RUN pip install --index-url "${TORCH_INDEX}" -c constraints.txt torch torchvision
# Apart from it, so that the layer above is built once for many changes below.
# hadolint ignore=DL3059
RUN pip install -c constraints.txt -c constraints-ray.txt -r requirements-timm.txt -r "requirements-${FOR}.txt"
COPY app.py /app/app.py
COPY .streamlit /app/.streamlit
COPY docs /app/docs
COPY CHANGELOG.md CONTRIBUTING.md SECURITY.md /app/docs/
COPY models /app/models
COPY viz /app/viz
# Compiled here, because the server may not write beside its sources.
RUN python -m compileall -q /app

FROM python:${PYTHON}-slim
# /weights takes what is fetched of torchvision's and timm's weights: a volume, if they are to stay.
RUN install -d -o 10001 -g 10001 /weights
COPY --from=installed /opt/venv /opt/venv
COPY --from=installed /app /app
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONPATH=/app \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    HOME=/tmp \
    TORCH_HOME=/weights \
    HF_HOME=/weights \
    LAYERGLASS_ENGINE=process \
    LAYERGLASS_LOG=json
WORKDIR /app
USER 10001:10001
VOLUME /weights
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=25s --start-period=60s --retries=3 \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8501/health', timeout=22)"]
CMD ["python", "app.py", "--server.address", "0.0.0.0", "--server.port", "8501"]
