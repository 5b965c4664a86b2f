"""Names in the files for deployment are there: settings, addresses, ports, files, commands and each other."""

import os
import re
import shlex
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatch
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from streamlit import config

from tests.browser.serving import free_port, serving
from tests.hostile.attacks import children
from tests.hostile.handshakes import handshake
from tests.hostile.pictures import noise, saved
from tests.hostile.visitor import Visitor, ask
from tests.machine import patience
from viz.ui.door.limits import limits
from viz.ui.door.uploads import OF_A_FORM
from viz.ui.help.contents import documents
from viz.ui.wire.page_path import COUNTS, HEALTH, OPERATOR

ROOT = Path(__file__).parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
NGINX = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
COMPOSE = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))
MANIFESTS = {
    path.name: list(yaml.safe_load_all(path.read_text("utf-8")))
    for path in sorted((ROOT / "deploy" / "kubernetes").glob("*.yaml"))
}
SETTINGS = set(
    re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / "settings.md").read_text("utf-8"), re.MULTILINE)
)
STREAMLITS = "/_stcore/health"
REAL = pytest.mark.skipif(
    not (shutil.which("nginx") and Path("/proc/self/fd").is_dir()), reason="there is no nginx on Linux"
)
# What Python, pip, uvicorn, Ray and Hugging Face read.
OTHERS = {"PATH", "HOME", "PYTHONPATH", "PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PIP_NO_CACHE_DIR"} | {
    *("PIP_DISABLE_PIP_VERSION_CHECK", "FORWARDED_ALLOW_IPS", "HF_HOME", "RAY_USAGE_STATS_ENABLED")
}


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions with what follows them, in order."""
    lines = re.sub(r"\\\n\s*", "", re.sub(r"^#.*\n", "", DOCKERFILE, flags=re.MULTILINE)).splitlines()
    pairs = [line.partition(" ") for line in lines if line]
    return [(word, rest) for word, _, rest in pairs]


def variables() -> dict[str, str]:
    """Return the variables that the image sets in the environment of the server."""
    found = [shlex.split(rest) for word, rest in instructions() if word == "ENV"]
    return dict(pair.partition("=")[::2] for pairs in found for pair in pairs)


def containers(name: str, kind: str) -> list[dict[str, Any]]:
    """Every container of a kind of object in a file of manifests."""
    (found,) = [each for each in MANIFESTS[name] if each["kind"] == kind]
    spec = found["spec"]
    groups = [spec["headGroupSpec"], *spec["workerGroupSpecs"]] if kind == "RayCluster" else [spec]
    return [container for group in groups for container in group["template"]["spec"]["containers"]]


def test_what_the_image_copies_is_there_and_reaches_the_builder() -> None:
    """Each file and folder; what ``.dockerignore`` keeps away would be missing only in the image."""
    allowed = re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text("utf-8"), re.MULTILINE)
    copied = [
        name
        for word, rest in instructions()
        if word == "COPY" and not rest.startswith("--from")
        for name in rest.split()[:-1]
    ]
    beside = {str(each.path.relative_to(ROOT)) for each in documents().values() if each.path.parent == ROOT}
    assert {"app.py", "viz", "models", ".streamlit", "docs", *beside} <= set(copied)
    assert [name for name in copied if not (ROOT / name).exists()] == []
    assert [name for name in copied if name not in allowed] == []
    assert [name for name in allowed if not any(fnmatch(each, name) for each in copied)] == []


def test_every_setting_that_is_made_is_one_that_somebody_reads() -> None:
    """In the image, in both replicas and in every pod: ours stand in the document's table."""
    made = set(variables())
    for service in COMPOSE["services"].values():
        made |= set(service.get("environment", {}))
    for name, kind in (("page.yaml", "Deployment"), ("ray.yaml", "RayCluster")):
        made |= {each["name"] for container in containers(name, kind) for each in container["env"]}
    assert {name for name in made if name.startswith("LAYERGLASS")} <= SETTINGS
    assert made - SETTINGS - OTHERS == set()


def test_the_image_starts_the_page_as_nobody_on_the_port_that_everybody_means() -> None:
    """Streamlit knows the options; health is asked of the server that is started."""
    words = dict(instructions())
    command = yaml.safe_load(words["CMD"])
    assert command[:2] == ["python", "app.py"]
    options = dict(zip(command[2::2], command[3::2], strict=True))
    for option in options:
        config.get_option(option.removeprefix("--"))
    port = options["--server.port"]
    assert words["EXPOSE"] == port
    assert f"127.0.0.1:{port}{HEALTH}'" in words["HEALTHCHECK"]
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", words["USER"])
    assert set(re.findall(r"server \S+:(\d+)", NGINX)) == {port}
    assert {service["ports"][0].rpartition(":")[2] for service in pages().values()} == {port}
    (page,) = containers("page.yaml", "Deployment")
    assert [each["containerPort"] for each in page["ports"]] == [int(port)]


def pages() -> dict[str, dict[str, Any]]:
    """The replicas in the compose file."""
    return {name: each for name, each in COMPOSE["services"].items() if name.startswith("page")}


def test_the_proxy_knows_every_replica_and_is_the_one_that_they_believe() -> None:
    """By name and by address; metrics are for its network, through which no visitor comes directly."""
    named = re.findall(r"server ([\w-]+):\d+", NGINX)
    assert sorted(named) == sorted(pages())
    proxy = COMPOSE["services"]["proxy"]
    assert set(proxy["depends_on"]) == set(named)
    (network,) = COMPOSE["networks"]["inside"]["ipam"]["config"]
    for service in COMPOSE["services"].values():
        address = service["networks"]["inside"]["ipv4_address"]
        assert ip_address(address) in ip_network(network["subnet"])
    for page in pages().values():
        assert page["environment"]["FORWARDED_ALLOW_IPS"] == proxy["networks"]["inside"]["ipv4_address"]
        assert page["environment"]["LAYERGLASS_METRICS"] == network["subnet"]
        assert page["ports"][0].startswith("127.0.0.1:")
    listening = re.findall(r"listen (\d+);", NGINX)
    assert [each.split(":")[1] for each in proxy["ports"]] == listening
    mounted, _, _ = proxy["volumes"][0].partition(":")
    assert (ROOT / "deploy" / mounted).is_file()


def test_the_proxy_lets_through_what_the_door_lets_in() -> None:
    """The largest file with its form, and the longest query; it tells who asks, and keeps the host."""
    most = limits({}, free=8 << 30)
    megabytes = int(re.findall(r"client_max_body_size (\d+)m;", NGINX)[0])
    assert megabytes << 20 > most.weights + OF_A_FORM
    heads = int(re.findall(r"large_client_header_buffers \d+ (\d+)k;", NGINX)[0])
    assert heads << 10 > most.query + most.path
    for line in ("Host $http_host", "X-Forwarded-For $remote_addr", "Upgrade $http_upgrade"):
        assert f"proxy_set_header {line};" in NGINX
    assert "proxy_request_buffering off;" in NGINX


def test_nothing_may_be_written_but_what_has_a_place_for_it() -> None:
    """Read-only, without rights, in both ways to deploy; the folders that need room have it."""
    for service in COMPOSE["services"].values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
    (page,) = containers("page.yaml", "Deployment")
    assert page["securityContext"]["readOnlyRootFilesystem"] is True
    writable = {each["mountPath"] for each in page["volumeMounts"]}
    made = variables()
    assert writable == {made["HOME"], made["TORCH_HOME"]}
    assert {each["tmpfs"][0] for each in pages().values()} == {made["HOME"]}
    assert {each["volumes"][0].partition(":")[2] for each in pages().values()} == {made["TORCH_HOME"]}


def test_the_pods_are_asked_at_addresses_that_answer() -> None:
    """The queue decides whether a pod lives; listening is enough to start and to be ready."""
    (page,) = containers("page.yaml", "Deployment")
    asked = {name: page[f"{name}Probe"]["httpGet"]["path"] for name in ("startup", "readiness", "liveness")}
    assert asked == {"startup": STREAMLITS, "readiness": STREAMLITS, "liveness": HEALTH}
    (deployment,) = [each for each in MANIFESTS["page.yaml"] if each["kind"] == "Deployment"]
    assert deployment["spec"]["template"]["metadata"]["annotations"]["prometheus.io/path"] == COUNTS
    assert OPERATOR in (ROOT / "deploy" / "compose.yaml").read_text("utf-8")


def test_what_the_manifests_choose_by_label_has_the_label() -> None:
    """Services, budgets and policies choose pods; a word that is misspelt chooses none."""
    made = {name: {label for each in MANIFESTS[name] for label in pods(each)} for name in MANIFESTS}
    assert made == {"page.yaml": {"layerglass"}, "ray.yaml": {"layerglass-ray"}}
    chosen = {
        name: {found["app"] for each in MANIFESTS[name] for found in selectors(each)} for name in MANIFESTS
    }
    assert chosen == {"page.yaml": made["page.yaml"], "ray.yaml": made["ray.yaml"] | made["page.yaml"]}


def pods(thing: Any) -> list[str]:
    """The label of each template of pods inside an object."""
    if isinstance(thing, list):
        return [found for each in thing for found in pods(each)]
    if not isinstance(thing, dict):
        return []
    found = [thing["template"]["metadata"]["labels"]["app"]] if "template" in thing else []
    return found + [each for value in thing.values() for each in pods(value)]


def selectors(thing: Any) -> list[dict[str, str]]:
    """Every choice of pods inside an object."""
    if isinstance(thing, list):
        return [found for each in thing for found in selectors(each)]
    if not isinstance(thing, dict):
        return []
    found = [thing[key] for key in ("matchLabels",) if key in thing]
    if isinstance(thing.get("selector"), dict) and "app" in thing["selector"]:
        found.append(thing["selector"])
    return found + [each for value in thing.values() for each in selectors(value)]


def test_every_alert_is_about_a_metric_that_there_is_and_says_what_to_do() -> None:
    """Each has a line in the document, which has no others; ``up`` is Prometheus' own."""
    text = (ROOT / "docs" / "watch.md").read_text("utf-8")
    metrics = set(re.findall(r"^\| `(layerglass_\w+)` \|", text, re.MULTILINE))
    rules = [
        rule
        for group in yaml.safe_load((ROOT / "deploy" / "alerts.yaml").read_text("utf-8"))["groups"]
        for rule in group["rules"]
    ]
    asked = {name for rule in rules for name in re.findall(r"\blayerglass_\w+", rule["expr"])}
    assert {name.removesuffix("_bucket") for name in asked} <= metrics
    assert [rule["alert"] for rule in rules] == re.findall(r"^\| `(Layerglass\w+)` \|", text, re.MULTILINE)
    assert all(rule["annotations"]["summary"].endswith(".") for rule in rules)


def test_the_alert_of_the_door_counts_each_status_that_the_document_calls_an_attack() -> None:
    """Many requests that are too slow are one, as are many that come too often."""
    text = (ROOT / "docs" / "watch.md").read_text("utf-8")
    (attacks,) = re.findall(r"^.*somebody attacks.*$", text, re.MULTILINE)
    (counted,) = re.findall(r'status=~"([\d|]+)"', (ROOT / "deploy" / "alerts.yaml").read_text("utf-8"))
    assert counted.split("|") == sorted(re.findall(r"\b\d{3}\b", attacks))


def test_the_command_that_joins_the_cluster_names_its_head() -> None:
    """KubeRay names the head's service after the cluster; the port is the head's for clients."""
    (cluster,) = [each for each in MANIFESTS["ray.yaml"] if each["kind"] == "RayCluster"]
    text = (ROOT / "deploy" / "kubernetes" / "ray.yaml").read_text("utf-8")
    ((host, port),) = re.findall(r"LAYERGLASS_ENGINE=ray://([\w-]+):(\d+)", text)
    assert host == f"{cluster['metadata']['name']}-head-svc"
    head = containers("ray.yaml", "RayCluster")[0]
    assert int(port) in [each["containerPort"] for each in head["ports"]]


@pytest.mark.parametrize(
    ("uri", "logged"),
    [
        ("/", "/"),
        ("/health", "/health"),
        (f"/maps/{'0123abcd' * 5}/layer.json", "/maps/.../layer.json"),
        (f"/glass/maps/{'0123abcd' * 8}/class_events", "/glass/maps/.../class_events"),
        (f"/maps/{'0123abcd' * 5}", "/maps/..."),
        (f"/maps/x/{'0123abcd' * 5}/layer.json", "/maps/.../layer.json"),
        (f"/maps/{'0123abcd' * 5}/\nlayer.json", "/maps/..."),
        (f"/MAPS/{'0123abcd' * 5}/layer.json", "/MAPS/.../layer.json"),
        (f"/maps/maps/{'0123abcd' * 5}", "/maps/..."),
        ("/_stcore/upload_file/5e551011/f11e", "/_stcore/upload_file/..."),
        ("/media/0123abcd.png", "/media/..."),
    ],
)
def test_the_proxys_log_has_no_token_with_which_a_visit_can_be_seen(uri: str, logged: str) -> None:
    """The patterns of its own file, carried out by Python; nginx takes the first that fits."""
    table = re.search(r"map \$uri \$logged_uri \{(.*?)\n    \}", NGINX, re.DOTALL)
    assert table is not None
    written = re.search(r"log_format plain (.*?);", NGINX, re.DOTALL)
    assert written is not None
    assert set(re.findall(r"\$\w*(?:uri|request)\b", written[1])) == {"$logged_uri"}
    shown = uri
    for pattern, value in re.findall(r'"~\*([^"]+)"\s+"([^"]+)"', table[1]):
        if found := re.search(pattern.replace("(?<", "(?P<"), uri, re.IGNORECASE):
            shown = re.sub(r"\$(\w+)", lambda name, found=found: found[name[1]], value)
            break
    assert shown == logged


def test_the_documents_lines_for_one_server_are_those_of_the_file() -> None:
    """A copy of them keeps tokens out of the log and maps off the disk, too."""
    text = (ROOT / "docs" / "behind-a-proxy.md").read_text("utf-8")
    example = next(each for each in re.findall(r"```nginx\n(.*?)```", text, re.DOTALL) if "ssl" in each)
    known, copied = ({" ".join(line.split()) for line in each.splitlines()} for each in (NGINX, example))
    own = ("listen", "server_name", "ssl_", "access_log", "error_log", "proxy_pass", "log_format")
    assert [line for line in copied - known if line and not line.startswith(own)] == []
    shared = ("proxy_set_header", "proxy_request_buffering", "proxy_max_temp_file_size", '"~*(?s)')
    assert [line for line in known - copied if line.startswith(shared)] == []


@contextmanager
def proxied(page: str, home: Path) -> Iterator[tuple[str, int]]:
    """The address of a real nginx before a page, with the file that we ship, and its process."""
    port, made = free_port(), re.sub(r"server page-2:\d+[^;]*;", "", NGINX).replace("/tmp/", f"{home}/")
    made = re.sub(r"server page-1:\d+", f"server {urlsplit(page).netloc}", made)
    (home / "nginx.conf").write_text(made.replace("listen 8080", f"listen 127.0.0.1:{port}"))
    mine = "daemon off; user root;" if os.geteuid() == 0 else "daemon off;"
    command = ["nginx", "-e", "stderr", "-p", str(home), "-c", str(home / "nginx.conf"), "-g", mine]
    with (home / "seen.txt").open("wb") as seen, (home / "failed.txt").open("wb") as failed:
        proxy = subprocess.Popen(command, stdout=seen, stderr=failed)
        try:
            until = time.monotonic() + patience(20)
            while proxy.poll() is None and time.monotonic() < until and not (home / "nginx.pid").is_file():
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port}", proxy.pid
        finally:
            proxy.terminate()
            proxy.wait(timeout=patience(20))


@REAL
@pytest.mark.slow  # it needs the real server
def test_a_real_proxy_lets_a_visit_through_and_logs_nothing_of_it(tmp_path: Path) -> None:
    """Pages, sockets, uploads and maps; strangers stay out, and no secret of the visit is written."""
    with serving(tmp_path) as page, proxied(page, tmp_path) as (address, _):
        with Visitor(address, model="lenet") as visitor:
            secrets = (visitor.subject, visitor.session)
            assert visitor.upload("upload", "photo.png", saved(noise("RGB", (64, 64), 0), "png")).status < 300
            assert visitor.map_json("conv2")["shape"] == [1, 16, 10, 10]
            secrets = (*secrets, visitor.subject)
            for odd in ("maps/%0a", "maps/x/", "MAPS/", "%6daps/", "glass/maps/"):
                ask(address, f"/{odd}{visitor.subject}/layer.json")
        assert handshake(address).startswith(b"HTTP/1.1 403")
        assert {ask(address, path).status for path in (COUNTS, OPERATOR)} == {404}
    written = (tmp_path / "seen.txt").read_text("utf-8")
    assert '"GET /maps/.../layer.json" 200' in written
    assert '"PUT /_stcore/upload_file/..." 204' in written
    assert [secret for secret in secrets if secret in written] == []
    assert (tmp_path / "failed.txt").read_text("utf-8") == ""


class Large(BaseHTTPRequestHandler):
    """A page with one answer, larger than what a system keeps for a connection."""

    def do_GET(self) -> None:
        """Give it."""
        self.send_response(200)
        self.send_header("Content-Length", "20000000")
        self.end_headers()
        self.wfile.write(b"x" * 20_000_000)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@REAL
def test_a_real_proxy_keeps_no_answer_in_a_file(tmp_path: Path) -> None:
    """A visitor who reads slowly gets maps from the page as they are read; they lie nowhere meanwhile."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Large) as page:
        threading.Thread(target=page.serve_forever, daemon=True).start()
        with (
            proxied(f"http://127.0.0.1:{page.server_port}", tmp_path) as (address, process),
            socket.create_connection((urlsplit(address).hostname, urlsplit(address).port)) as line,
        ):
            line.sendall(b"GET /maps/token/home.html HTTP/1.1\r\nHost: localhost\r\n\r\n")
            line.recv(1)
            time.sleep(1)
            files = [file for each in children(process) for file in Path(f"/proc/{each}/fd").iterdir()]
            opened = [str(file.readlink()) for file in files]
        page.shutdown()
    assert opened
    assert [name for name in opened if "nginx_proxy" in name] == []
