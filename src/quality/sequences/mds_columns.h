// The columns of an MDS set: which trainers can read it and which can't.
#pragma once

#include <string>
#include <vector>

#include "quality/doctor/findings.h"
#include "shard/mds/mds_reader.h"

namespace bertprep {

inline constexpr const char* kTextColumn = "text";

const MdsColumnEntry* find_column(const std::vector<MdsColumnEntry>& columns, std::string_view name);
// The column of ids, input_ids or tokens; else the only array. nullptr if there is none.
const MdsColumnEntry* id_column(const std::vector<MdsColumnEntry>& columns);

// The trainers for which a set with such columns is meant.
std::vector<TrainerKind> readers_of(const std::vector<MdsColumnEntry>& columns);

// `type` of the ids in the first sample, "uint16"; empty if unknown.
void find_column_traps(const std::vector<MdsColumnEntry>& columns, const std::string& type,
                       const std::vector<TrainerKind>& trainers, Findings& findings);

}  // namespace bertprep
