"""Jobs that share ROOT and WORK: one ends in the middle of the other, and one takes the place of another's shards."""

from array_case import STAGES, Job, digests, expect_same, finished, main, write_corpus


class JobWith(Job):
    """With further options of `run`."""

    def __init__(self, *arguments, more=()):
        super().__init__(*arguments, piece_size="20K")
        self.more = more

    def options(self):
        return [*super().options(), *self.more]

    def do(self, *stages, tasks=None):
        """The stages, or of one stage some tasks."""
        for stage in stages:
            for task in tasks or self.tasks_of(stage):
                finished(self.stage(stage, task))


def test(program, folder):
    corpus = write_corpus(folder / "corpus", 3)

    def job(name, *more, tasks=3):
        return JobWith(program, corpus, folder / name, 6, 4, tasks, more=more)

    def reference(name, *more):
        single = job(name, *more)
        single.run()
        return digests(single.root)

    seeds = {seed: reference(f"single{seed}", "--random-seed", seed) for seed in (1, 2)}
    slow, fast = (job("seeds", "--random-seed", seed, tasks=3 + seed) for seed in (1, 2))
    slow.do("fetch", "format", "place", "shard")
    slow.do("instances", tasks=[0])
    fast.do(*STAGES)
    slow.do("instances", "finish")
    expect_same(slow.root, {**seeds[1], **seeds[2]})

    # The same folder of shards: leftovers of the first don't belong to the second.
    short = "--short-seq-prob", 0.3
    first, second = job("recipes", "--random-seed", 1), job("recipes", "--random-seed", 1, *short)
    first.do("fetch", "format", "place", "shard")
    first.do("instances", tasks=[0, 2])
    second.do(*STAGES)
    expect_same(second.root, reference("short", "--random-seed", 1, *short))
    # That is a finished dataset now, which only --force replaces.
    finished(first.stage("fetch"), status=1)
    finished([*first.stage("fetch"), "--force"])
    first.do(*STAGES[1:])
    expect_same(first.root, seeds[1])


if __name__ == "__main__":
    main(test)
