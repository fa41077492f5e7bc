// HelpText: what -h and --help print. A custom formatter, so that the text is the same with every version of CLI11 and
// docs/cli can quote it verbatim.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace bertprep::cli {

class HelpText final : public CLI::FormatterBase {
 public:
  // `essentials`: the options that -h shows, "--input --name"; empty for commands whose options fit on a screen.
  explicit HelpText(std::string essentials = {}) : essentials_(std::move(essentials)) {}

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;

 private:
  std::string essentials_;
};

// Adds -h and --help to a program. Commands added later inherit them.
void add_help_flags(CLI::App& program);

}  // namespace bertprep::cli
