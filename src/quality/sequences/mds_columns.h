// The columns of an MDS set: which trainers may read it, and who can't.
#pragma once

#include <string>
#include <vector>

#include "quality/doctor/findings.h"
#include "shard/mds/mds_reader.h"

namespace bertprep {

inline constexpr const char* kTextColumn = "text";

const MdsColumnEntry* find_column(const std::vector<MdsColumnEntry>& columns, std::string_view name);
// The column of ids, input_ids or tokens; else the only array that there is. nullptr where there is none.
const MdsColumnEntry* id_column(const std::vector<MdsColumnEntry>& columns);

// Whom a set with such columns is meant for.
std::vector<TrainerKind> readers_of(const std::vector<MdsColumnEntry>& columns);

// `type` of the ids in the first sample, "uint16"; empty where it is not known.
void find_column_traps(const std::vector<MdsColumnEntry>& columns, const std::string& type,
                       const std::vector<TrainerKind>& trainers, Findings& findings);

}  // namespace bertprep
