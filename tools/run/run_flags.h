// RunFlags: the flags of a run's request. The commands that make, plan or start a run have the same ones.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "options/command.h"
#include "pipeline/run_request.h"

namespace bertprep::cli {

class RunFlags {
 public:
  // `work_fields`: the fields of WorkOptions that the command has; empty: all. `input_dash`: what "-" is as an input.
  void add(Command& command, std::initializer_list<std::string_view> work_fields = {},
           Dash input_dash = Dash::kRefused);

  // Checks the request, whose inputs and vocabulary may be "-".
  void check(Progress& progress);
  // Throws ConfigError if standard input is an input or the vocabulary, with the reason `why`.
  void require_files(const std::string& why) const;

  std::vector<GivenOption> given() const { return options_->given(); }
  RunRequest& request() { return request_; }
  const RunRequest& request() const { return request_; }

 private:
  RunRequest request_;
  const OptionTable* options_ = nullptr;
};

// Adds --piece-size, which applies to the stage that divides the input; empty: the default.
void add_piece_size(Command& command, std::string& piece_size);

}  // namespace bertprep::cli
