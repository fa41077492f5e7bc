// Punkt: NLTK 3.8's PunktSentenceTokenizer.tokenize(realign_boundaries=True), byte for byte the same
// sentences.
#pragma once

#include <filesystem>

#include "bertprep/text/sentences.h"
#include "text/punkt_parameters.h"

namespace bertprep {

class PunktSplitter final : public SentenceSplitter {
 public:
  // Throws IoError or FormatError that names the file.
  explicit PunktSplitter(const std::filesystem::path& folder);

  void split(std::string_view article, std::vector<std::string_view>& sentences) const override;
  std::string name() const override { return "punkt"; }
  std::string version() const override;

 private:
  PunktParameters parameters_;
};

}  // namespace bertprep
