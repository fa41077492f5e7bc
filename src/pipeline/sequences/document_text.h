// The documents of a unit, in any format -> token ids, block by block.
#pragma once

#include <functional>
#include <vector>

#include "bertprep/source/open_source.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/sequences/document_encoder.h"
#include "pipeline/sequences/sequence_text.h"
#include "pipeline/sequences/sequences.h"
#include "pipeline/stages/format_pass.h"

namespace bertprep {

// How documents are read and what becomes of them.
struct DocumentRule {
  SourceOptions source;  // max_article must be set
  bool as_is = true;     // else as one line
  LineEnds line_ends = LineEnds::kKeep;
  const DocumentEncoder& encoder;
  FormatPass pass;
  std::vector<Origin>* origins = nullptr;  // gets that of every article, if given
};

// The name of its rejects file.
std::string rejects_name(const SequenceUnit& unit);

// As tokenize_unit(), for a unit of documents. Bad records go to the rejects file of the unit, in the state folder of
// `folder`, and to `progress`; without a folder, they are errors. Throws as open_source() and FormatPass::run() do.
SequenceText tokenize_documents(const SequenceUnit& unit, const DocumentRule& rule, EncoderPool& encoders,
                                const OutputFolder* folder, Progress& progress,
                                const std::function<void(const TokenizedDocuments&)>& add);

}  // namespace bertprep
