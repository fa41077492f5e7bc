// A call of a template and its arguments.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bertprep {

// The arguments of a template call: names and values in order.
class TemplateArguments {
 public:
  using Entry = std::pair<std::string, std::string>;

  // If a name is given twice, the last value counts, in the first position.
  void set(std::string name, std::string value);
  // Null if missing.
  const std::string* find(std::string_view name) const;
  std::span<const Entry> entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
  std::map<std::string, std::size_t, std::less<>> places_;
};

// A call being expanded, with the enclosing calls.
struct TemplateFrame {
  std::string_view title;  // with its namespace
  const TemplateArguments& arguments;
  const TemplateFrame* caller = nullptr;
  int depth = 1;
};

}  // namespace bertprep
