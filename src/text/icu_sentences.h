// IcuSplitter: ICU's sentence rules, which need no data of their own. A door to ICU.
#pragma once

#include <memory>
#include <string>

#include "bertprep/text/sentences.h"

namespace bertprep {

class IcuSplitter final : public SentenceSplitter {
 public:
  // `language` is a BCP 47 tag. Throws ConfigError when ICU knows no such language.
  explicit IcuSplitter(const std::string& language);
  ~IcuSplitter() override;

  // Sentences are stripped of white space. Throws FormatError for an article of 2 GiB or more.
  void split(std::string_view article, std::vector<std::string_view>& sentences) const override;
  std::string name() const override { return "icu"; }
  std::string version() const override;

 private:
  struct Rules;
  std::string language_;
  std::unique_ptr<const Rules> rules_;
};

}  // namespace bertprep
