// A fixture that runs the built program on the sample corpus, as a user does.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/file_tree.h"
#include "support/golden_data.h"
#include "support/run_program.h"
#include "support/temp_folder.h"

namespace bertprep::test {

using Arguments = std::vector<std::string>;

Arguments operator+(Arguments left, const Arguments& right);

// Runs `bertprep ARGUMENTS`.
Finished bertprep(const Arguments& arguments, const RunOptions& options = {});

std::filesystem::path sample(const std::string& name);  // a file or folder of samples/

class E2eTest : public testing::Test {
 protected:
  // Runs the program and expects it to succeed.
  Finished succeed(const Arguments& arguments, const RunOptions& options = {});
  // Runs the program and expects it to end with `status`, with one line on stderr that contains all `words`, and
  // nothing on stdout.
  Finished fail(int status, const Arguments& arguments, const std::vector<std::string>& words,
                const RunOptions& options = {});

  const TempFolder& folder() const { return folder_; }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  // A vocabulary of some 600 pieces, trained from the sample on first use.
  std::string vocab();

  // `run` on `input`, options among it, to ROOT and WORK in the test's folder.
  Arguments run_on(const Arguments& input, const std::string& root, const std::string& work, int training, int test);
  // The same on the sample: 4 training and 2 test shards.
  Arguments run_sample(const std::string& root = "root", const std::string& work = "work");
  // Text shards sample_training_0 and _1 and sample_test_0 in FOLDER; returns their paths.
  std::vector<std::string> make_text_shards(const std::string& name = "text");
  // FOLDER/sample: the sample as blocks of this many tokens for GPT-2, in 2 training shards and 1 test shard.
  void make_blocks(int tokens, const std::string& name);
  // The folder of phase 1's shards.
  std::filesystem::path phase1(const std::string& root = "root") const;

 private:
  TempFolder folder_;
};

// All files of a run's ROOT but those that name its folders.
FileTree read_results(const std::filesystem::path& root);

// Expects no unfinished file below `folder`, including hidden folders.
void expect_nothing_unfinished(const std::filesystem::path& folder);

}  // namespace bertprep::test
