// SequenceExplainer: the documents from which a run made the rows of a set of token sequences.
//
// A set does not record this. The text shard of a row is tokenized and its rows are cut again, with the options of the
// recipe; the result is compared with the stored row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "bertprep/base/progress.h"
#include "pipeline/explain/article_origins.h"
#include "pipeline/explain/text_of_shard.h"

namespace bertprep {

// A document, of which the tokens [first_token, last_token) are in the row, from its token `begin` on.
struct ExplainedDocument {
  ArticleOrigin article;
  std::uint64_t line = 0;  // in the text shard, from 1
  std::size_t begin = 0;
  std::size_t first_token = 0;
  std::size_t last_token = 0;
  std::size_t tokens = 0;  // of all of it
};

struct ExplainedSequence {
  std::filesystem::path text_shard;
  std::vector<ExplainedDocument> documents;  // in the order of the row
};

class SequenceExplainer {
 public:
  // `path`: an HDF5 file of a set, or the folder of a split or a part of an MDS set. Throws IoError; FormatError, with
  // what to do, for a set of another tool, in Megatron's format, not made by a run, or whose text has lost its lines.
  SequenceExplainer(const std::filesystem::path& path, const TextPlace& place, Progress& progress);
  ~SequenceExplainer();

  // Memory: as for one text shard in a run. Throws ConfigError for a row out of range; FormatError if the text is
  // missing or has changed, or the row is another one than its text makes.
  ExplainedSequence explain(std::uint64_t row);

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace bertprep
