// `submit`: job files, and the programs that submit them, represented by scripts in a folder.
#include <algorithm>
#include <fstream>
#include <sstream>

#include "e2e/e2e_test.h"
#include "support/json_lines.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

class SubmitProgramTest : public E2eTest {
 protected:
  // A program of an engine: records its arguments, one per line, and prints a number.
  void play(const std::string& program, const std::string& more = {}) {
    const fs::path script =
        folder().write("bin/" + program, "#!/bin/sh\n" + more + "printf '%s\\n' \"$@\" '' >>" + path("calls") +
                                             "\nexpr $(grep -c '^$' " + path("calls") + ") + 100\n");
    fs::permissions(script, fs::perms::owner_all);
  }
  RunOptions with_programs() const {
    return {.folder = folder().path(), .environment = {{"PATH", path("bin") + ":/usr/bin:/bin"}}};
  }
  Arguments submit(const std::string& engine, const Arguments& more = {}) {
    Arguments arguments = run_sample("ro ot") + more;
    arguments[0] = "submit";
    arguments.insert(arguments.begin() + 1, engine);
    return arguments;
  }
  // It has no record, so its case is what the user says.
  std::string cased_vocab() { return folder().write("cased/vocab.txt", read_bytes(vocab())); }
  // The results in a root, without reports of attempts.
  FileTree results(const std::string& root) const {
    FileTree files = read_tree(path(root));
    std::erase_if(files, [](const auto& file) { return ("/" + file.first).find("/.") != std::string::npos; });
    return files;
  }
  std::string calls() const { return read_bytes(folder() / "calls"); }
  fs::path jobs(const std::string& engine = "slurm") const { return folder() / "work" / "jobs" / "sample" / engine; }
};

TEST_F(SubmitProgramTest, WritesFilesAndSubmitsNothingWhenDry) {
  play("sbatch");
  const Finished dry =
      succeed(submit("slurm", {"--dry-run", "--no-lower-case", "--vocab", cased_vocab(), "--random-seed", "-5"}),
              with_programs());
  EXPECT_EQ(std::count(dry.out.begin(), dry.out.end(), '\n'), 7);
  EXPECT_FALSE(fs::exists(folder() / "calls"));
  const std::string file = read_bytes(jobs() / "format.sbatch");
  for (const char* part : {"--array=0-63\n", "\n  --no-lower-case\n", "\n  --random-seed=-5\n", "\n  --sentences icu\n",
                           "\n  --train-shards 4\n", "\n  -j 4\n", "\n  --memory 14746M\n", "\n  --stage format\n",
                           "\n  --array-count 64)\n", " run\n  --input ", "/ro ot'\n"}) {
    EXPECT_THAT(file, HasSubstr(part));
  }
  EXPECT_THAT(read_bytes(jobs() / "place.sbatch"), Not(HasSubstr("--array")));
}

TEST_F(SubmitProgramTest, ReplacesItsOwnFilesAlone) {
  succeed(submit("slurm", {"--dry-run"}), with_programs());
  const std::string before = read_bytes(jobs() / "format.sbatch");
  succeed(submit("slurm", {"--dry-run", "--tasks", "3"}), with_programs());
  EXPECT_THAT(read_bytes(jobs() / "format.sbatch"), HasSubstr("--array=0-2"));

  std::ofstream(jobs() / "place.sbatch", std::ios::app) << "# mine\n";
  const Finished refused =
      fail(1, submit("slurm", {"--dry-run"}),
           {"place.sbatch: exists, and is not as bertprep submit wrote it", "move it away", "--jobs"}, with_programs());
  EXPECT_EQ(refused.out, "");
  EXPECT_THAT(read_bytes(jobs() / "place.sbatch"), HasSubstr("# mine"));
  EXPECT_THAT(read_bytes(jobs() / "format.sbatch"), HasSubstr("--array=0-2")) << "all files are checked first";
  fs::remove(jobs() / "place.sbatch");
  succeed(submit("slurm", {"--dry-run"}), with_programs());
  EXPECT_EQ(read_bytes(jobs() / "format.sbatch"), before);

  const fs::path own = folder().write("own/submit.sh", "echo mine\n");
  fail(1, submit("slurm", {"--jobs", path("own")}), {"submit.sh: exists"}, with_programs());
  EXPECT_EQ(read_bytes(own), "echo mine\n");
  EXPECT_FALSE(fs::exists(folder() / "own/fetch.sbatch"));
}

TEST_F(SubmitProgramTest, SubmitsToSlurm) {
  play("sbatch");
  const Finished submitted = succeed(submit("slurm", {"--tasks", "3"}), with_programs());
  EXPECT_EQ(submitted.out, "fetch\t101\nformat\t102\nplace\t103\nshard\t104\ninstances\t105\nfinish\t106\n");
  EXPECT_THAT(calls(), HasSubstr("--parsable\n" + (jobs() / "fetch.sbatch").string() + "\n\n--parsable\n"));
  EXPECT_THAT(calls(), HasSubstr("--kill-on-invalid-dep=yes\n--dependency=afterok:105\n" +
                                 (jobs() / "finish.sbatch").string() + "\n"));
  EXPECT_THAT(read_bytes(jobs() / "submitted.json"), HasSubstr("\"instances\": \"105\""));

  // submit.sh does the same.
  const std::string first = calls();
  fs::remove(folder() / "calls");
  const Finished by_hand = run_program({"/bin/sh", (jobs() / "submit.sh").string()}, with_programs());
  EXPECT_EQ(by_hand.exit_status, 0) << by_hand.err;
  EXPECT_EQ(calls(), first);
}

// An engine in which jobs wait until someone runs them.
class QueueProgramTest : public SubmitProgramTest {
 protected:
  void SetUp() override {
    play("sbatch");
    fs::permissions(folder().write("bin/squeue", "#!/bin/sh\nexec cat " + path("queue") + "\n"), fs::perms::owner_all);
    queue("PENDING Dependency\n");
  }
  void queue(const std::string& lines) { folder().write("queue", lines); }
  void stage(const Arguments& more) {
    succeed(run_sample("ro ot") + Arguments{"-q", "--stage"} + more, with_programs());
  }
  Finished status(const Arguments& more = {}) {
    return bertprep(Arguments{"status", path("ro ot")} + more, with_programs());
  }
  void expect_status(int number, const std::string& words) {
    const Finished finished = status();
    EXPECT_EQ(finished.exit_status, number) << finished.out << finished.err;
    EXPECT_THAT(finished.out, HasSubstr(words));
    EXPECT_EQ(status({"-q"}).exit_status, number);
  }
};

TEST_F(QueueProgramTest, SubmittedJobsWaitRunAndAreDone) {
  const Finished submitted = succeed(submit("slurm", {"--tasks", "3"}), with_programs());
  EXPECT_THAT(submitted.err, HasSubstr("bertprep status --wait " + path("ro ot")));
  expect_status(6, " ago, waiting: Slurm jobs 101 102 103 104 105 106\n");
  EXPECT_THAT(status().out, testing::ContainsRegex("^sample\nstage .*\nfetch +waiting .*\nformat +waiting "));
  EXPECT_THAT(status({"--json"}).out, HasSubstr(R"("event":"dataset","dataset":"sample","state":"waiting")"));
  queue("RUNNING None\nPENDING Dependency\n");
  expect_status(5, "an array job is running: Slurm jobs 101 ");

  stage({"fetch"});
  stage({"format", "--array-task", "0", "--array-count", "3"});
  queue("PENDING Dependency\n");
  expect_status(6, "format         done ");
  expect_status(6, "place          waiting ");
  stage({"place"});
  stage({"shard", "--array-task", "0", "--array-count", "1"});
  stage({"instances", "--array-task", "0", "--array-count", "1"});
  stage({"finish"});
  queue("");
  expect_status(0, "done; bertprep verify ");
  EXPECT_EQ(status({"--wait"}).exit_status, 0);
  succeed(submit("slurm", {"--tasks", "3"}), with_programs());
}

TEST_F(QueueProgramTest, JobsThatAreGoneHaveFailed) {
  succeed(submit("slurm"), with_programs());
  queue("PENDING DependencyNeverSatisfied\n");
  expect_status(1, "failed: its jobs are no longer in the queue");
  queue("");
  expect_status(1, "submit it again with --retry fetch");
  EXPECT_EQ(status({"--wait", "-q"}).exit_status, 1);
  // The loop of the help.
  const Finished loop = run_program({"/bin/sh", "-c",
                                     std::string("until ") + BERTPREP_PROGRAM + " status -q '" + path("ro ot") +
                                         "'; [ $? -lt 5 ]; do sleep 60; done"},
                                    with_programs());
  EXPECT_EQ(loop.exit_status, 0);
}

// Without the engine's program, the reports of tasks tell.
TEST_F(QueueProgramTest, AFailedTaskIsAFailure) {
  fs::remove(folder() / "bin/squeue");
  Arguments input = submit("slurm", {"--strict", "--format", "jsonl"});
  input[3] = folder().write("bad.jsonl", "{\"text\": \"One.\"}\nnot JSON\n");
  succeed(input, with_programs());
  expect_status(6, "waiting: Slurm jobs");
  Arguments run = input;
  run.erase(run.begin() + 1);
  run[0] = "run";
  EXPECT_EQ(bertprep(run + Arguments{"--stage", "fetch", "-q"}, with_programs()).exit_status, 0);
  expect_status(6, "waiting: Slurm jobs");
  EXPECT_EQ(
      bertprep(run + Arguments{"--stage", "format", "--array-task", "0", "--array-count", "64", "-q"}, with_programs())
          .exit_status,
      1);
  expect_status(1, "bad.jsonl:2: ");
  EXPECT_THAT(status().out, HasSubstr("\nfailed; logs are in "));

  fs::remove_all(folder() / "work");
  fs::remove_all(folder() / "ro ot");
  succeed(input, with_programs());
  fs::remove(folder() / "bad.jsonl");
  EXPECT_EQ(bertprep(run + Arguments{"--stage", "fetch", "-q"}, with_programs()).exit_status, 1);
  expect_status(1, "bad.jsonl");
}

TEST_F(QueueProgramTest, ASecondChainIsRefusedOrNamed) {
  succeed(submit("slurm"), with_programs());
  const std::string before = calls();
  fail(1, submit("slurm"),
       {"ro ot/sample: its jobs are still in the queue: Slurm jobs 101 ", "status --wait", "scancel 101 102"},
       with_programs());
  EXPECT_EQ(calls(), before);
  succeed(submit("slurm", {"--dry-run"}), with_programs());
  EXPECT_THAT(succeed(submit("slurm", {"--from", "format"}), with_programs()).err,
              HasSubstr("perhaps still in the queue: Slurm jobs 101 "));
  queue("");
  EXPECT_THAT(succeed(submit("slurm"), with_programs()).err, Not(HasSubstr("still in the queue")));
  fs::remove(folder() / "bin/squeue");
  EXPECT_THAT(succeed(submit("slurm"), with_programs()).err, HasSubstr("perhaps still in the queue"));
}

TEST_F(QueueProgramTest, RetryListFindsItsStage) {
  const auto retry_list = [&] {
    Arguments list = run_sample("ro ot");
    list[0] = "retry-list";
    return bertprep(list, with_programs());
  };
  stage({"fetch"});
  EXPECT_THAT(retry_list().err, HasSubstr("--array-count is required"));
  succeed(submit("slurm", {"--tasks", "4"}), with_programs());
  EXPECT_EQ(retry_list().out, "0\n");
  EXPECT_THAT(retry_list().err, HasSubstr("format: 1 task of 4 left"));
  stage({"format", "--array-task", "0", "--array-count", "1"});
  EXPECT_THAT(retry_list().err, HasSubstr("the stage 'place' is one task"));
  stage({"place"});
  stage({"shard", "--array-task", "0", "--array-count", "1"});
  stage({"instances", "--array-task", "1", "--array-count", "4"});
  EXPECT_EQ(retry_list().out, "0,2-3\n");
  stage({"instances", "--array-task", "0", "--array-count", "1"});
  stage({"finish"});
  EXPECT_EQ(retry_list().out, "");
  EXPECT_THAT(retry_list().err, HasSubstr("all stages are done"));
}

// squeue shows the first eight characters of a name.
TEST_F(SubmitProgramTest, SlurmsJobsAreNamedForTheDataset) {
  succeed(submit("slurm", {"--dry-run"}), with_programs());
  EXPECT_THAT(read_bytes(jobs() / "format.sbatch"), HasSubstr("\n#SBATCH --job-name=sample-format\n"));
}

TEST_F(SubmitProgramTest, ReportsSubmittedJobsWhenTheRestFails) {
  play("sbatch", "case $* in *place*) echo 'sbatch: error: no such partition' >&2; exit 1;; esac\n");
  const Finished failed = bertprep(submit("slurm"), with_programs());
  EXPECT_EQ(failed.exit_status, 1);
  for (const char* word : {"place.sbatch' ended with status 1", "no such partition", "101 102", "--from place"}) {
    EXPECT_THAT(failed.err, HasSubstr(word));
  }
  EXPECT_THAT(read_bytes(jobs() / "submitted.json"), HasSubstr("\"format\": \"102\""));
}

TEST_F(SubmitProgramTest, RefusesAnArrayThatTheClusterDoesNotTake) {
  play("sbatch");
  play("scontrol", "echo 'MaxArraySize            = 100'; exit 0\n");
  fail(2, submit("slurm", {"--tasks", "101"}), {"at most 100", "--tasks 100"}, with_programs());
}

TEST_F(SubmitProgramTest, TakesOptionsFromAFile) {
  const std::string config =
      folder().write("c.json",
                     R"({"tasks": 5, "partition": "fat", "lower-case": false, "strip-accents": "yes", "threads": 3,
          "dupe-factor": 2})");
  succeed(submit("slurm", {"--config", config, "--vocab", cased_vocab(), "--dry-run"}), with_programs());
  const std::string file = read_bytes(jobs() / "shard.sbatch");
  for (const char* part :
       {"--array=0-4\n", "--partition=fat\n", "--no-lower-case\n", "--strip-accents yes\n", "--dupe-factor 2\n"}) {
    EXPECT_THAT(file, HasSubstr(part));
  }
  EXPECT_THAT(file, Not(HasSubstr("config")));
  EXPECT_THAT(file, HasSubstr("--threads 3\n"));
  EXPECT_THAT(file, Not(HasSubstr("\n  -j ")));
}

// Options must be refused at once, not by jobs after hours of waiting.
TEST_F(SubmitProgramTest, RefusesInputThatTheJobsWouldRefuse) {
  const std::vector<std::pair<Arguments, std::string>> refused = {
      {{"--piece-size", "banana"}, "--piece-size 'banana' is not a valid size"},
      {{"--encoding", "bogus"}, "no encoding 'bogus'"},
      {{"--text-field", "body"}, "--text-field has no effect"},
      {{"--max-article", "3x"}, "--max-article '3x' is not a valid size"},
      {{"--max-expansion", "0"}, "--max-expansion is 0"},
      {{"--format", "nonsense"}, "--format is 'nonsense'"},
      {{"--clock", "yesterday"}, "--clock 'yesterday' is not a valid time"},
      {{"--clock", "2021-02-30T12:00:00"}, "--clock '2021-02-30T12:00:00' is not a valid time"},
      {{"--clean"}, "--clean has no effect"},
      {{"--language", "xx"}, "--language is 'xx'"},
      {{"--random-seed", "abc"}, "--random-seed 'abc' is not a whole number"},
      {{"--max-rejects", "-5"}, "--max-rejects"},
      {{"--no-lower-case"}, "is in lower case"},
      {{"--vocab", "bert-base-cased"}, "is cased"},
  };
  for (const auto& [more, words] : refused) {
    const Finished finished = bertprep(submit("slurm", more + Arguments{"--dry-run"}));
    EXPECT_NE(finished.exit_status, 0) << words;
    EXPECT_THAT(finished.err, HasSubstr(words));
  }
  Arguments unknown = submit("aws-batch", {"--dry-run"});
  *(std::ranges::find(unknown, "--vocab") + 1) = "nonsuch";
  EXPECT_THAT(bertprep(unknown).err, HasSubstr("vocabulary 'nonsuch'"));
  EXPECT_FALSE(fs::exists(folder() / "work"));
}

TEST_F(SubmitProgramTest, ContinuesFromAStage) {
  succeed(submit("slurm", {"--dry-run", "--from", "instances"}), with_programs());
  EXPECT_TRUE(fs::exists(jobs() / "finish.sbatch"));
  EXPECT_FALSE(fs::exists(jobs() / "shard.sbatch"));
  EXPECT_THAT(read_bytes(jobs() / "submit.sh"), Not(HasSubstr("instances=$(sbatch --parsable --kill")));
  fail(2, submit("slurm", {"--from", "nothing"}), {"nothing"}, with_programs());
  fail(2, submit("slurm", {"--from", "shard", "--retry", "shard"}), {"--retry"}, with_programs());
}

TEST_F(SubmitProgramTest, LeavesOutTasksThatAreDone) {
  const RunOptions options = with_programs();
  const auto stage = [&](const Arguments& more) { succeed(run_sample("ro ot") + Arguments{"-q"} + more, options); };
  stage({"--stage", "fetch"});
  stage({"--stage", "format", "--array-task", "0", "--array-count", "1"});
  stage({"--stage", "place"});
  stage({"--stage", "shard", "--array-task", "0", "--array-count", "1"});
  stage({"--stage", "instances", "--array-task", "1", "--array-count", "4"});
  play("sbatch");
  succeed(submit("slurm", {"--tasks", "4", "--retry", "instances"}), options);
  EXPECT_THAT(calls(), testing::StartsWith("--parsable\n--array=0,2-3\n"));
  fs::remove(folder() / "calls");
  const Finished done = succeed(submit("slurm", {"--tasks", "4", "--retry", "shard"}), options);
  EXPECT_EQ(done.out, "instances\t101\nfinish\t102\n") << "all tasks of the stage are done";
}

TEST_F(SubmitProgramTest, SubmitsToAwsBatch) {
  play("aws");
  const Arguments options{"--queue",     "q",      "--efs",    "fs-1", "--image",        "i",
                          "--efs-mount", path(""), "--region", "eu-1", "--aws-endpoint", "http://127.0.0.1:1"};
  const Finished submitted = succeed(submit("aws-batch", options), with_programs());
  EXPECT_THAT(submitted.out, testing::StartsWith("definition\t101\nfetch\t102\nformat\t103\n"));
  const std::string shared = "--region\neu-1\n--endpoint-url\nhttp://127.0.0.1:1\n--cli-input-json\nfile://";
  EXPECT_THAT(calls(), testing::StartsWith("batch\nregister-job-definition\n" + shared));
  EXPECT_THAT(calls(), HasSubstr("batch\nsubmit-job\n" + shared + (jobs("aws-batch") / "format.json").string() +
                                 "\n--query\njobId\n--output\ntext\n--job-definition=101\n--depends-on=jobId=102\n"));
  const JsonValue request = parse_json(read_bytes(jobs("aws-batch") / "format.json"));
  EXPECT_EQ(request.at("arrayProperties").at("size").text, "64");
}

// kubectl is a script that runs the pods of a Job when it is created, in the order 2, 1, 0; an index that fails fails
// the Job.
constexpr const char* kKubectl = R"py(#!/usr/bin/env python3
import json, os, subprocess, sys
state = os.path.dirname(os.path.abspath(__file__)) + "/state"
if sys.argv[1] == "create":
    spec = json.load(open(sys.argv[-1]))
    name = "job.batch/" + spec["metadata"]["generateName"] + "abcde"
    container = spec["spec"]["template"]["spec"]["containers"][0]
    args = [argument.replace("$$(", "$(") for argument in container["args"]]
    ended = []
    for index in reversed(range(spec["spec"]["completions"])):
        extra = {"JOB_COMPLETION_INDEX": str(index)} if spec["spec"]["completionMode"] == "Indexed" else {}
        env = {**os.environ, **extra, "BERTPREP_POD": f"pod-{index}"}
        ended.append(subprocess.run([os.environ["PROGRAM"], *args[1:]], env=env, stdout=2).returncode)
    open(state, "w").write("Failed" if any(ended) else "Complete")
    print(name)
elif sys.argv[1] == "get":
    print("SuccessCriteriaMet", open(state).read())
)py";

TEST_F(SubmitProgramTest, KubernetesGivesTheBytesOfOneProcess) {
  fs::permissions(folder().write("bin/kubectl", kKubectl), fs::perms::owner_all);
  RunOptions options = with_programs();
  options.environment.insert(options.environment.end(),
                             {{"PROGRAM", BERTPREP_PROGRAM}, {"BERTPREP_AWAIT_SECONDS", "0"}});
  succeed(run_sample("alone", "alone-work"), options);
  const Arguments kubernetes{"--image", "i", "--claim", "c", "--claim-mount", path(""), "--tasks", "3", "-q"};
  const Finished submitted = succeed(submit("kubernetes", kubernetes), options);
  EXPECT_THAT(submitted.out, testing::StartsWith("fetch\tjob.batch/bertprep-sample-fetch-abcde\nformat\tjob.batch/"));
  EXPECT_THAT(submitted.out, HasSubstr("\nfinish\tjob.batch/bertprep-sample-finish-abcde\n"));
  EXPECT_EQ(difference(results("alone"), results("ro ot")), "");

  // submit.sh does the same.
  fs::remove_all(folder() / "ro ot");
  const Finished by_hand = run_program({"/bin/sh", (jobs("kubernetes") / "submit.sh").string()}, options);
  EXPECT_EQ(by_hand.exit_status, 0) << by_hand.err;
  EXPECT_EQ(difference(results("alone"), results("ro ot")), "");
}

TEST_F(SubmitProgramTest, AStageThatFailsOnKubernetesEndsTheChain) {
  const std::string kubectl = "#!/bin/sh\ncase $1 in create) case $* in *place*) echo Failed >" + path("state") +
                              ";; *) echo Complete >" + path("state") + ";; esac; echo job.batch/x;; get) cat " +
                              path("state") + ";; esac\n";
  fs::permissions(folder().write("bin/kubectl", kubectl), fs::perms::owner_all);
  const Arguments kubernetes{"--image", "i", "--claim", "c", "--claim-mount", path("")};
  const Finished failed = bertprep(submit("kubernetes", kubernetes), with_programs());
  EXPECT_EQ(failed.exit_status, 1);
  for (const char* word : {"job.batch/x failed; see: kubectl describe job.batch/x", "continue with --from place"}) {
    EXPECT_THAT(failed.err, HasSubstr(word));
  }
  EXPECT_EQ(failed.out, "fetch\tjob.batch/x\nformat\tjob.batch/x\nplace\tjob.batch/x\n");
  fail(2, submit("kubernetes"), {"kubernetes needs --image"});
}

TEST_F(SubmitProgramTest, NamesMissingPrograms) {
  fail(2, submit("lsf"), {"no engine 'lsf'", "slurm, aws-batch and kubernetes"});
  fail(2, submit("aws-batch"), {"needs --queue"});
  fail(1, {"submit", "slurm", "--input", path("absent"), "-o", path("root")}, {"absent", "does not exist"});
  const Finished without = bertprep(submit("slurm"), {.environment = {{"PATH", path("bin")}}});
  EXPECT_EQ(without.exit_status, 1);
  EXPECT_THAT(without.err, HasSubstr("sbatch: is not installed here"));
}

}  // namespace
}  // namespace bertprep::test
