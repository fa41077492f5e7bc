#include "fetch/dump_files.h"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "unicode/ascii.h"

namespace bertprep {
namespace {

// The text between `before` and `after`, if `name` consists of the three.
std::optional<std::string_view> between(std::string_view name, std::string_view before, std::string_view after) {
  if (name.size() < before.size() + after.size() || !name.starts_with(before) || !name.ends_with(after)) {
    return std::nullopt;
  }
  return name.substr(before.size(), name.size() - before.size() - after.size());
}

bool take_number(std::string_view& text, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

struct Part {
  std::uint64_t number = 0;
  std::uint64_t first_page = 0;
  std::uint64_t last_page = 0;
  std::uint64_t first_revision = 0;  // of a part of one page; else 0
  std::uint64_t last_revision = 0;
  const CatalogueFile* file = nullptr;
};

// "3.xml-p151574p311329" with `marker` ".xml-"; "p1p41242" and "p41243r5r90" with marker "" have no number.
std::optional<Part> parse_part(std::string_view text, std::string_view marker) {
  Part part;
  if (!marker.empty() && (!take_number(text, part.number) || !take(text, marker))) return std::nullopt;
  if (!take(text, "p") || !take_number(text, part.first_page)) return std::nullopt;
  if (marker.empty() && take(text, "r")) {
    part.last_page = part.first_page;
    if (!take_number(text, part.first_revision) || !take(text, "r") || !take_number(text, part.last_revision)) {
      return std::nullopt;
    }
  } else if (!take(text, "p") || !take_number(text, part.last_page)) {
    return std::nullopt;
  }
  if (!text.empty() || part.last_page < part.first_page || part.last_revision < part.first_revision) {
    return std::nullopt;
  }
  return part;
}

const CatalogueFile* find(const std::vector<CatalogueFile>& files, const std::string& name) {
  const auto place = std::ranges::find(files, name, &CatalogueFile::name);
  return place == files.end() ? nullptr : &*place;
}

std::vector<Part> parts_of(const std::vector<CatalogueFile>& files, const std::string& before,
                           const std::string& marker, const std::string& after) {
  std::vector<Part> parts;
  for (const CatalogueFile& file : files) {
    const auto middle = between(file.name, before, after);
    auto part = middle ? parse_part(*middle, marker) : std::nullopt;
    if (!part) continue;
    part->file = &file;
    parts.push_back(*part);
  }
  std::ranges::sort(parts, {},
                    [](const Part& part) { return std::tuple(part.first_page, part.first_revision, part.last_page); });
  return parts;
}

// Whether `part` begins where the one before it ends. Revisions of a page have gaps of their own.
bool follows(const Part& before, const Part& part) {
  const bool is_of_same_page =
      part.first_revision != 0 && before.first_revision != 0 && part.first_page == before.first_page;
  if (is_of_same_page) return part.first_revision > before.last_revision;
  return part.first_page == before.last_page + 1;
}

// Parts overlap or have gaps if a list is damaged or still being made.
bool are_whole(const std::vector<Part>& parts) {
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (!follows(parts[i - 1], parts[i]) || parts[i].number - parts[i - 1].number > 1) return false;
  }
  return !parts.empty() && parts.front().number == 1;
}

// Of content file exports, whose names have no numbers. A server lists them when all exist.
void check_exports(const std::vector<CatalogueFile>& files, const std::vector<Part>& parts, const std::string& before,
                   const std::string& after) {
  for (const CatalogueFile& file : files) {
    const bool is_known = std::ranges::any_of(parts, [&](const Part& part) { return part.file == &file; });
    const auto range = between(file.name, before, after);
    if (!range || !is_ascii_digit(range->empty() ? 'x' : range->front()) || is_known) continue;
    throw FormatError("the name of this part of the dump is not understood, so that its pages would be missing",
                      file.name, "download the files yourself and give their folder with `from_file`");
  }
  if (!parts.empty() && parts.front().first_page > 1) {
    throw FormatError("the dump has no part before this one, whose first page is not 1", parts.front().file->name,
                      "choose another dump with `dump_date`");
  }
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (follows(parts[i - 1], parts[i])) continue;
    throw FormatError("does not begin where " + parts[i - 1].file->name +
                          " ends: a part of the dump is missing from the list, or listed twice",
                      parts[i].file->name, "choose another dump with `dump_date`");
  }
}

std::vector<CatalogueFile> files_of(const std::vector<Part>& parts) {
  std::vector<CatalogueFile> files;
  for (const Part& part : parts) files.push_back(*part.file);
  return files;
}

}  // namespace

ChosenFiles choose_files(const std::vector<CatalogueFile>& listed, const std::string& wiki, const std::string& date) {
  for (const char* kind : {"-pages-articles-multistream", "-pages-articles"}) {
    const std::string stem = wiki + "-" + date + kind;
    if (const CatalogueFile* file = find(listed, stem + ".xml.bz2")) {
      const CatalogueFile* index = find(listed, stem + "-index.txt.bz2");
      return {{*file}, index == nullptr ? std::vector<CatalogueFile>() : std::vector{*index}};
    }
    if (const auto parts = parts_of(listed, stem, ".xml-", ".bz2"); are_whole(parts)) {
      return {files_of(parts), files_of(parts_of(listed, stem + "-index", ".txt-", ".bz2"))};
    }
  }
  const std::string before = wiki + "-" + date + "-";
  const auto parts = parts_of(listed, before, "", ".xml.bz2");
  check_exports(listed, parts, before + "p", ".xml.bz2");
  return {files_of(parts)};
}

}  // namespace bertprep
