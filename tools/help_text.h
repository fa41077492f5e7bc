// HelpText: what --help prints. Its own formatter, so that the text is the same with every version of CLI11 and
// docs/cli can hold it word for word.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace bertprep::cli {

class HelpText final : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
};

}  // namespace bertprep::cli
