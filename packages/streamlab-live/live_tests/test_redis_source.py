"""Redis streams as a source, against a real server on a free port."""

from __future__ import annotations

import contextlib
import shutil
import socket
import ssl
import subprocess
import threading
import time

import pytest

from live_tests.redis_server import RedisServer, free_port
from streamlab_live.addresses import parse_address, source_of

if RedisServer.missing():
    pytest.skip(RedisServer.missing(), allow_module_level=True)

from streamlab_live.redis_source import RedisSource


@pytest.fixture
def server(tmp_path):
    server = RedisServer(tmp_path)
    yield server
    server.kill()


@pytest.fixture
def source(server):
    source = RedisSource("127.0.0.1", server.port, "rows")
    yield source
    source.close()


def filled(server, n, start=0):
    with server.client() as client:
        return [client.xadd("rows", {"value": str(start + i)}).decode() for i in range(n)]


def everything(source, most=7):
    found = []
    while part := source.poll(most, 0.0):
        assert len(part) <= most
        found += part
    return found


def test_every_entry_comes_once_and_in_order(server, source):
    source.seek({})
    assert source.poll(10, 0.0) == []
    ids = filled(server, 250)
    found = everything(source)
    assert [message.offset for message in found] == ids
    assert [message.value for message in found] == [str(i).encode() for i in range(250)]
    assert [message.when for message in found] == [int(id_.partition("-")[0]) / 1000 for id_ in ids]
    assert {(message.partition, message.key) for message in found} == {("rows", None)}


@pytest.mark.parametrize("at", [0, 3, 99])
def test_it_goes_on_after_an_offset(server, source, at):
    ids = filled(server, 100)
    source.seek({"rows": ids[at]})
    assert [message.offset for message in everything(source)] == ids[at + 1 :]


def test_a_poll_waits_for_the_first_entry(server, source):
    source.seek({})

    def add():
        deadline = time.monotonic() + 60
        with server.client() as client:
            while client.info("clients")["blocked_clients"] == 0 and time.monotonic() < deadline:
                time.sleep(0.005)
            client.xadd("rows", {"value": "late"})

    adding = threading.Thread(target=add)
    adding.start()
    assert [message.value for message in source.poll(10, 60.0)] == [b"late"]
    adding.join()


def test_fields_become_a_json_object(server, source):
    source.seek({})
    with server.client() as client:
        client.xadd(
            "rows", {"id": "a7", "runtime": "92.5", "count": "-3", "code": "007", "said": 'a "b"\n', "key": "k"}
        )
        client.xadd("rows", {"data": b"\x00\xff", "key": b"k\xff"})
        client.xadd("rows", {"name": b"\xff"})
    first, second, third = source.poll(10, 0.0)
    assert (
        first.value == b'{"id": "a7", "runtime": 92.5, "count": -3, "code": "007", "said": "a \\"b\\"\\n", "key": "k"}'
    )
    assert first.key == "k"
    assert (second.value, second.key) == (b"\x00\xff", "k\\xff")
    assert third.value == b'{"name": "\xff"}'


def test_the_lag_is_what_waits(server, source):
    source.seek({})
    assert source.lag() is None  # the stream is not there yet
    ids = filled(server, 120)
    assert len(source.poll(50, 0.0)) == 50
    assert source.lag() == 70
    everything(source)
    assert source.lag() == 0
    filled(server, 5)
    assert source.lag() == 5
    source.seek({"rows": ids[10]})
    assert source.lag() is None  # Redis cannot count from an id on
    everything(source)
    assert source.lag() == 0


def test_what_was_trimmed_before_it_was_read_is_told(server, source):
    ids = filled(server, 20)
    with server.client() as client:
        client.xtrim("rows", minid=ids[10], approximate=False)
    source.seek({"rows": ids[10]})
    assert len(everything(source)) == 9
    for at in (3, 9):
        with pytest.raises(ValueError, match=rf"after {ids[at]} may be gone.*{ids[10]}"):
            source.seek({"rows": ids[at]})


def test_trimming_while_nobody_reads_is_told_by_the_next_poll(server, source):
    source.seek({})
    filled(server, 20)
    assert len(source.poll(5, 0.0)) == 5
    with server.client() as client:
        client.xtrim("rows", maxlen=3, approximate=False)
    with pytest.raises(ValueError, match="may be gone"):
        source.poll(5, 0.0)


def test_all_read_and_then_trimmed_is_nothing_lost(server, source):
    source.seek({})
    ids = filled(server, 5)
    everything(source)
    with server.client() as client:
        client.xtrim("rows", maxlen=0, approximate=False)
    source.seek({"rows": ids[-1]})
    assert source.poll(5, 0.0) == []
    assert source.lag() == 0


def test_a_stream_that_was_made_again_is_told(server, source):
    ids = filled(server, 5)
    source.seek({"rows": ids[2]})
    with server.client() as client:
        client.delete("rows")
        with pytest.raises(ValueError, match="the stream is gone"):
            source.poll(5, 0.0)
        client.xadd("rows", {"value": "x"}, id="1-1")
    with pytest.raises(ValueError, match="made again"):
        source.seek({"rows": ids[2]})


@pytest.mark.parametrize("offset", [5, "5", "a-b", "1-", "-1-1", "1-1 ", "9" * 30 + "-1", "18446744073709551616-0"])
def test_what_is_no_id_is_refused(source, offset):
    with pytest.raises(ValueError, match="expected an id such as"):
        source.seek({"rows": offset})


def test_offsets_of_another_stream_are_refused(source):
    with pytest.raises(ValueError, match="'other', which is another stream"):
        source.seek({"other": "1-1"})


def test_a_key_that_holds_no_stream_is_refused(server, source):
    with server.client() as client:
        client.set("rows", "text")
    with pytest.raises(ValueError, match="WRONGTYPE"):
        source.seek({})


def test_a_killed_server_is_away_and_nothing_is_lost_when_it_is_back(server, source):
    source.seek({})
    ids = filled(server, 50)
    found = source.poll(20, 0.0)
    server.kill()
    for ask in (lambda: source.poll(20, 0.0), source.lag, lambda: source.seek({"rows": found[-1].offset})):
        with pytest.raises(ConnectionError, match=str(server.port)):
            ask()
    server.start()
    source.seek({"rows": found[-1].offset})
    ids += filled(server, 10)
    assert [message.offset for message in found + everything(source)] == ids


def test_a_connection_that_is_cut_loses_nothing(server, source):
    source.seek({})
    filled(server, 3)
    (first, second) = source.poll(2, 0.0)
    with server.client() as client:
        client.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
    try:
        left = source.poll(2, 0.0)  # the client may connect again by itself
    except ConnectionError:
        source.seek({"rows": second.offset})
        left = source.poll(2, 0.0)
    assert [message.value for message in (first, second, *left)] == [b"0", b"1", b"2"]


def test_large_entries_are_asked_for_a_few_at_a_time(server, source):
    source.seek({})
    with server.client() as client:
        for _ in range(60):
            client.xadd("rows", {"value": b"x" * 2**20})
    sizes = []
    while part := source.poll(1000, 0.0):
        sizes.append(len(part))
        if len(sizes) == 1:
            with server.client() as client:
                for _ in range(60):
                    client.xadd("rows", {"value": b"x" * 2**20})
    assert sum(sizes) == 120
    assert max(sizes[1:]) <= 16


def test_credentials_come_from_the_environment(tmp_path, monkeypatch):
    server = RedisServer(tmp_path, "--requirepass", "open sesame")
    try:
        with pytest.raises(ValueError, match="STREAMLAB_REDIS_PASSWORD") as refusal:
            RedisSource("127.0.0.1", server.port, "rows").seek({})
        monkeypatch.setenv("STREAMLAB_REDIS_PASSWORD", "wrong")
        with pytest.raises(ValueError, match="refuses the credentials") as refusal:
            RedisSource("127.0.0.1", server.port, "rows").seek({})
        assert "wrong" not in str(refusal.value)
        monkeypatch.setenv("STREAMLAB_REDIS_PASSWORD", "open sesame")
        source = RedisSource("127.0.0.1", server.port, "rows")
        source.seek({})
        assert "sesame" not in source.name + repr(source.__dict__["name"])
        monkeypatch.delenv("STREAMLAB_REDIS_PASSWORD")
        (tmp_path / "password").write_text("open sesame\n")
        monkeypatch.setenv("STREAMLAB_REDIS_PASSWORD_FILE", str(tmp_path / "password"))
        RedisSource("127.0.0.1", server.port, "rows").seek({})
    finally:
        server.kill()


@pytest.fixture
def certified(tmp_path):
    """A certificate of localhost, which vouches for itself, its key, and a server's settings for a port with TLS."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl, which makes the certificate, is not installed")
    key, certificate, port = tmp_path / "key.pem", tmp_path / "certificate.pem", free_port()
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    settings = [
        "--tls-port", str(port), "--tls-cert-file", str(certificate), "--tls-key-file", str(key), "--tls-ca-cert-file",
        str(certificate),
    ]  # fmt: skip
    return certificate, key, port, settings


def test_a_connection_is_encrypted_and_the_server_s_certificate_checked(tmp_path, monkeypatch, certified):
    certificate, _, port, settings = certified
    server = RedisServer(tmp_path, *settings, "--tls-auth-clients", "no")
    try:
        with pytest.raises(ConnectionError):  # nobody vouches for it
            source_of(parse_address(f"rediss://localhost:{port}/rows")).seek({})
        monkeypatch.setenv("STREAMLAB_REDIS_CA_FILE", str(certificate))
        filled(server, 3)
        source = source_of(parse_address(f"rediss://localhost:{port}/rows"))
        source.seek({})
        assert len(everything(source)) == 3
        other = source_of(parse_address(f"rediss://127.0.0.1:{port}/rows"))  # the certificate is of another name
        with pytest.raises(ConnectionError):
            other.seek({})
    finally:
        server.kill()


SETTINGS = """# of Kafka and Redis alike
security.protocol=SASL_SSL
sasl.mechanisms=PLAIN
sasl.username=lab
sasl.password={password}
ssl.ca.location={certificate}
ssl.certificate.location={certificate}
ssl.key.location={key}
"""


def test_one_file_has_the_credentials_of_redis_and_of_kafka(tmp_path, monkeypatch, certified):
    certificate, key, port, settings = certified
    monkeypatch.setattr("streamlab_live.kafka_source.PATIENCE", 2.0)
    acl = ["--user", "lab", "on", ">open-sesame", "~rows", "-@all", "+@read", "+@transaction", "+@connection"]
    server = RedisServer(tmp_path, *settings, "--tls-auth-clients", "yes", *acl)
    path = tmp_path / "lab.properties"
    for name in ("REDIS", "KAFKA"):
        monkeypatch.setenv(f"STREAMLAB_{name}_CONFIG", str(path))

    def say(password, key=key):
        path.write_text(SETTINGS.format(password=password, certificate=certificate, key=key))

    say("open-sesame")
    filled(server, 3)
    try:
        source = source_of(parse_address(f"rediss://localhost:{port}/rows"))
        source.seek({})
        assert len(everything(source)) == 3
        with pytest.raises((ConnectionError, ValueError), match="other"):  # it may read one key
            source_of(parse_address(f"rediss://localhost:{port}/other")).seek({})
        say("wrong")
        with pytest.raises(ValueError, match="refuses the credentials"):
            source_of(parse_address(f"rediss://localhost:{port}/rows")).seek({})
        path.write_text("sasl.username=lab\nsasl.password=open-sesame\nssl.ca.location=" + str(certificate))
        with pytest.raises(ConnectionError):  # the server asks for a certificate
            source_of(parse_address(f"rediss://localhost:{port}/rows")).seek({})
    finally:
        server.kill()
    say("open-sesame")
    kafka = source_of(parse_address(f"kafka://localhost:{port}/rows"))
    with pytest.raises(ConnectionError):  # it takes the settings, and nobody is there
        kafka.seek({})
    kafka.close()
    say("open-sesame", key=certificate)
    with pytest.raises(ValueError, match="refuses its settings"):
        source_of(parse_address(f"kafka://localhost:{port}/rows")).seek({})


@pytest.mark.parametrize("is_known", [True, False])
def test_kafka_s_client_checks_the_server_s_certificate(tmp_path, monkeypatch, certified, is_known):
    certificate, key, port, _ = certified
    (tmp_path / "lab.properties").write_text("security.protocol=SSL\n" + f"ssl.ca.location={certificate}\n" * is_known)
    monkeypatch.setenv("STREAMLAB_KAFKA_CONFIG", str(tmp_path / "lab.properties"))
    monkeypatch.setattr("streamlab_live.kafka_source.PATIENCE", 2.0)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    said: list[bytes] = []

    def listen(listener: socket.socket) -> None:
        with (
            contextlib.suppress(OSError),
            listener.accept()[0] as raw,
            context.wrap_socket(raw, server_side=True) as line,
        ):
            said.append(line.recv(100))

    with socket.create_server(("127.0.0.1", port)) as listener:
        thread = threading.Thread(target=listen, args=(listener,))
        thread.start()
        source = source_of(parse_address(f"kafka://localhost:{port}/rows"))
        with pytest.raises(ConnectionError):
            source.seek({})
        source.close()
        thread.join(30)
    assert any(said) == is_known, "its first request, inside the encryption"


def test_the_name_in_the_certificate_is_checked_whatever_the_client_s_default_is():
    source = source_of(parse_address("rediss://localhost/rows"))
    assert source._client.connection_pool.connection_kwargs["ssl_check_hostname"] is True


def test_an_address_names_server_database_and_stream(server):
    with server.client(db=3) as client:
        client.xadd("a/b", {"value": "x"})
    source = source_of(parse_address(f"redis://127.0.0.1:{server.port}/a%2Fb?db=3"))
    source.seek({})
    assert [(message.partition, message.value) for message in source.poll(5, 0.0)] == [("a/b", b"x")]
    assert source.name == f"redis://127.0.0.1:{server.port}/a/b"


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("redis://localhost/", "expected the key"),
        ("redis:///rows", "needs a host"),
        ("redis://localhost/rows?db=1.5", "whole number"),
        ("redis://a,b/rows", "one server"),
        ("redis://localhost:0/rows", "port=0"),
        ("redis://localhost/rows?group=x", "no option group="),
    ],
)
def test_an_address_that_is_none_is_refused(address, says):
    with pytest.raises(ValueError, match=says):
        source_of(parse_address(address))


@pytest.mark.parametrize(
    ("host", "stream", "told"),
    [("", "rows", "a Redis stream needs a host"), ("localhost", "", "stream='': expected the key of a Redis stream")],
)
def test_wrong_places_are_refused(host, stream, told):
    with pytest.raises(ValueError, match=told):
        RedisSource(host, 6379, stream)
