#include "options/named_path.h"

#include "console/standard_input.h"
#include "help/completion.h"

namespace bertprep::cli {

bool takes_path(const std::string& value_name) {
  const ValueKind kind = kind_of_value(value_name);
  return kind == ValueKind::kFile || kind == ValueKind::kFolder;
}

std::string fault_of_dash(const std::string& value) {
  if (value != kDash) return {};
  return "'-' does not stand for stdin or stdout here; give a path, ./- for one of this name";
}

CLI::Option* refuse_dash(CLI::Option* option) {
  return option->check(CLI::Validator(fault_of_dash, ""));
}

CLI::Option* check_path(CLI::Option* option, Dash dash) {
  option->check(
      {[](const std::string& path) { return path.empty() ? "the path is empty; give one" : ""; }, std::string()});
  return dash == Dash::kTaken ? option : refuse_dash(option);
}

}  // namespace bertprep::cli
