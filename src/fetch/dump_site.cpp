#include "fetch/dump_site.h"

#include <algorithm>
#include <array>
#include <functional>

#include "bertprep/base/error.h"
#include "io/json.h"

namespace bertprep {
namespace {

// Older dumps are no longer what is meant by the latest.
constexpr std::size_t kMostDates = 6;

bool all_digits(std::string_view text) {
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_date(std::string_view text) {
  return text.size() == 8 && all_digits(text);
}

bool is_dashed_date(std::string_view text) {
  return text.size() == 10 && text[4] == '-' && text[7] == '-' && all_digits(text.substr(0, 4)) &&
         all_digits(text.substr(5, 2)) && all_digits(text.substr(8, 2));
}

std::string without_dashes(std::string date) {
  std::erase(date, '-');
  return date;
}

std::string with_dashes(const std::string& date) {
  return date.substr(0, 4) + "-" + date.substr(4, 2) + "-" + date.substr(6, 2);
}

// The files of those jobs of dumpstatus.json that make article dumps and are done.
ListedFiles files_done(const Json& status) {
  ListedFiles files;
  const Json* jobs = status.find("jobs");
  if (jobs == nullptr) return files;
  for (const char* name :
       {"articlesmultistreamdumprecombine", "articlesmultistreamdump", "articlesdumprecombine", "articlesdump"}) {
    const Json* job = jobs->find(name);
    if (job == nullptr || job->find("files") == nullptr || job->at("status").text() != "done") continue;
    for (const auto& [file_name, facts] : job->at("files").members()) {
      CatalogueFile file;
      file.name = file_name;
      if (const Json* size = facts.find("size")) file.facts.size_bytes = size->as_unsigned();
      for (const DigestKind kind : {DigestKind::kSha256, DigestKind::kSha1, DigestKind::kMd5}) {
        if (const Json* hex = facts.find(digest_name(kind))) file.facts.set_digest(kind, hex->text());
      }
      files.push_back(std::move(file));
    }
  }
  return files;
}

}  // namespace

std::vector<std::string> DumpSite::list_dates() {
  std::vector<std::string> dates;
  if (const auto page = pages_.get(root_ + "/" + wiki_ + "/")) {
    std::ranges::copy_if(linked_names(*page), std::back_inserter(dates), is_date);
  }
  unreachable_ = pages_.was_unreachable();
  if (!dates.empty() || unreachable_) return dates;
  // A server without listings: the digests of `latest` name dated files.
  const auto sums = pages_.get(root_ + "/" + wiki_ + "/latest/" + wiki_ + "-latest-sha1sums.txt");
  if (!sums) return dates;
  ListedFiles files;
  add_sums(*sums, files);
  for (const CatalogueFile& file : files) {
    if (!file.name.starts_with(wiki_ + "-")) continue;
    const std::string date = file.name.substr(wiki_.size() + 1, 8);
    if (is_date(date) && std::ranges::find(dates, date) == dates.end()) dates.push_back(date);
  }
  return dates;
}

std::vector<std::string> DumpSite::known_dates() {
  if (!dates_) {
    dates_ = list_dates();
    std::ranges::sort(*dates_, std::greater<>());
  }
  return *dates_;
}

std::vector<std::string> DumpSite::list_export_dates() {
  std::vector<std::string> dates;
  if (const auto page = pages_.get(root_ + "/other/mediawiki_content_current/" + wiki_ + "/")) {
    std::ranges::copy_if(linked_names(*page), std::back_inserter(dates), is_dashed_date);
  }
  std::ranges::sort(dates, std::greater<>());
  return dates;
}

std::optional<FoundDump> DumpSite::find_latest() {
  std::size_t tried = 0;
  for (const std::string& date : known_dates()) {
    if (++tried > kMostDates) break;
    FoundDump found;
    const Legacy state = find_legacy(date, found);
    if (state == Legacy::kFound) return found;
    if (state == Legacy::kIncomplete) progress_.note("the dump of " + wiki_ + " of " + date + " is not complete yet");
  }
  if (unreachable_) return std::nullopt;
  for (const std::string& date : list_export_dates()) {
    if (auto found = find_export(date)) return found;
    progress_.note("the export of " + wiki_ + " of " + date + " is not complete");
  }
  FoundDump undated{{"/" + wiki_ + "/latest/", "latest"}, {}};
  if (find_by_trying(undated.place, undated)) return undated;
  return std::nullopt;
}

std::optional<FoundDump> DumpSite::find(const std::string& date) {
  FoundDump found;
  const Legacy state = find_legacy(date, found);
  if (state == Legacy::kFound) return found;
  if (unreachable_) return std::nullopt;
  if (state == Legacy::kIncomplete) progress_.note("the dump of " + wiki_ + " of " + date + " is not complete yet");
  return find_export(with_dashes(date));
}

std::optional<FoundDump> DumpSite::find_flat(const std::string& date) {
  FoundDump found;
  if (find_by_sums({"/", date}, date, found)) return found;
  found.place = {"/", date};
  if (!pages_.was_unreachable() && find_by_trying(found.place, found)) return found;
  return std::nullopt;
}

DumpSite::Legacy DumpSite::find_legacy(const std::string& date, FoundDump& found) {
  const DumpPlace place{"/" + wiki_ + "/" + date + "/", date};
  if (const auto status = pages_.get(root_ + place.folder + "dumpstatus.json")) {
    try {
      found.files = choose_files(files_done(Json::parse(*status, "dumpstatus.json")), wiki_, date);
    } catch (const FormatError& error) {
      progress_.note(root_ + place.folder + error.what());
    }
    found.place = place;
    if (!found.files.articles.empty()) return Legacy::kFound;
    return Legacy::kIncomplete;
  }
  unreachable_ = pages_.was_unreachable();
  if (unreachable_) return Legacy::kAbsent;
  if (find_by_sums(place, date, found)) return Legacy::kFound;
  found.place = place;
  return find_by_trying(place, found) ? Legacy::kFound : Legacy::kAbsent;
}

bool DumpSite::find_by_sums(const DumpPlace& place, const std::string& date, FoundDump& found) {
  ListedFiles files;
  for (const char* kind : {"sha1", "md5"}) {
    const auto sums = pages_.get(root_ + place.folder + wiki_ + "-" + date + "-" + kind + "sums.txt");
    if (sums) add_sums(*sums, files);
  }
  found = {place, choose_files(files, wiki_, date)};
  return !found.files.articles.empty();
}

// No list says what there is: the usual names are asked for.
bool DumpSite::find_by_trying(const DumpPlace& place, FoundDump& found) {
  for (const char* ending : {"-pages-articles-multistream.xml.bz2", "-pages-articles.xml.bz2"}) {
    CatalogueFile file;
    file.name = wiki_ + "-" + place.date + ending;
    const auto size = pages_.size_of(root_ + place.folder + file.name);
    if (!size) continue;
    file.facts.size_bytes = *size;
    found.files.articles.push_back(std::move(file));
    return true;
  }
  return false;
}

std::optional<FoundDump> DumpSite::find_export(const std::string& dashed_date) {
  FoundDump found;
  found.place.folder = "/other/mediawiki_content_current/" + wiki_ + "/" + dashed_date + "/xml/bzip2/";
  found.place.date = without_dashes(dashed_date);
  const auto sums = pages_.get(root_ + found.place.folder + "SHA256SUMS");
  // Its last file: there when all others are.
  if (!sums || !pages_.size_of(root_ + found.place.folder + "_SUCCESS")) return std::nullopt;
  ListedFiles files;
  add_sums(*sums, files);
  found.files = choose_files(files, wiki_, dashed_date);
  if (found.files.articles.empty()) return std::nullopt;
  return found;
}

}  // namespace bertprep
