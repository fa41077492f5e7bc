#!/usr/bin/env python3
"""A folder as a Hub, as S3 and as a web server on loopback: cloud_server.py FOLDER PORT_FILE

GET /log says what was asked so far, one JSON object per line. Lists come in pages of two.

    Hub     datasets org/set; org/gated, whose files need the token; org/hidden, which is not there without it; org/bad,
            whose digests are of other bytes; org/busy, which first answers 429; org/slow; org/huge, by its list. Files
            are redirected to another host.
    S3      buckets signed (its signatures are checked), session (a session token, too), open, and moved
    web     /web/NAME?key=secret
    keys    /container and /latest/..., as containers and machines of AWS have them
"""

import hashlib
import hmac
import http.server
import json
import pathlib
import sys
import time
import urllib.parse

ROOT = pathlib.Path(sys.argv[1])
KEY, SECRET, SESSION, TOKEN = "AKIDEXAMPLE", "secret/of+example", "session/of+example", "hf_example"
COMMITS = {"main": "a" * 40, "refs/convert/parquet": "b" * 40}
PAGE = 2
log = []


def names():
    return sorted(str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if path.is_file())


def quoted(text):
    return urllib.parse.quote(text, safe="-_.~")


def is_signed(request):
    """Signature Version 4, from what arrived."""
    kind, _, rest = request.headers.get("Authorization", "").partition(" ")
    if kind != "AWS4-HMAC-SHA256":
        return False
    given = dict(part.strip().split("=", 1) for part in rest.split(","))
    key, *scope = given["Credential"].split("/")
    url = urllib.parse.urlsplit(request.path)
    query = sorted(urllib.parse.parse_qsl(url.query, keep_blank_values=True))
    signed = given["SignedHeaders"].split(";")
    headers = "".join(f"{name}:{' '.join((request.headers.get(name) or '').split())}\n" for name in signed)
    canonical = "\n".join([request.command, urllib.parse.quote(urllib.parse.unquote(url.path), safe="/-_.~"),
                           "&".join(f"{quoted(name)}={quoted(value)}" for name, value in query), headers,
                           ";".join(signed), request.headers["x-amz-content-sha256"]])
    text = "\n".join([kind, request.headers["x-amz-date"], "/".join(scope),
                      hashlib.sha256(canonical.encode()).hexdigest()])
    code = ("AWS4" + SECRET).encode()
    for part in [*scope, text]:
        code = hmac.new(code, part.encode(), hashlib.sha256).digest()
    return key == KEY and code.hex() == given["Signature"]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.do_GET()

    def do_PUT(self):
        self.do_GET()

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        first, *rest = [urllib.parse.unquote(part) for part in url.path.strip("/").split("/")]
        if first == "log":
            return self.send(200, "".join(json.dumps(entry) + "\n" for entry in log))
        log.append({"method": self.command, "path": self.path, "range": self.headers.get("Range"),
                    "authorization": self.headers.get("Authorization"), "host": self.headers["Host"]})
        query = dict(urllib.parse.parse_qsl(url.query))
        if first == "api":
            return self.hub(rest[1:3], rest[3:], query)
        if first == "datasets":
            return self.resolve(rest[:2], "/".join(rest[4:]))
        if first == "blob":
            return self.file("/".join(rest[1:]), slow=rest[0] == "slow")
        if first == "web":
            return self.file("/".join(rest)) if query.get("key") == "secret" else self.send(403, "no")
        if first in ("container", "latest"):
            return self.keys(url.path)
        return self.s3(first, "/".join(rest), query)

    def may_see(self, name):
        return name != "hidden" or self.has_token()

    def has_token(self):
        return self.headers.get("Authorization") == "Bearer " + TOKEN

    def hub(self, repository, rest, query):
        organisation, name = repository
        if organisation != "org" or not self.may_see(name):
            return self.send(401, "no", **{"X-Error-Code": "RepoNotFound"})
        if rest[0] == "revision":
            if name == "busy" and sum("/revision/" in entry["path"] for entry in log) == 1:
                return self.send(429, "later", **{"Retry-After": "1"})
            commit = COMMITS.get(rest[1])
            if commit is None:
                return self.send(404, "no", **{"X-Error-Code": "RevisionNotFound"})
            return self.send(200, json.dumps({"sha": commit}))
        folder = "/".join(rest[2:])
        below = [one for one in names() if not folder or one.startswith(folder + "/")]
        if not below:
            return self.send(404, "no", **{"X-Error-Code": "EntryNotFound"})
        start = int(query.get("cursor", "0"))
        entries = [{"type": "directory", "oid": "c" * 40, "size": 0, "path": "a-folder"}]
        for one in below[start:start + PAGE]:
            data = b"other" if name == "bad" else (ROOT / one).read_bytes()
            size = 10**18 if name == "huge" else (ROOT / one).stat().st_size
            entries.append({"type": "file", "oid": "d" * 40, "size": size, "path": one})
            if not one.startswith("."):
                entries[-1]["lfs"] = {"oid": hashlib.sha256(data).hexdigest(), "size": size}
        headers = {}
        if start + PAGE < len(below):
            path = urllib.parse.urlsplit(self.path).path
            headers["Link"] = f'<http://{self.headers["Host"]}{path}?recursive=true&cursor={start + PAGE}>; rel="next"'
        return self.send(200, json.dumps(entries), **headers)

    def resolve(self, repository, name):
        if repository[1] == "gated" and not self.has_token():
            return self.send(401, "no", **{"X-Error-Code": "GatedRepo"})
        host = f"localhost:{self.server.server_port}"
        kind = "slow" if repository[1] == "slow" else "fast"
        return self.send(302, "", Location=f"http://{host}/blob/{kind}/{urllib.parse.quote(name)}")

    def s3(self, bucket, key, query):
        if bucket == "moved":
            return self.error(301, "PermanentRedirect", **{"x-amz-bucket-region": "eu-north-1"})
        if bucket not in ("signed", "session", "open"):
            return self.error(404, "NoSuchBucket")
        if bucket == "session" and self.headers.get("x-amz-security-token") != SESSION:
            return self.error(403, "InvalidToken")
        if bucket != "open" and not is_signed(self):
            return self.error(403, "SignatureDoesNotMatch" if self.headers.get("Authorization") else "AccessDenied")
        if key:
            return self.file(key)
        below = [name for name in names() if name.startswith(query.get("prefix", ""))]
        start = int(query.get("continuation-token", "0/+ ")[:-3])
        contents = "".join(f"<Contents><Key>{name}</Key><Size>{(ROOT / name).stat().st_size}</Size>"
                           "<Owner><ID>i</ID></Owner></Contents>" for name in below[start:start + PAGE])
        more = f"<NextContinuationToken>{start + PAGE}/+ </NextContinuationToken>" if start + PAGE < len(below) else ""
        return self.send(200, '<?xml version="1.0" encoding="UTF-8"?>'
                         f'<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">{more}{contents}'
                         "</ListBucketResult>")

    def error(self, status, code, **headers):
        return self.send(status, f"<Error><Code>{code}</Code><Message>m</Message></Error>", **headers)

    def keys(self, path):
        keys = json.dumps({"AccessKeyId": KEY, "SecretAccessKey": SECRET, "Token": SESSION})
        if path == "/container":
            return self.send(200, keys) if self.headers.get("Authorization") == "token" else self.send(403, "no")
        if path == "/latest/api/token" and self.command == "PUT":
            return self.send(200, "machine")
        if self.headers.get("X-aws-ec2-metadata-token") != "machine":
            return self.send(401, "no")
        return self.send(200, keys if path.endswith("/role") else "role")

    def file(self, name, slow=False):
        if name not in names():
            return self.send(404, "no")
        data = (ROOT / name).read_bytes()
        etag = '"' + hashlib.md5(data).hexdigest() + '"'
        first = 0
        if wanted := self.headers.get("Range"):
            first = int(wanted.removeprefix("bytes=").split("-")[0])
        self.send_response(206 if first else 200)
        self.send_header("ETag", etag)
        if first:
            self.send_header("Content-Range", f"bytes {first}-{len(data) - 1}/{len(data)}")
        self.send_header("Content-Length", str(len(data) - first))
        self.end_headers()
        if self.command == "HEAD":
            return None
        step = 4000 if slow else len(data) or 1
        for begin in range(first, len(data), step):
            self.wfile.write(data[begin:begin + step])
            self.wfile.flush()
            if slow:
                time.sleep(0.05)
        return None

    def send(self, status, text, **headers):
        body = text.encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass


server = Server(("127.0.0.1", 0), Handler)
pathlib.Path(sys.argv[2] + ".new").write_text(str(server.server_address[1]))
pathlib.Path(sys.argv[2] + ".new").rename(sys.argv[2])
server.serve_forever()
