# SPDX-License-Identifier: MIT
"""Shared by the server tests: starts a server, sends requests and checks every response against docs/openapi.json."""
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

PLYVERSE = os.environ["PLYVERSE"]
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LONG = os.environ.get("PLY_TIER") == "long"

# The sanitizer that the program under test was built with, such as "thread"; may be empty.
with open(os.path.join(os.environ["PLYVERSE_BUILD"], "CMakeCache.txt"), encoding="utf-8") as file:
    SANITIZER = re.search(r"^PLY_SANITIZE:STRING=(.*)$", file.read(), re.M).group(1)

with open(os.path.join(SOURCE, "docs", "openapi.json"), encoding="utf-8") as file:
    SPEC = json.load(file)


class Server:
    """A server on a free loopback port with its own data folder."""

    def __init__(self, *args, folder=None, faults=None, memory_counter=None):
        """faults: settings of tests/faults/preload.c, which is preloaded with them; memory_counter: the file that tells
        tests/faults/preload_memory.c, which is preloaded, which allocation fails."""
        self.environment = dict(os.environ)
        self.folder = folder or tempfile.mkdtemp(prefix="plyverse-test-")
        if faults is not None:
            self.environment.update(faults, LD_PRELOAD=os.environ["PLYVERSE_FAULTS"], PLY_FAULT_FOLDER=self.folder,
                                    ASAN_OPTIONS="verify_asan_link_order=0:" + os.environ.get("ASAN_OPTIONS", ""))
        elif memory_counter:
            self.environment.update(LD_PRELOAD=os.environ["PLYVERSE_MEMORY_FAULTS"], PLY_FAULT_COUNTER=memory_counter)
        self.own_folder = folder is None
        self.args = args
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [PLYVERSE, "serve", "--port", "0", "--data", self.folder, *self.args],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment)
        line = self.process.stdout.readline()
        found = re.search(r"http://([^/]+)/(?:\?token=(\w+))?", line)
        if not found:
            self.process.wait()
            errors = self.process.stderr.read()
            self.close_pipes()
            raise AssertionError(f"the server printed no address: {line!r} {errors!r}")
        self.authority, self.token = found.group(1), found.group(2)
        host, port = self.authority.rsplit(":", 1)
        self.host, self.port = host.strip("[]"), int(port)

    def kill(self):
        """Simulates a crash: the process has no chance to write anything more."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.close_pipes()

    def close_pipes(self):
        self.process.stdout.close()
        self.process.stderr.close()

    def stop(self):
        """Sends SIGTERM; returns the exit status and what was printed on stderr."""
        self.process.send_signal(signal.SIGTERM)
        try:
            _, errors = self.process.communicate(timeout=600)
        finally:
            if self.process.poll() is None:
                self.process.kill()
            if self.own_folder:
                shutil.rmtree(self.folder, ignore_errors=True)
        return self.process.returncode, errors


class Client:
    """One persistent connection. Every response is checked against the API description."""
    IDLE = 45  # seconds after which a new connection is made: the server hangs up after 90

    def __init__(self, server, timeout=600):
        self.server = server
        self.connection = http.client.HTTPConnection(server.host, server.port, timeout=timeout)
        self.used = time.monotonic()

    def close(self):
        self.connection.close()

    def raw(self, method, target, body=None, headers=None):
        headers = dict(headers or {})
        if self.server.token:
            headers.setdefault("Authorization", "Bearer " + self.server.token)
        if time.monotonic() - self.used > self.IDLE:
            self.connection.close()
        self.connection.request(method, target, body, headers)
        answer = self.connection.getresponse()
        data = answer.read()
        self.used = time.monotonic()
        self.body = check_answer(method, target, answer, data)
        return answer, data

    def send(self, method, target, body=None, headers=None):
        """Sends an object as JSON, or bytes as they are; returns the status and the checked body."""
        headers = dict(headers or {})
        if isinstance(body, (bytes, bytearray)):
            headers.setdefault("Content-Type", "application/octet-stream")
        elif body is not None:
            headers.setdefault("Content-Type", "application/json")
            body = json.dumps(body)
        answer, _ = self.raw(method, target, body, headers)
        return answer.status, self.body

    def get(self, target, status=200):
        return self.expect("GET", target, None, status)

    def post(self, target, body, status=200):
        return self.expect("POST", target, body, status)

    def patch(self, target, body, status=200):
        return self.expect("PATCH", target, body, status)

    def delete(self, target, status=204):
        return self.expect("DELETE", target, None, status)

    def expect(self, method, target, body, wanted):
        status, answer = self.send(method, target, body)
        if status != wanted:
            raise AssertionError(f"{method} {target}: got {status}, expected {wanted}: {answer}")
        return answer

    def events(self, target, limit=None, until=lambda data: False):
        """Reads server-sent events up to `done`, the first `limit` of them, or up to the first whose data will do."""
        connection = http.client.HTTPConnection(self.server.host, self.server.port, timeout=600)
        headers = {"Authorization": "Bearer " + self.server.token} if self.server.token else {}
        connection.request("GET", target, headers=headers)
        answer = connection.getresponse()
        if answer.status != 200:
            data = answer.read()
            connection.close()
            raise AssertionError(f"{target}: {answer.status} {data!r}")
        check_headers(answer)
        SEEN.add((operation_of("GET", target)["operationId"], 200))
        assert answer.getheader("Content-Type") == "text/event-stream"
        events, name = [], None
        try:
            for line in answer:
                line = line.decode().rstrip("\n")
                if line.startswith("event: "):
                    name = line[7:]
                elif line.startswith("data: "):
                    data = json.loads(line[6:])
                    check_schema(data, SPEC["components"]["schemas"][
                        {"info": "Info", "done": "Done"}[name]], target + " " + name)
                    events.append((name, data))
                    if name == "done" or (limit and len(events) >= limit) or until(data):
                        break
                else:
                    assert line in ("", ":"), line
        finally:
            connection.close()
        return events


# --- checking against the API description --------------------------------------------------------
SEEN = set()  # (operation, status) pairs seen so far


def resolve(schema):
    while "$ref" in schema:
        node = SPEC
        for part in schema["$ref"].lstrip("#/").split("/"):
            node = node[part]
        schema = node
    return schema


TYPES = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list,
         "object": dict, "null": type(None)}


def is_type(value, name):
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, TYPES[name])


def check_schema(value, schema, where):
    """Checks a value. Supports the part of JSON Schema that the description uses."""
    schema = resolve(schema)
    if "oneOf" in schema:
        failures = []
        for choice in schema["oneOf"]:
            try:
                check_schema(value, choice, where)
                return
            except AssertionError as failure:
                failures.append(str(failure))
        raise AssertionError(f"{where}: matches no alternative: {failures}")
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(is_type(value, kind) for kind in kinds):
        raise AssertionError(f"{where}: {value!r} is not {kinds}")
    if "enum" in schema and value not in schema["enum"]:
        raise AssertionError(f"{where}: {value!r} is not one of {schema['enum']}")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if value < schema.get("minimum", value) or value > schema.get("maximum", value):
            raise AssertionError(f"{where}: {value!r} is out of range")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            raise AssertionError(f"{where}: {len(value)} items")
        for i, item in enumerate(value):
            check_schema(item, schema.get("items", {}), f"{where}[{i}]")
    if isinstance(value, dict):
        known = schema.get("properties", {})
        for name in schema.get("required", []):
            if name not in value:
                raise AssertionError(f"{where}: {name} is missing")
        for name, item in value.items():
            if name in known:
                check_schema(item, known[name], f"{where}.{name}")
            elif isinstance(schema.get("additionalProperties"), dict):
                check_schema(item, schema["additionalProperties"], f"{where}.{name}")
            elif schema.get("additionalProperties") is False:
                raise AssertionError(f"{where}: {name} is not described")


def path_of(target):
    """The path pattern of the description that a target matches, or None."""
    path = target.split("?")[0]
    for pattern in SPEC["paths"]:
        if re.fullmatch(re.sub(r"\{\w+\}", r"\\d+", pattern), path):
            return pattern
    return None


def operation_of(method, target):
    path = path_of(target)
    return SPEC["paths"].get(path, {}).get(method.lower()) if path else None


def check_headers(answer):
    """Checks the headers that every response must have."""
    headers = {name.lower(): value for name, value in answer.getheaders()}
    policy = headers["content-security-policy"]
    for part in ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"):
        assert part in policy, policy
    assert "unsafe" not in policy and "http" not in policy and "*" not in policy, policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "access-control-allow-origin" not in headers


def check_answer(method, target, answer, data):
    """Checks status, headers and body of a response against the description; returns the body."""
    check_headers(answer)
    kind = (answer.getheader("Content-Type") or "").split(";")[0]
    body = json.loads(data) if kind == "application/json" and data else data
    operation = operation_of(method, target)
    if operation is None:
        if target.startswith("/api"):
            assert answer.status in (400, 401, 403, 404, 405), answer.status
            check_schema(body, SPEC["components"]["schemas"]["Error"], target)
        return body
    where = f"{method} {target} {answer.status}"
    described = operation["responses"].get(str(answer.status))
    if answer.status == 429 and body["error"]["code"] == "no-memory":
        described = SPEC["components"]["responses"]["E429"]
    assert described is not None, f"{where} is not described: {body}"
    SEEN.add((operation["operationId"], answer.status))
    content = resolve(described).get("content")
    if not content:
        assert data == b"", where
        return None
    assert kind in content, f"{where}: {kind}"
    if kind == "application/json":
        check_schema(body, content[kind]["schema"], where)
    return body


class ServerTest(unittest.TestCase):
    """A test case whose methods share one server."""
    arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.server = Server(*cls.arguments)
        cls.client = Client(cls.server)

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        status, errors = cls.server.stop()
        if (status, errors) != (0, ""):
            raise AssertionError(f"the server exited with status {status}: {errors}")

    def new_game(self, game, **more):
        return self.client.post("/api/games", {"game": game, **more}, 201)

    def wait_for(self, running, kind="analyses"):
        """Waits until that many analyses, or engines, are running; a test that waits for ever ends after ten minutes."""
        deadline = time.monotonic() + 600
        while self.client.get("/api/status")[kind]["running"] != running:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)

    def check_error(self, status, words, method, target, body=None, headers=None):
        """Sends a request that must fail with this status and an error that contains `words`; returns the error."""
        got, answer = self.client.send(method, target, body, headers)
        self.assertEqual(got, status, answer)
        self.assertIn(words, json.dumps(answer["error"], ensure_ascii=False))
        return answer["error"]
