// Files that users name as formatted text or as text shards but that must be formatted first: dumps, JSON Lines, web
// pages. Read line by line, their markup would become sentences.
#pragma once

#include <filesystem>
#include <span>

namespace bertprep {

// Throws FormatError for such a file, by its first bytes. What is not a regular file is not examined, and files that a
// record beside them knows may begin as their articles do. Throws IoError.
void refuse_unformatted(std::span<const std::filesystem::path> files);

// Whether a file is one of documents in a format that its first bytes tell: JSON, PubMed's XML, extracted articles.
// False for dumps, and for files that a record beside them knows.
bool holds_records(const std::filesystem::path& file);

// The same for a text shard, which can't be compressed either.
void refuse_no_text_shard(const std::filesystem::path& file, bool is_recorded);

}  // namespace bertprep
