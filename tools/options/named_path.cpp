#include "options/named_path.h"

#include "base/address.h"
#include "bertprep/fetch/fetch.h"
#include "console/standard_input.h"
#include "help/completion.h"

namespace bertprep::cli {

bool takes_path(const std::string& value_name) {
  const ValueKind kind = kind_of_value(value_name);
  return kind == ValueKind::kFile || kind == ValueKind::kFolder;
}

bool may_take_path(const std::string& value_name) {
  const ValueKind kind = kind_of_value(value_name);
  return takes_path(value_name) || kind == ValueKind::kDataset || kind == ValueKind::kVocab;
}

std::string fault_of_dash(const std::string& value) {
  if (value != kDash) return {};
  return "'-' does not stand for stdin or stdout here; give a path, ./- for one of this name";
}

CLI::Option* refuse_dash(CLI::Option* option) {
  return option->check(CLI::Validator(fault_of_dash, ""));
}

CLI::Option* refuse_addresses(CLI::Option* option) {
  return option->check(CLI::Validator([](const std::string& value) { return fault_of_address(value); }, ""));
}

void refuse_empty_values(CLI::App& command) {
  const CLI::Validator is_given(
      [](const std::string& text) { return text.empty() ? "is empty; give a value, or leave it out" : ""; }, "");
  for (CLI::Option* option : command.get_options()) {
    const bool is_flag = option->get_expected_min() == 0;
    const bool is_list = option->get_type_name().find(',') != std::string::npos;
    if (!is_flag && !is_list && !option->get_positional()) option->check(is_given);
  }
}

namespace {

std::string fault_of_input(const std::string& input) {
  if (input.empty()) return "the path is empty; give one";
  if (is_address(input)) return {};
  const std::string fault = fault_of_address(input);
  return fault.empty() ? fault
                       : "'" + input + "' is an address, and none of https, hf or s3" + fault.substr(fault.rfind("; "));
}

}  // namespace

CLI::Option* check_input(CLI::Option* option, Dash dash) {
  option->check({fault_of_input, std::string()});
  return dash == Dash::kRefused ? refuse_dash(option) : option;
}

CLI::Option* check_path(CLI::Option* option, Dash dash) {
  if (dash == Dash::kInput) return check_input(option, dash);
  option->check(
      {[](const std::string& path) { return path.empty() ? "the path is empty; give one" : ""; }, std::string()});
  refuse_addresses(option);
  return dash == Dash::kTaken ? option : refuse_dash(option);
}

}  // namespace bertprep::cli
