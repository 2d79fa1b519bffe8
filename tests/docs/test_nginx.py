"""The lines for nginx in the docs, in a real nginx: absolute URLs are the public ones, and the check is content."""

import os
import re
import shutil
import ssl
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest
from tests.web.client import free_port, waypost

from waypost.site.starter import write_starter

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/do/behind-a-proxy.md").read_text(encoding="utf-8")
(LOCATION,) = re.findall(r"^location / \{\n.*?^\}\n", PAGE, re.MULTILINE | re.DOTALL)
CERTIFICATE = ROOT / "tests/hostile/certs/good.pem"
NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
CONFIG = """
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 64; }}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{plain}; listen 127.0.0.1:{secure} ssl; ssl_certificate {certificate}; ssl_certificate_key {certificate};
    {location}
  }}
}}
"""


@contextmanager
def nginx_before(port, folder):
    """The ports of an nginx with the location of the docs: without and with TLS."""
    plain, secure = free_port(), free_port()
    location = LOCATION.replace("127.0.0.1:8000", f"127.0.0.1:{port}")
    config = folder / "nginx.conf"
    config.write_text(
        CONFIG.format(folder=folder, plain=plain, secure=secure, certificate=CERTIFICATE, location=location)
    )
    process = subprocess.Popen([NGINX, "-p", str(folder), "-c", str(config), "-e", str(folder / "error.log")])
    try:
        end = time.monotonic() + 30
        while True:
            assert process.poll() is None, (folder / "error.log").read_text()
            try:
                with urlopen(f"http://127.0.0.1:{plain}/robots.txt", timeout=10):
                    break
            except URLError:
                assert time.monotonic() < end
                time.sleep(0.05)
        yield plain, secure
    finally:
        process.terminate()
        process.wait(20)


@pytest.mark.nginx
def test_the_lines_for_nginx_show_the_public_origin(tmp_path):
    if not NGINX:
        pytest.skip("nginx is not installed")
    root = tmp_path / "site"
    write_starter(root)
    (root / "waypost.toml").write_text('[server]\ntrusted_proxies = ["127.0.0.0/8"]\n')
    with waypost(str(root), log=tmp_path / "log") as server, nginx_before(server.port, tmp_path) as (plain, secure):
        words = ["check", f"http://127.0.0.1:{plain}", "--probe", "all", "--fail-on", "warn", "--min-score", "1"]
        environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "NO_COLOR": "1"}
        done = subprocess.run(
            [sys.executable, "-m", "waypost", *words], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        unproven = ssl._create_unverified_context()
        for host in (f"127.0.0.1:{secure}", "www.example.com"):
            request = Request(f"https://127.0.0.1:{secure}/robots.txt", headers={"Host": host})
            with urlopen(request, timeout=30, context=unproven) as answer:
                assert f"Sitemap: https://{host}/sitemap.xml" in answer.read().decode().splitlines()
