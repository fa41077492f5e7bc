// HtmlFields: what becomes of HTML in the fields of records, by SourceOptions::html.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bertprep/source/open_source.h"
#include "source/html/html_text.h"

namespace bertprep {

// For one thread.
class HtmlFields {
 public:
  explicit HtmlFields(HtmlHandling handling) : handling_(handling) {}

  // The text of `field`, which is valid until the next call, or why the record is rejected. A remark on the field goes
  // to `note`.
  struct Shown {
    std::string_view text{};
    std::optional<std::string> rejection{};
  };
  Shown show(std::string_view field, std::string& note);

 private:
  HtmlHandling handling_;
  std::optional<HtmlText> reader_;
  std::string text_;
};

}  // namespace bertprep
