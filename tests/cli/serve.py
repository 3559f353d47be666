# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks `endlab serve` what a shell cannot ask well. Exits with an error where an answer is not as it should be.

    serve.py positions COUNT              prints random positions, some of them not legal
    serve.py compare PORT JSON LICHESS    the server, `probe --json` and `probe --lichess` agree on them
    serve.py raw PORT SECONDS             requests of every kind of wrongness, with --timeout SECONDS
    serve.py full PORT CONNECTIONS        with --connections CONNECTIONS, all of them busy
    serve.py crowd PORT COUNT             one client's idle connections, more than there may be: others are answered
    serve.py rate PORT N                  with --rate N
"""
import http.client
import json
import random
import socket
import sys
import time
import urllib.parse

NEGATED = {"win": "loss", "cursed-win": "blessed-loss", "draw": "draw", "blessed-loss": "cursed-win",
           "loss": "win", "unknown": "unknown"}
ORDER = ["loss", "unknown", "syzygy-loss", "maybe-loss", "blessed-loss", "draw", "cursed-win", "maybe-win",
         "syzygy-win", "win"]
OPEN = {"unknown", "syzygy-loss", "maybe-loss", "maybe-win", "syzygy-win"}
FIELDS = {"checkmate", "stalemate", "variant_win", "variant_loss", "insufficient_material", "dtz",
          "precise_dtz", "dtm", "dtw", "dtc", "category"}
MOVE_FIELDS = FIELDS | {"uci", "san", "zeroing", "conversion"}
GOOD = "/standard?fen=8/8/8/8/8/2k5/8/K6Q_w_-_-_0_1"


def expect(true, *what):
    if not true:
        sys.exit("not as expected: " + " ".join(str(w)[:1000] for w in what))


# ---- positions ----

def fen_of(rng):
    pieces = "Kk" + rng.choice(["Q", "R", "P", "Pp", "Pp", "BN", "q", "r", "p", "bn", "", "B", "n"])
    board = ["1"] * 64
    for piece, square in zip(pieces, rng.sample(range(64), len(pieces))):
        board[square] = piece
    rows = ["".join(board[8 * r:8 * r + 8]) for r in range(8)]
    for n in range(8, 1, -1):
        rows = [row.replace("1" * n, str(n)) for row in rows]
    clock = rng.choice([0, 0, rng.randrange(100), rng.randrange(80, 100)])
    return f"{'/'.join(rows)} {rng.choice('wb')} - - {clock} {1 + clock // 2}"


def agree_on_depth(plies, outcome, depth):
    """The plies of --json and a depth of the API."""
    if outcome == "draw":
        expect(depth == 0, "a draw of depth", depth)
    elif plies is None:
        expect(depth is None, "a depth from nowhere", depth)
    else:
        sign = 1 if outcome in ("win", "cursed-win") else -1
        expect(depth == sign * plies, "depths", plies, depth)


def agree(ours, theirs):
    """One object of --json and one of --lichess."""
    expect(FIELDS <= set(theirs), "fields", theirs)
    category, outcome = theirs["category"], ours["wdl50"]
    expect(category == outcome or (outcome == "unknown" and category in OPEN), ours, theirs)
    agree_on_depth(ours["dtm"], ours["wdl"], theirs["dtm"])
    if not theirs["checkmate"] and ours["dtz50"] is not None:
        agree_on_depth(ours["dtz50"], ours["wdl"], theirs["dtz"])
        expect(theirs["precise_dtz"] == theirs["dtz"], "precise", theirs)
    expect(theirs["checkmate"] == (not ours["moves"] and ours["wdl"] == "loss"), "checkmate", theirs)
    expect(theirs["stalemate"] == (not ours["moves"] and ours["wdl"] == "draw"), "stalemate", theirs)
    known = {move["uci"]: move for move in ours["moves"]}
    expect(sorted(known) == sorted(m["uci"] for m in theirs["moves"]), "moves", ours, theirs)
    for move in theirs["moves"]:
        mine = known[move["uci"]]
        expect(MOVE_FIELDS <= set(move), "fields", move)
        expect(move["conversion"] == ("x" in move["san"] or "=" in move["san"]), "conversion", move)
        expect(move["san"] == mine["san"], mine, move)
        expect(NEGATED.get(move["category"]) == mine["wdl50"] or
               (mine["wdl50"] == "unknown" and move["category"] in OPEN), mine, move)
        for name in ("dtz", "dtm"):
            side = ORDER.index(move["category"]) - ORDER.index("draw")
            expect(move[name] is None or move["category"] == "unknown" or move[name] * side > 0 or
                   move[name] == side == 0 or (move["checkmate"] and move[name] == 0), name, move)
        if move["dtm"] is not None and mine["dtm"] is not None and mine["wdl"] != "draw":
            expect(abs(move["dtm"]) == mine["dtm"] - 1, "dtm", mine, move)
    order = [ORDER.index(move["category"]) for move in theirs["moves"]]
    expect(order == sorted(order), "order", theirs)
    if order and category not in OPEN:
        expect(NEGATED[theirs["moves"][0]["category"]] == category, "the best move", theirs)


def compare(port, json_name, lichess_name):
    connection = http.client.HTTPConnection("127.0.0.1", port)
    legal = refused = 0
    for one, two in zip(open(json_name), open(lichess_name), strict=True):
        ours, theirs = json.loads(one), json.loads(two)
        connection.request("GET", "/standard?fen=" + urllib.parse.quote(ours["fen"]))
        answer = connection.getresponse()
        body = answer.read().decode()
        if "error" in ours:
            expect(theirs == ours and answer.status == 400, answer.status, ours, theirs)
            expect(body == ours["error"] + "\n", ours, body)
            refused += 1
        else:
            expect(answer.status == 200 and body + "\n" == two, "the server", ours["fen"], answer.status, body)
            agree(ours, theirs)
            legal += 1
    expect(legal >= 300 and refused >= 20, "positions", legal, refused)


# ---- wrong requests ----

def reach(port, wait, own="127.0.0.1"):
    """A connection from an address of this machine: each is a client of its own."""
    return socket.create_connection(("127.0.0.1", port), timeout=wait, source_address=(own, 0))


def talk(port, text, wait=5.0, own="127.0.0.1"):
    """What the server says until it closes the connection, or says nothing more."""
    with reach(port, wait, own) as s:
        answer = b""
        try:
            s.sendall(text)
            while piece := s.recv(65536):
                answer += piece
        except (TimeoutError, ConnectionResetError, BrokenPipeError):
            pass
    return answer


def statuses(answer):
    return [int(part[2:5]) for part in answer.split(b"HTTP/1.")[1:]]


def is_alive(port, own="127.0.0.1"):
    answer = talk(port, f"GET {GOOD} HTTP/1.0\r\n\r\n".encode(), own=own)
    expect(statuses(answer) == [200] and answer.endswith(b"}"), "a good request", answer)


def thrown_out(port, seconds, bytes_of_it):
    """A client that sends a byte every 100 ms is closed in time."""
    start = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), timeout=0.1) as s:
        for byte in bytes_of_it:
            try:
                if byte:
                    s.sendall(bytes([byte]))
                if not s.recv(100):
                    break
            except TimeoutError:
                continue
            except (ConnectionResetError, BrokenPipeError):
                break
    took = time.monotonic() - start
    expect(seconds * 0.7 < took < seconds + 3, "a slow client was closed after", took)


def raw(port, seconds):
    head = b" HTTP/1.1\r\nHost: x\r\n\r\n"
    good = b"GET " + GOOD.encode()
    # What each is answered with; none: the connection is closed.
    cases = [
        (good + b" HTTP/1.0\r\n\r\n", [200]),
        (good + head + good + head + good + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", [200] * 3),
        (good + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc", [200]),
        (b"HEAD " + GOOD.encode() + b" HTTP/1.0\r\n\r\n", [200]),
        (b"GET /standard HTTP/1.0\r\n\r\n", [400]),
        (b"GET /standard?fen HTTP/1.0\r\n\r\n", [400]),
        (b"GET /standard?fen= HTTP/1.0\r\n\r\n", [400]),
        (b"GET /standard?fen=%00 HTTP/1.0\r\n\r\n", [400]),
        (b"GET /standard?fen=8/8/8/8/8/2k5/8/K6Q%00 HTTP/1.0\r\n\r\n", [400]),
        (b"GET /standard?fen=%ff%1b[2J%zz% HTTP/1.0\r\n\r\n", [400]),
        (b"GET /standard?fen=8/8/8/8/8/8/8/8 HTTP/1.0\r\n\r\n", [400]),
        (b"GET /standard?fen=" + b"_" * 5000 + b" HTTP/1.0\r\n\r\n", [400]),
        (b"GET /standard?fen=W:WK1:BK32 HTTP/1.0\r\n\r\n", [400]),
        (b"GET /atomic?fen=8/8/8/8/8/2k5/8/K6Q HTTP/1.0\r\n\r\n", [404]),
        (b"GET /standard/ HTTP/1.0\r\n\r\n", [404]),
        (b"GET /../../etc/passwd HTTP/1.0\r\n\r\n", [404]),
        (b"GET /%00 HTTP/1.0\r\n\r\n", [404]),
        (b"GET http://elsewhere/ HTTP/1.0\r\n\r\n", [404]),
        (b"GET http://elsewhere HTTP/1.0\r\n\r\n", [404]),
        (b"GET http://elsewhere?fen=8/8/8/8/8/2k5/8/K6Q HTTP/1.0\r\n\r\n", [404]),
        (b"GET ://///standard HTTP/1.0\r\n\r\n", [404]),
        (b"GET http://elsewhere:9000" + GOOD.encode() + head + good +
         b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", [200, 200]),
        (b"GET HTTPS://user@[::1]" + GOOD.encode() + b" HTTP/1.0\r\n\r\n", [200]),
        (good + b"&dtc=ever HTTP/1.0\r\n\r\n", [400]),
        (good + b"&dtc= HTTP/1.0\r\n\r\n", [400]),
        (good + b"&dtc=never HTTP/1.0\r\nX-Forwarded-For: ,\xff , " + b"9" * 99 + b"\r\n\r\n", [200]),
        (b"OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", [204]),
        (b"OPTIONS " + GOOD.encode() + head + good + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
         [204, 200]),
        (b"CONNECT x:1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", [405]),
        (b"PUT /standard HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabc", [405]),
        (b"POST /standard HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", [405]),
        (b"get /standard HTTP/1.0\r\n\r\n", [405]),
        (b"GET /" + b"x" * 40000 + head, [414]),
        (b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X-A: b\r\n" * 5000 + b"\r\n", [431]),
        (b"GET / HTTP/9.9\r\nHost: x\r\n\r\n", [505]),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n\n\r\n\r\n", None),
        (b"\0\0\0\0\r\n\r\n", None),
        (bytes(range(256)) * 100, None),
    ]
    for text, wanted in cases:
        answer = talk(port, text)
        found = statuses(answer)
        if wanted:
            expect(found == wanted, text[:200], "was answered with", found, answer[:300])
        else:
            expect(not found or found[0] >= 400, text[:200], "was answered with", found)
        for part in answer.split(b"\r\n\r\n")[1:2]:
            if wanted in ([400], [404]):
                expect(part.count(b"\n") <= 1 and part.isascii() and b"\x1b" not in part, "one line", part)
        is_alive(port)
    thrown_out(port, seconds, b"\0" * 100)
    thrown_out(port, seconds, b"GET /standard?fen=8/8/8/8/8/2k5/8/K6Q HTTP/1.1\r\nX:" + b"x" * 100)
    is_alive(port)


def full(port, count):
    """Connections whose clients do not read their answers are busy: they make room for other clients alone."""
    request = f"GET {GOOD} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    held = []
    for _ in range(count):
        s = socket.socket()
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        s.settimeout(5)
        s.connect(("127.0.0.1", port))
        s.sendall(request * 3000)
        held.append(s)
    time.sleep(1)
    answer = talk(port, request)
    expect(statuses(answer) == [503] and b"try again" in answer and b"\r\nRetry-After: 1\r\n" in answer,
           "one too many", answer)
    is_alive(port, "127.0.0.2")
    for s in held:
        s.close()
    time.sleep(0.3)
    is_alive(port)


def crowd(port, count):
    held = [reach(port, 5, "127.0.0.3") for _ in range(count)]
    for own in ("127.0.0.2", "127.0.0.3"):
        start = time.monotonic()
        is_alive(port, own)
        took = time.monotonic() - start
        expect(took < 2, "beside", count, "idle connections", own, "was answered after", took)
    for s in held:
        s.close()


def rate(port, per_second):
    def asks(count, header=b""):
        request = f"GET {GOOD} HTTP/1.1\r\nHost: x\r\n".encode() + header
        return talk(port, (request + b"\r\n") * (count - 1) + request + b"Connection: close\r\n\r\n")

    burst = 10 * per_second
    expect(statuses(asks(burst)) == [200] * burst, "as many as one may ask")
    answer = asks(3 * per_second)
    found = statuses(answer)
    expect(429 in found and set(found) <= {200, 429} and b"\r\nRetry-After: 1\r\n" in answer and
           f"\r\n\r\ntoo many requests: at most {per_second} a second from one client\n".encode() in answer,
           "too many", answer)
    # Behind a proxy each client counts: the one that the nearest proxy names.
    for name in (b"192.0.2.1", b"2001:db8::1"):
        header = b"X-Forwarded-For: 192.0.2.77\r\nx-forwarded-for: 192.0.2.99, " + name + b"\r\n"
        expect(statuses(asks(burst, header)) == [200] * burst, "a client behind a proxy", name)
    expect(429 in statuses(asks(3 * per_second, b"X-Forwarded-For: [2001:db8::2]\r\n")), "the same network")
    time.sleep(2)
    expect(statuses(asks(per_second)) == [200] * per_second, "later")


if __name__ == "__main__":
    command, *words = sys.argv[1:]
    if command == "positions":
        generator = random.Random(1)
        for _ in range(int(words[0])):
            print(fen_of(generator))
    elif command == "compare":
        compare(int(words[0]), *words[1:])
    else:
        {"raw": raw, "full": full, "crowd": crowd, "rate": rate}[command](*(int(word) for word in words))
