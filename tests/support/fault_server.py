#!/usr/bin/env python3
"""An HTTP server that misbehaves: fault_server.py FOLDER PORT_FILE

GET /FAULT/NAME serves FOLDER/NAME with a fault, GET /log the requests so far, one JSON object per line. Faults:

    plain      none; also ranges, ETag and If-Range
    cut        every response ends after 100,000 bytes of body
    weak       as cut, with a weak ETag and no date, by which no rest can be asked for
    bare       as cut, without any
    gzip       with Content-Encoding: gzip, whatever the bytes are
    silent     takes the request and never answers
    norange    as cut, the first time; ranges are ignored
    once       as cut, the first time only
    close      no length, and the connection is closed after 100,000 bytes, the first time
    longer     the length that is announced is 7 bytes too long; ranges are ignored
    wrong      one byte in the middle is another
    stitch     as cut, the first time, with a wrong byte in it
    change     the first time as cut; after that the file is another one, with another ETag
    liar       as change, but If-Range is ignored: the rest of the other file comes
    unsure     as liar, and what comes first has an ETag, the rest none
    endless    no length, and 200 times the file
    busy       twice 429 with Retry-After: 1
    flaky      twice 503
    stall      half of it, then nothing more, the first time
    drip       as slow as 4,000 bytes a tenth of a second
    page       a page of HTML instead
    empty      nothing, as a whole file
    huge       says that it has a petabyte
    later      429 with Retry-After: 86400
    to         a redirect to /plain/NAME
    S404 ...   this status
"""

import hashlib
import http.server
import json
import pathlib
import sys
import time

FOLDER = pathlib.Path(sys.argv[1])
CUT = 100_000
seen = {}
log = []


def other_byte(data, place):
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1:]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.answer(head=True)

    def do_GET(self):
        self.answer(head=False)

    def answer(self, head):
        if self.path == "/log":
            return self.send("".join(json.dumps(entry) + "\n" for entry in log).encode())
        log.append({"path": self.path, "agent": self.headers.get("User-Agent"), "range": self.headers.get("Range"),
                    "if_range": self.headers.get("If-Range"), "encoding": self.headers.get("Accept-Encoding")})
        _, fault, name = self.path.split("/", 2)
        time_seen = seen[self.path] = seen.get(self.path, 0) + 1
        if fault.startswith("S"):
            return self.status(int(fault[1:]))
        if (fault, time_seen < 3) in (("busy", True), ("flaky", True)):
            return self.status(429 if fault == "busy" else 503, {"Retry-After": "1"} if fault == "busy" else {})
        if fault == "later":
            return self.status(429, {"Retry-After": "86400"})
        if fault == "empty":
            return self.send(b"")
        if fault == "silent":
            time.sleep(20)
        if fault == "to":
            return self.status(302, {"Location": "/plain/" + name})
        if not (FOLDER / name).is_file():
            return self.status(404)
        data = (FOLDER / name).read_bytes()
        if fault == "page":
            return self.send(b"<html><body>Please log in</body></html>\n")
        if fault == "wrong" or (fault in ("change", "liar", "unsure") and time_seen > 1):
            data = other_byte(data, len(data) // 2)
        if fault == "stitch" and time_seen == 1:
            data = other_byte(data, 1000)
        etag = '"same"' if fault == "stitch" else '"' + hashlib.md5(data).hexdigest() + '"'
        first = 0
        wanted = self.headers.get("Range")
        if_range = self.headers.get("If-Range")
        if wanted and fault not in ("norange", "longer") and (fault in ("liar", "unsure") or if_range in (None, etag)):
            first = int(wanted.removeprefix("bytes=").split("-")[0])
        if first >= len(data):
            return self.status(416, {"Content-Range": f"bytes */{len(data)}"})
        self.send_response(206 if first else 200)
        if (fault != "unsure" or not first) and fault != "bare":
            self.send_header("ETag", "W/" + etag if fault == "weak" else etag)
        if fault == "gzip":
            self.send_header("Content-Encoding", "gzip")
        if first:
            self.send_header("Content-Range", f"bytes {first}-{len(data) - 1}/{len(data)}")
        body = data[first:]
        if fault in ("close", "endless"):
            self.send_header("Connection", "close")
        else:
            said = {"longer": len(body) + 7, "huge": 10**15}.get(fault, len(body))
            self.send_header("Content-Length", str(said))
        self.end_headers()
        if head:
            return None
        cuts_once = fault in ("norange", "once", "close", "stitch", "change", "liar", "unsure")
        if fault in ("cut", "weak", "bare") or (cuts_once and time_seen == 1):
            body = body[:CUT]
        if fault == "stall" and time_seen == 1:
            self.wfile.write(body[:len(body) // 2])
            self.wfile.flush()
            time.sleep(20)
            body = b""
        if fault == "drip":
            for begin in range(0, len(body), 4000):
                self.wfile.write(body[begin:begin + 4000])
                self.wfile.flush()
                time.sleep(0.1)
        elif fault == "endless":
            for _ in range(200):
                self.wfile.write(body)
        else:
            self.wfile.write(body)
        if fault in ("cut", "weak", "bare", "endless", "unsure", "longer", "huge", "stall",
                     "close", "norange", "once", "stitch", "change", "liar"):
            self.close_connection = True
        return None

    def send(self, body):
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def status(self, code, headers=None):
        self.send_response(code)
        for key, value in (headers or {}).items():
            self.send_header(key, value)
        body = b"no\n"
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass


server = Server(("127.0.0.1", 0), Handler)
pathlib.Path(sys.argv[2] + ".new").write_text(str(server.server_address[1]))
pathlib.Path(sys.argv[2] + ".new").rename(sys.argv[2])
server.serve_forever()
