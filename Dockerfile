# The stream monitor, served as an ordinary user on a read-only root.
#
#   docker build --tag streamlab .
#   docker run --rm --read-only --tmpfs /tmp:size=2g,mode=1777 --publish 127.0.0.1:5006:5006 streamlab
#
# Kernels are compiled into the image. What is written at run time goes to /tmp, a file system in memory: uploads, caches, kernels
# that are missing because the processor is another. Arguments behind the image's name go to `streamlab monitor`. For others than
# this machine: `--allow-origin lab.example:443`, behind a server that asks who they are and encrypts (SECURITY.md).
FROM python:3.12-slim

WORKDIR /opt/streamlab
COPY pyproject.toml README.md LICENSE ./
COPY streamlab streamlab
# whole seconds: layers keep no smaller parts of a file's time, by which numba tells whether a kernel is current
RUN pip install --no-cache-dir ".[app]" \
    && find "$(python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/streamlab" -name "*.py" \
       -exec touch --date=@1767225600 {} +
# away from the sources, beside the installed package
WORKDIR /
RUN rm -rf /opt/streamlab && streamlab warm && useradd --uid 1000 --no-create-home monitor

ENV HOME=/tmp \
    NUMBA_CACHE_DIR=/tmp/kernels \
    PYTHONDONTWRITEBYTECODE=1 \
    XDG_CACHE_HOME=/tmp/cache \
    XDG_CONFIG_HOME=/tmp/config \
    XDG_DATA_HOME=/tmp/data
USER monitor
EXPOSE 5006
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:5006/', timeout=4)"]
ENTRYPOINT ["streamlab", "monitor", "--address", "0.0.0.0"]
