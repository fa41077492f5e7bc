// The files that open_source and open_mediawiki read, and who sees them read.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/task_runner.h"
#include "bertprep/source/open_source.h"
#include "source/input_list.h"
#include "stream/read_meter.h"

namespace bertprep {

// Which files of folders and members of archives are read in this format: those of the format, unless `options` say
// otherwise.
NameChoice choice_of(InputFormat format, const SourceOptions& options);

// `format` as resolve_format gives it. Throws as list_inputs does.
std::vector<Input> list_source(std::span<const std::filesystem::path> inputs, InputFormat format,
                               const SourceOptions& options);

// open_source(), whose bytes `observer`, which may be null and outlives it, is to see.
std::unique_ptr<DocumentSource> open_observed_source(std::span<const std::filesystem::path> inputs,
                                                     const SourceOptions& options, RejectSink rejects,
                                                     const TaskRunner& runner, ReadObserver* observer);

}  // namespace bertprep
