// Checks of the paths that a command is given.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

namespace bertprep::cli {

// What "-" is as the value of an option: refused, so that no file or folder gets this name by mistake; or what the
// command takes, as it reads standard input, writes to standard output, or is not given a path.
//
// kInput: taken, and addresses are fetched.
enum class Dash { kRefused, kTaken, kInput };

template <class Value>
inline constexpr bool kIsPath =
    std::is_same_v<Value, std::filesystem::path> || std::is_same_v<Value, std::vector<std::filesystem::path>>;

// Whether an option whose values have this name, such as "FILE", is given a path.
bool takes_path(const std::string& value_name);
// The same, or a name in place of which a path may stand or be meant, such as "VOCAB".
bool may_take_path(const std::string& value_name);

// What is wrong with "-" and how to name a file of this name; empty for any other value.
std::string fault_of_dash(const std::string& value);

// Refuses "-".
CLI::Option* refuse_dash(CLI::Option* option);
// Refuses empty values of all options, as of an unset variable of a script: they would count as not given. Of a list,
// such as --keep's, an empty one is nothing.
void refuse_empty_values(CLI::App& command);
// Refuses addresses, such as s3://bucket/x (base/address.h).
CLI::Option* refuse_addresses(CLI::Option* option);
// The same for what is read: addresses may be fetched.
CLI::Option* check_input(CLI::Option* option, Dash dash = Dash::kRefused);
// Refuses addresses, an empty path, as of an unset variable of a script, and "-" unless it is taken.
CLI::Option* check_path(CLI::Option* option, Dash dash = Dash::kRefused);

}  // namespace bertprep::cli
