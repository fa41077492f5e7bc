// Punkt: NLTK 3.8's PunktSentenceTokenizer.tokenize(realign_boundaries=True), byte for byte the same sentences.
#pragma once

#include <filesystem>

#include "bertprep/text/sentences.h"

namespace bertprep {

// The splitter with the parameters in `folder` (docs/formats/punkt.md). Throws IoError or FormatError naming the file.
std::shared_ptr<const SentenceSplitter> load_punkt(const std::filesystem::path& folder);

}  // namespace bertprep
