"""Visitors at this machine: those who come from it, through nothing, from the page that it serves."""

import pytest
from starlette.types import Scope

from viz.ui.visit.direct import direct_address, is_of_this_machine
from viz.ui.visit.jobs.answering import may_run_whole

# What common proxies and content networks add, each alone, as their manuals name it.
FORWARDED = [
    "X_Forwarded_For",
    "X_Forwarded_Proto",
    "X_Forwarded_Port",
    "X_Forwarded_Server",
    "X_Forwarded_Prefix",
    "X_Forwarded_Ssl",
    "CF_Connecting_IP",
    "CF_Ray",
    "CF_Visitor",
    "CDN_Loop",
    "True_Client_IP",
    "X_Client_IP",
    "X_Cluster_Client_IP",
    "Fly_Client_IP",
    "Fastly_Client_IP",
    "X_Original_Forwarded_For",
    "X_Envoy_External_Address",
    "X_Amzn_Trace_Id",
    "X_Azure_ClientIP",
    "X_ProxyUser_Ip",
    "X_Real_Port",
    "X_Scheme",
    "X_Request_ID",
    "Proxy_Connection",
    "Front_End_Https",
    "X_Original_Host",
]
ALLOWED = {"LAYERGLASS_ALLOW_CODE": "1"}


def scope(client: str = "127.0.0.1", host: str = "localhost:8501", **headers: str) -> Scope:
    """A request with these headers."""
    said = {"host": host} | {name.replace("_", "-"): value for name, value in headers.items()}
    pairs = [(name.encode(), value.encode()) for name, value in said.items()]
    return {"type": "http", "client": (client, 1), "headers": pairs}


@pytest.mark.parametrize(
    "request_",
    [
        scope(),
        scope("::1", "[::1]:8501"),
        scope("::1", "[::1]"),
        scope("::ffff:127.0.0.1", "127.0.0.1"),
        scope(sec_fetch_site="same-origin"),
        scope(origin="http://localhost:8501"),
        scope(user_agent="curl/8", accept="*/*", connection="keep-alive", priority="u=1"),
    ],
)
def test_a_browser_here_may_bring_whole_python_if_the_operator_says_so(request_: Scope) -> None:
    """And never otherwise."""
    assert is_of_this_machine(request_)
    assert may_run_whole(request_, ALLOWED)
    for environment in ({}, {"LAYERGLASS_ALLOW_CODE": ""}, {"LAYERGLASS_ALLOW_CODE": "yes"}):
        assert not may_run_whole(request_, environment)


@pytest.mark.parametrize(
    "request_",
    [
        scope("192.0.2.7"),
        scope("10.0.0.1", "10.0.0.1:8501"),
        scope("::2"),
        scope(""),
        scope(x_forwarded_for="192.0.2.7"),
        scope(forwarded="for=192.0.2.7"),
        scope(x_real_ip="127.0.0.1"),
        scope(via="1.1 proxy"),
        scope(X_Forwarded_Host="evil.example"),
        *(scope(**{each: "192.0.2.7"}) for each in FORWARDED),
        scope(origin="http://evil.example"),
        scope(origin="http://localhost:3000"),
        scope(origin="null"),
        scope(host="evil.example:8501"),
        scope(host="localhost.evil.example"),
        scope(host=""),
        scope(sec_fetch_site="cross-site"),
        scope(sec_fetch_site="same-site"),
    ],
)
def test_nobody_else_may(request_: Scope) -> None:
    """Neither another machine, nor whoever comes through a proxy, nor another page in a browser here."""
    assert not is_of_this_machine(request_)
    assert not may_run_whole(request_, ALLOWED)


def test_the_address_is_that_of_the_connection() -> None:
    """As IPv4 where it is one; none through a proxy or a socket file."""
    assert str(direct_address(scope("::ffff:10.1.2.3"))) == "10.1.2.3"
    assert direct_address(scope("10.1.2.3", via="1.1 x")) is None
    assert direct_address(scope("socket")) is None
