#include "pipeline/records/reject_file.h"

#include <utility>

#include "unicode/utf8_text.h"

namespace bertprep {

namespace {

// Enough to recognize the record; the place says where all of it is.
constexpr std::size_t kShownBytes = 4096;

std::string shown(std::string_view record) {
  record = record.substr(0, kShownBytes);
  const auto fault = find_invalid_utf8(record);
  return std::string(record.substr(0, fault.value_or(record.size())));
}

}  // namespace

std::filesystem::path RejectFile::path_of(const OutputFolder& folder, const std::string& name) {
  return folder.state_folder() / name;
}

RejectFile::RejectFile(const OutputFolder& folder, std::string name, Progress& progress)
    : final_path_(path_of(folder, name)), pending_(folder.begin_state(name)), progress_(progress) {}

RejectFile::RejectFile(PendingFile pending, std::uint64_t size_bytes, ReasonCounts reasons, Xxh3 digest,
                       Progress& progress)
    : final_path_(pending.final_path()),
      pending_(std::move(pending)),
      progress_(progress),
      reasons_(std::move(reasons)),
      digest_(std::move(digest)) {
  if (size_bytes != 0) file_ = std::make_unique<OutputFile>(pending_.path(), size_bytes);
  if (!reasons_.is_empty()) first_reason_ = reasons_.by_reason().begin()->first;
}

std::uint64_t RejectFile::flush() {
  if (file_) file_->flush();
  return file_ ? file_->size_bytes() : 0;
}

void RejectFile::add(const std::string& where, const std::string& reason, std::string_view record) {
  if (!file_) file_ = std::make_unique<OutputFile>(pending_.path());
  if (reasons_.is_empty()) first_reason_ = reason;
  reasons_.add(reason);
  const std::string line = Json::object()
                               .add("where", Json::string(where))
                               .add("reason", Json::string(reason))
                               .add("record", Json::string(shown(record)))
                               .dump_line() +
                           "\n";
  file_->write(line);
  digest_.update(line);
  progress_.skipped({where, reason});
}

void RejectFile::finish() {
  if (file_) {
    file_->finish();
    pending_.publish();
  } else {
    std::error_code ignored;
    std::filesystem::remove(final_path_, ignored);
  }
}

}  // namespace bertprep
