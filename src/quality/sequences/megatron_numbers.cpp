#include "quality/sequences/megatron_numbers.h"

#include <array>
#include <string>

#include "base/number_text.h"
#include "bertprep/base/error.h"

namespace bertprep {
namespace {

// Ids of all sequences, by the index. Throws FormatError for an impossible length.
std::uint64_t ids_of(const MegatronView& index) {
  std::uint64_t ids = 0;
  for (std::uint64_t i = 0; i < index.sequences(); ++i) {
    const std::int32_t length = index.length(i);
    if (length < 0) {
      throw FormatError("sequence " + grouped(i) + " has " + std::to_string(length) + " ids");
    }
    ids += static_cast<std::uint64_t>(length);
  }
  return ids;
}

void check_size(const MegatronView& index, std::uint64_t ids, std::uint64_t bin_bytes, MegatronReading& reading,
                Findings& findings) {
  if (reading.width != 0 && bin_bytes == ids * reading.width) return;
  const std::string says = "its .idx counts " + counted(ids, "id") + " of " + megatron_type_name(index.type_code());
  const std::string has = ", its .bin has " + counted(bin_bytes, "byte");
  constexpr std::array kWidths{2U, 4U, 8U, 1U};
  for (const unsigned width : kWidths) {
    if (ids == 0 || bin_bytes != ids * width) continue;
    findings.add(Trap::kTypeCode, {}, says + has + ": " + std::to_string(width) + " for each");
    reading.width = width;
    reading.is_signed = width > 2;
    return;
  }
  if (reading.width == 0) {
    findings.add(Trap::kTypeCode, {}, says + ", which are not ids");
    return;
  }
  const bool is_truncated = bin_bytes < ids * reading.width;
  findings.add(
      Trap::kIdsSize, {}, says + ", " + grouped(ids * reading.width) + " bytes" + has,
      {{"{fix}", is_truncated ? "fetch both files again, or make the set from its text: bertprep sequences TEXT "
                                "--vocab VOCAB -o NEW with the options of this set"
                              : "put the .bin and the .idx of one run together: one of them belongs to another set"}});
}

void check_offsets(const MegatronView& index, const MegatronReading& reading, Findings& findings) {
  if (reading.width == 0) return;
  std::uint64_t place = 0;
  for (std::uint64_t i = 0; i < index.sequences(); ++i) {
    const std::int64_t offset = index.offset(i);
    if (offset < 0 || static_cast<std::uint64_t>(offset) != place) {
      findings.add(
          Trap::kOffsets, {},
          "sequence " + grouped(i) + " is at byte " + std::to_string(offset) + ", expected " + std::to_string(place));
      return;
    }
    place += static_cast<std::uint64_t>(index.length(i)) * reading.width;
  }
}

void check_document_ends(const MegatronView& index, MegatronReading& reading, Findings& findings) {
  const auto tell = [&](const std::string& what) {
    findings.add(Trap::kDocumentEnds, {}, what);
    reading.has_document_ends = false;
  };
  const std::uint64_t ends = index.document_ends();
  if (ends == 0) return tell("its .idx has no ends of documents, not even the 0 in front");
  if (index.document_end(0) != 0)
    return tell("the first document begins at sequence " + std::to_string(index.document_end(0)) + ", expected 0");
  for (std::uint64_t i = 1; i < ends; ++i) {
    if (index.document_end(i) >= index.document_end(i - 1)) continue;
    return tell("document " + grouped(i - 1) + " ends at sequence " + std::to_string(index.document_end(i)) +
                ", before it begins, at " + std::to_string(index.document_end(i - 1)));
  }
  const std::int64_t last = index.document_end(ends - 1);
  if (last < 0 || static_cast<std::uint64_t>(last) != index.sequences()) {
    tell("the last document ends at sequence " + std::to_string(last) + " of " + grouped(index.sequences()));
  }
}

}  // namespace

MegatronReading find_number_traps(const MegatronView& index, std::uint64_t bin_bytes, Findings& findings) {
  MegatronReading reading;
  reading.width = megatron_id_bytes(index.type_code());
  reading.is_signed = is_megatron_type_signed(index.type_code());
  check_document_ends(index, reading, findings);
  try {
    check_size(index, ids_of(index), bin_bytes, reading, findings);
    check_offsets(index, reading, findings);
  } catch (const FormatError& error) {
    findings.add(Trap::kBrokenIndex, {}, "its .idx is damaged: " + std::string(error.what()),
                 {{"{fix}",
                   "fetch it again, or make the set from its text: bertprep sequences TEXT --vocab VOCAB "
                   "-o NEW with the options of this set"}});
    reading.width = 0;
  }
  return reading;
}

}  // namespace bertprep
