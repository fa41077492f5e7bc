#include "wiki/dump/dump_reader.h"

#include <utility>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "source/input/foreign_format.h"
#include "stream/byte_stream.h"
#include "stream/bzip2_stream.h"
#include "wiki/dump/dump_tag.h"
#include "wiki/dump/utf16_stream.h"

namespace bertprep {
namespace {

constexpr std::size_t kHeadBytes = 4096;

// The last part of FILE or ARCHIVE:MEMBER.
std::string last_part(const std::string& name) {
  const std::size_t at = name.find_last_of("/:");
  return at == std::string::npos ? name : name.substr(at + 1);
}

std::vector<std::filesystem::path> dumps_in(std::span<const std::filesystem::path> inputs) {
  std::vector<std::filesystem::path> files;
  for (const Input& input : list_dumps(inputs)) files.insert(files.end(), input.files.begin(), input.files.end());
  return files;
}

}  // namespace

std::vector<Input> list_dumps(std::span<const std::filesystem::path> inputs) {
  std::vector<Input> list = list_inputs(inputs);
  for (Input& input : list) {
    if (!input.is_folder) continue;
    std::erase_if(input.files, [](const std::filesystem::path& file) {
      return file.filename().native().find("-multistream-index") != std::string::npos;
    });
  }
  return list;
}

void DumpSeams::add(const std::string& where, const std::string& reason) {
  if (reason.find(kBzip2Rest) != std::string::npos) return;
  if (reason_.empty()) {
    where_ = where;
    reason_ = reason;
  } else {
    ++more_;
  }
}

void DumpSeams::check() {
  if (reason_.empty()) return;
  const DumpSeams seams = std::exchange(*this, {});
  const std::string more = seams.more_ == 0 ? "" : ", and there are " + grouped(seams.more_) + " more such parts";
  throw FormatError(seams.reason_ + more + "; no page is known to be lost", seams.where_, "get the file again");
}

DumpReader::DumpReader(std::span<const std::filesystem::path> inputs, std::string clock, Rejects& rejects,
                       TaskRunner runner)
    : files_(dumps_in(inputs)), clock_(std::move(clock)), rejects_(rejects) {
  streams_.runner = std::move(runner);
  streams_.meter = &meter_;
  streams_.damage = [this](const std::string& where, const std::string& reason) {
    seams_.add(where, reason);
    rejects_.add(where, reason, {});
  };
}

bool DumpReader::next(DumpPage& page) {
  while (scanner_ != nullptr || open_next()) {
    try {
      if (scanner_->next(page)) {
        ++pages_;
        if (!std::exchange(is_site_known_, true)) {
          site_ = make_site(scanner_->site(), dump_name_, clock_, page.page.timestamp);
          if (reads_elements_) check_language(*site_);
        }
        return true;
      }
      finish_dump();
    } catch (const FormatError&) {
      set_error(std::current_exception());
    }
    seams_ = {};
    redirects_ += scanner_->redirects();
    left_out_.add(scanner_->take_left_out());
    for (RecordRemark& remark : scanner_->take_remarks()) remarks_.push_back(std::move(remark));
    scanner_.reset();
  }
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  return false;
}

// The next dump: a file, or a member of an archive.
bool DumpReader::next_text(TextInput& text) {
  for (;;) {
    try {
      if (texts_ && texts_->next(text)) {
        if (is_dump(text)) return true;
        continue;
      }
      if (file_ == files_.size()) {
        meter_.end();
        return false;
      }
      texts_.emplace(files_[file_++], NameChoice{}, streams_);
    } catch (const FormatError&) {
      texts_.reset();
      set_error(std::current_exception());
    }
  }
}

// Reports text that can't be a dump by its name.
bool DumpReader::is_dump(TextInput& text) {
  auto bytes = std::make_unique<PeekedStream>(std::move(text.bytes));
  const std::string_view head = bytes->peek(kHeadBytes);
  try {
    if (head.empty()) throw FormatError("it is empty (0 bytes)", text.name, "get the file again");
    refuse_foreign(head, InputFormat::kMediawiki, text.name);
  } catch (const FormatError&) {
    set_error(std::current_exception());
    return false;
  }
  text.bytes = std::move(bytes);
  return true;
}

bool DumpReader::open_next() {
  TextInput text;
  if (!next_text(text)) return false;
  dump_name_ = text.name;
  is_site_known_ = false;
  auto bytes = std::make_unique<PeekedStream>(std::move(text.bytes));
  const Utf16 order = utf16_of(bytes->peek(2));
  is_utf16_ = order != Utf16::kNone;
  std::unique_ptr<ByteStream> utf8 = std::move(bytes);
  if (is_utf16_) utf8 = std::make_unique<Utf16Stream>(std::move(utf8), order);
  const auto reject = [this](const std::string& where, const std::string& reason, std::string_view record) {
    rejects_.add(where, reason, record);
  };
  scanner_ = std::make_unique<PageScanner>(dump_name_, std::move(utf8), reject);
  if (reads_elements_) scanner_->read_elements();
  return true;
}

ReasonCounts DumpReader::take_left_out() {
  if (scanner_ != nullptr) left_out_.add(scanner_->take_left_out());
  return std::exchange(left_out_, {});
}

std::vector<RecordRemark> DumpReader::take_remarks() {
  if (scanner_ != nullptr) {
    for (RecordRemark& remark : scanner_->take_remarks()) remarks_.push_back(std::move(remark));
  }
  return std::exchange(remarks_, {});
}

void DumpReader::finish_dump() {
  seams_.check();
  if (!is_utf16_) return;
  throw FormatError("the dump is UTF-16, where MediaWiki writes UTF-8; its pages were read anyway", dump_name_,
                    "convert it to UTF-8: iconv -f UTF-16 -t UTF-8");
}

// Of several errors, the first is thrown and the others are reported.
void DumpReader::set_error(std::exception_ptr error) {
  if (rejects_.is_strict()) std::rethrow_exception(error);
  if (!error_) {
    error_ = std::move(error);
    return;
  }
  try {
    std::rethrow_exception(error);
  } catch (const FormatError& told) {
    rejects_.add(told.where(), told.what(), {});
  }
}

std::shared_ptr<const WikiSite> make_site(const WikiSite& head, const std::string& dump_name, const std::string& clock,
                                          const std::string& revision_time) {
  auto site = std::make_shared<WikiSite>(head);
  site->dump = last_part(dump_name);
  site->clock = clock_of(clock, site->dump, revision_time);
  return site;
}

void check_language(const WikiSite& site) {
  if (!language_of(site).empty()) return;
  throw FormatError("the dump does not tell the language of its wiki, in which numbers and units are shown", site.dump,
                    "write it into the first tag: <mediawiki xml:lang=\"en\" ...>");
}

std::string url_of(const WikiSite& site, std::string_view page_id) {
  return site.url_base + "?curid=" + std::string(page_id);
}

}  // namespace bertprep
