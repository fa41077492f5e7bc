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

// The arguments of a template call: names and values in the order in which they came.
class TemplateArguments {
 public:
  using Entry = std::pair<std::string, std::string>;

  // A value given twice counts as given last, and stays where it came first.
  void set(std::string name, std::string value);
  // Null when there is none.
  const std::string* find(std::string_view name) const;
  std::span<const Entry> entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
  std::map<std::string, std::size_t, std::less<>> places_;
};

// A call that is being expanded, and the calls around it.
struct TemplateFrame {
  std::string_view title;  // with its namespace
  const TemplateArguments& arguments;
  const TemplateFrame* caller = nullptr;
  int depth = 1;
};

}  // namespace bertprep
