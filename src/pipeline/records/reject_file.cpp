#include "pipeline/records/reject_file.h"

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

void RejectFile::add(const std::string& where, const std::string& reason, std::string_view record) {
  if (!file_) file_ = std::make_unique<OutputFile>(pending_.path());
  if (reasons_.is_empty()) first_reason_ = reason;
  reasons_.add(reason);
  file_->write(Json::object()
                   .add("where", Json::string(where))
                   .add("reason", Json::string(reason))
                   .add("record", Json::string(shown(record)))
                   .dump_line() +
               "\n");
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
