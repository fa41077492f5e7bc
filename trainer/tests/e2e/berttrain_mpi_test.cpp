// berttrain as several processes of this machine, on shards of the sample.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "e2e/e2e_test.h"
#include "support/json_lines.h"
#include "trainer/weights/safetensors.h"

namespace bertprep::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Arguments mpirun(int processes) {
  return test::mpirun(MPIRUN, processes);
}

class BerttrainMpiTest : public E2eTest {
 protected:
  void SetUp() override {
    if (std::string(MPIRUN).empty()) GTEST_SKIP() << "skipped: berttrain was built without MPI";
    succeed(run_sample() + Arguments{"--phase", "1", "-q"});
  }

  Arguments command(const Arguments& arguments) const {
    return Arguments{BERTTRAIN_PROGRAM, "--data", phase1().string(), "--model", "tiny", "--batch-size", "8", "-j", "1",
                     "--learning-rate", "0.01",   "--log-every",     "1"} +
           arguments;
  }
  // Trains with this number of processes, 1 without mpirun, and returns the last checkpoint.
  std::string train(int processes, const std::string& output, const Arguments& arguments) const {
    const Arguments run = command(arguments + Arguments{"--output", path(output)});
    const Finished finished = run_program(processes == 1 ? run : mpirun(processes) + run);
    EXPECT_EQ(finished.exit_status, 0) << finished.err;
    const auto names = names_of(read_tree(path(output)));
    return names.empty() ? "" : path(output) + "/" + names.back();
  }
};

// The largest difference of any value of the model and its moments.
double difference(const std::string& left, const std::string& right) {
  const SafetensorsFile a(left);
  const SafetensorsFile b(right);
  double largest = a.tensors().size() == b.tensors().size() ? 0 : HUGE_VAL;
  for (const TensorView& tensor : a.tensors()) {
    const TensorView* other = b.find(tensor.name);
    if (other == nullptr || other->bytes.size() != tensor.bytes.size()) return HUGE_VAL;
    std::vector<float> x(tensor.bytes.size() / sizeof(float));
    std::vector<float> y(x.size());
    std::memcpy(x.data(), tensor.bytes.data(), tensor.bytes.size());
    std::memcpy(y.data(), other->bytes.data(), tensor.bytes.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      largest = std::max(largest, std::abs(static_cast<double>(x[i]) - static_cast<double>(y[i])));
    }
  }
  return largest;
}

TEST_F(BerttrainMpiTest, LearnsTheSameWhateverTheNumberOfProcesses) {
  // Twenty steps with dropout, clipping and trust ratios.
  const Arguments steps{"--max-steps", "20"};
  const std::string alone = train(1, "alone", steps + Arguments{"--micro-batch", "4"});
  const std::string two = train(2, "two", steps + Arguments{"--micro-batch", "4"});
  // The same sums in the same order.
  EXPECT_EQ(read_bytes(alone), read_bytes(two));
  // With other sums, only rounding may differ: 2.4e-7 to 1.8e-6 over seeds and orders of rows.
  const std::string cut = train(2, "cut", steps + Arguments{"--micro-batch", "2"});
  EXPECT_LT(difference(alone, cut), 4e-6);
  EXPECT_GT(difference(alone, cut), 0);
}

TEST_F(BerttrainMpiTest, SharedOptimizerStateChangesNoBit) {
  for (const char* optimizer : {"nvlamb", "lans"}) {
    SCOPED_TRACE(optimizer);
    const std::string name(optimizer);
    const Arguments steps{"--max-steps", "4", "--micro-batch", "2", "--optimizer", name};
    const std::string whole = train(2, name + "_whole", steps);
    const std::string shared = train(2, name + "_shared", steps + Arguments{"--zero", "1", "--bucket-mb", "1"});
    EXPECT_EQ(read_bytes(whole), read_bytes(shared));
  }
  // Gradients are distributed in every pass: with one pass, the same bits; with several, close, as the order differs.
  const Arguments one_pass{"--max-steps", "4", "--bucket-mb", "1"};
  const std::string sums = train(2, "sums", one_pass + Arguments{"--zero", "0"});
  EXPECT_EQ(read_bytes(sums), read_bytes(train(2, "parts", one_pass + Arguments{"--zero", "2"})));
  const Arguments two_passes = one_pass + Arguments{"--micro-batch", "2"};
  const std::string sums_of_two = train(2, "sums2", two_passes + Arguments{"--zero", "1"});
  EXPECT_LT(difference(sums_of_two, train(2, "parts2", two_passes + Arguments{"--zero", "2"})), 1e-6);
  const Arguments partition{"--max-steps", "4", "--norms", "partition"};
  const std::string whole = train(3, "part_whole", partition + Arguments{"--batch-size", "9"});
  const std::string shared = train(3, "part_shared", partition + Arguments{"--batch-size", "9", "--zero", "1"});
  EXPECT_EQ(read_bytes(whole), read_bytes(shared));
}

TEST_F(BerttrainMpiTest, ContinuesWithAnotherNumberOfProcesses) {
  const Arguments same{"--schedule", "constant", "--micro-batch", "4"};
  const std::string unbroken = train(1, "unbroken", same + Arguments{"--max-steps", "9"});
  train(2, "parts", same + Arguments{"--max-steps", "3", "--zero", "1"});
  train(1, "parts", same + Arguments{"--max-steps", "6"});
  const std::string last = train(2, "parts", same + Arguments{"--max-steps", "9", "--zero", "1"});
  EXPECT_EQ(read_bytes(unbroken), read_bytes(last));
}

TEST_F(BerttrainMpiTest, OneProcessSpeaksForAll) {
  const Arguments steps{"--max-steps", "4", "--eval-every", "4", "--eval-rows", "7", "--micro-batch", "4"};
  const auto log = [&](const std::string& name, const Arguments& launcher) {
    const Finished finished = run_program(launcher + command(steps + Arguments{"--log-json", path(name)}));
    EXPECT_EQ(finished.exit_status, 0) << finished.err;
    std::vector<std::string> losses;
    for (const auto& line : read_json_lines(path(name))) {
      const auto& data = line.at("data");
      if (data.keys.empty()) continue;
      if (data.keys.front() == "loss" || data.keys.front() == "eval_loss") {
        losses.push_back(data.at(data.keys.front()).text);
      }
    }
    return std::pair(losses, finished.err);
  };
  const auto [alone, alone_words] = log("alone.jsonl", {});
  const auto [two, words] = log("two.jsonl", mpirun(2));
  ASSERT_EQ(alone.size(), 5U);
  ASSERT_EQ(two.size(), 5U);
  for (std::size_t i = 0; i < two.size(); ++i) EXPECT_NEAR(std::stod(two[i]), std::stod(alone[i]), 1e-5);
  EXPECT_THAT(words, AllOf(HasSubstr("2 processes of 1 thread"), HasSubstr("% communication")));
  EXPECT_EQ(words.find("step 1 of 4"), words.rfind("step 1 of 4"));
  EXPECT_THAT(alone_words, Not(HasSubstr("communication")));
}

TEST_F(BerttrainMpiTest, Gpt2LearnsTheSameWhateverTheNumberOfProcesses) {
  make_blocks(32, "blocks");
  const std::string config =
      folder().write("gpt2.json", R"({"model_type": "gpt2", "vocab_size": 1000, "n_embd": 64, "n_layer": 2, "n_head": 2,
                       "n_positions": 32})");
  const auto train_gpt2 = [&](int processes, const std::string& output, const Arguments& more) {
    const Arguments run = Arguments{BERTTRAIN_PROGRAM,
                                    "--data",
                                    path("blocks/sample"),
                                    "--model",
                                    config,
                                    "--batch-size",
                                    "8",
                                    "-j",
                                    "1",
                                    "--max-steps",
                                    "8",
                                    "--output",
                                    path(output)} +
                          more;
    const Finished finished = run_program(processes == 1 ? run : mpirun(processes) + run);
    EXPECT_EQ(finished.exit_status, 0) << finished.err;
    return path(output) + "/checkpoint_8.safetensors";
  };
  const std::string alone = train_gpt2(1, "alone", {"--micro-batch", "4"});
  const std::string two = train_gpt2(2, "two", {"--micro-batch", "4", "--zero", "1"});
  EXPECT_EQ(read_bytes(alone), read_bytes(two));
}

// Starts a long run under mpirun, waits for its first report, and sends a signal to mpirun or to the last process.
constexpr const char* kInterrupt = R"(log=$1 whom=$2 signal=$3; shift 3
"$@" --log-json "$log" & process=$!
until grep -q '"loss"' "$log" 2>/dev/null; do sleep 0.1; kill -0 $process 2>/dev/null || break; done
[ $whom = mpirun ] && target=$process
[ $whom = peer ] && for target in $(cat /proc/$process/task/*/children); do :; done
kill -$signal $target
status=0; wait $process || status=$?
exit $status)";

TEST_F(BerttrainMpiTest, ASignalToAnyoneSavesOnce) {
  const Arguments run = mpirun(2) + command({"--max-steps", "100000", "--zero", "1", "--output", path("out")});
  const auto interrupted = [&](const std::string& whom, const std::string& signal) {
    const std::string log = path(whom + signal);
    return run_program(Arguments{"/bin/bash", "-c", kInterrupt, "bash", log, whom, signal} + run);
  };
  const Finished first = interrupted("mpirun", "USR1");
  EXPECT_EQ(first.exit_status, 143) << first.err;
  EXPECT_EQ(names_of(read_tree(path("out"))).size(), 1U);
  const Finished second = interrupted("peer", "TERM");
  EXPECT_EQ(second.exit_status, 143) << second.err;
  EXPECT_THAT(second.err, AllOf(HasSubstr("resumes from"), HasSubstr("saved ")));
  // Nothing of a failed run is saved, and no process waits for it.
  const auto before = names_of(read_tree(path("out")));
  const Finished third = interrupted("peer", "KILL");
  EXPECT_EQ(third.exit_status, 137) << third.err;
  EXPECT_THAT(third.err, HasSubstr("signal 9"));
  EXPECT_EQ(names_of(read_tree(path("out"))), before);
}

TEST_F(BerttrainMpiTest, ReportsAnErrorOnce) {
  const Finished finished = run_program(mpirun(3) + command({"--max-steps", "3"}));
  EXPECT_EQ(finished.exit_status, 2);
  const std::string words = "--batch-size 8 can't be split evenly among 3 processes";
  EXPECT_THAT(finished.err, HasSubstr(words));
  EXPECT_EQ(finished.err.find(words), finished.err.rfind(words));
}

TEST_F(BerttrainMpiTest, MeasuresAllReduce) {
  // A single value for three processes, and sizes that three don't divide.
  const Finished finished = run_program(mpirun(3) + Arguments{BERTTRAIN_PROGRAM, "allreduce-bench", "-b", "4", "-e",
                                                              "64K", "-f", "16", "-n", "2", "-w", "1"});
  EXPECT_EQ(finished.exit_status, 0) << finished.err;
  EXPECT_THAT(finished.out, AllOf(HasSubstr("busbw #wrong"), HasSubstr("Rank  2"), HasSubstr("       16384  ")));
  EXPECT_THAT(finished.out, HasSubstr("# Out of bounds values : 0 OK"));
}

}  // namespace
}  // namespace bertprep::test
