"""Prints h5py's view of a shard: one line per dataset, in the terms of digest_datasets()."""
import hashlib
import sys

import h5py

with h5py.File(sys.argv[1], "r") as shard:
    assert not shard.attrs, "no attributes are expected"
    for name in sorted(shard):
        values = shard[name]
        assert values.shape == values.maxshape, name
        shape = "x".join(map(str, values.shape))
        print(name, values.dtype.str, shape, hashlib.sha256(values[...].tobytes()).hexdigest())
