#!/usr/bin/env python3
"""Makes tests/golden/data/row_order/v2.jsonl: places of rows in the order v2, by a plain restatement of
docs/formats/randomness.md with numbers of Python alone.

    tests/golden/make_row_order.py > tests/golden/data/row_order/v2.jsonl
"""

import hashlib
import json

POOL_ROWS, POOL_TOKENS = 32768, 2**25
MOST = 2**64
CASES = [  # seed, epoch, tokens, rows of shards, rows of their stored chunks
    (42, 0, 128, [5, 4], [5, 4]),
    (42, 1, 128, [5, 4], [5, 4]),
    (43, 0, 128, [5, 4], [5, 4]),
    (0, 0, 8, [1], [1]),
    (42, 0, 128, [3, 0, 7], [3, 256, 7]),
    (2**64 - 1, 2**64 - 1, 128, [600, 600, 600], [256, 256, 256]),
    (42, 0, 128, [313, 420, 395, 356], [256, 256, 256, 256]),
    (42, 7, 512, [32769, 2, 65536], [64, 2, 64]),
    (12345, 3, 128, [900] * 100, [256] * 100),
    (12345, 2, 384, [20000, 30001], [85, 85]),
    (1, 0, 128, [13000, 9000], [1625, 0]),
    (1, 5, 128, [70000, 12], [70000, 12]),
    (7, 1, 8192, [9000, 3000, 123], [4, 4, 4]),
]


def mixed(counter):
    z = (counter + 1) * 0x9E3779B97F4A7C15 % MOST
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % MOST
    z = (z ^ z >> 27) * 0x94D049BB133111EB % MOST
    return z ^ z >> 31


def shuffled(things, seed, epoch, number):
    key = mixed((mixed((mixed(seed) + epoch) % MOST) + number) % MOST)
    return [things[i] for i in sorted(range(len(things)), key=lambda i: (mixed((key + i) % MOST), i))]


def chunks_of(shard, rows, stored, pool_rows):
    size = stored or pool_rows // 128
    while size < pool_rows // 128:
        size += stored
    size = min(size, pool_rows // 8)
    return [[(shard, row) for row in range(first, min(first + size, rows))] for first in range(0, rows, size)]


def places(seed, epoch, tokens, rows, stored):
    pool_rows = min(POOL_ROWS, POOL_TOKENS // tokens)
    chunks = [chunk for shard, pair in enumerate(zip(rows, stored)) for chunk in chunks_of(shard, *pair, pool_rows)]
    pools = -(-sum(rows) // pool_rows)
    step = -(-sum(rows) // pools)
    parts, seen = {}, 0
    for chunk in shuffled(chunks, seed, epoch, 0):
        parts.setdefault(seen // step, []).extend(chunk)
        seen += len(chunk)
    return [place for number, part in enumerate(parts.values(), 1) for place in shuffled(part, seed, epoch, number)]


for seed, epoch, tokens, rows, stored in CASES:
    found = places(seed, epoch, tokens, rows, stored)
    digest = hashlib.sha256("".join(f"{shard} {row}\n" for shard, row in found).encode()).hexdigest()
    print(json.dumps({"seed": seed, "epoch": epoch, "seq_len": tokens, "rows_per_shard": rows,
                      "chunk_rows_per_shard": stored, "first_places": found[:12], "sha256_of_places": digest},
                     separators=(",", ":")))
