// TextClaim: from which inputs a run makes the formatted text of its name in WORK.
//
// Runs of the same name and work folder share their text. With other inputs, they would replace each other's, and one
// could continue with the text of the other. The first run notes its inputs beside the text, before it makes any.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "bertprep/base/progress.h"
#include "bertprep/pipeline/stages.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/output_folder.h"

namespace bertprep {

class TextClaim {
 public:
  // Of `file`, a formatted file in `folder`. Throws FormatError, and changes nothing, if the text there is another
  // input's, unless `force`: if the inputs noted are not `parts`, and neither are those of `record`, that of the
  // existing text, by their `digest`. Standard input is another one each time. Else notes `parts`.
  TextClaim(const OutputFolder& folder, const std::filesystem::path& file, std::span<const CorpusPart> parts,
            const std::optional<CompletionRecord>& record, const std::string& digest, bool force,
            const Progress& progress);
  // The inputs are unusable: removes a note that was not there before.
  void withdraw() const;

 private:
  const OutputFolder& folder_;
  std::string note_;  // the name of the file in the hidden folder
  bool is_new_ = false;
};

}  // namespace bertprep
