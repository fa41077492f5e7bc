#include "source/format_name.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "bertprep/base/error.h"
#include "source/input/input_list.h"
#include "unicode/ascii.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr std::size_t kMaxLines = 100;

struct Ending {
  std::string_view text;
  NamedKind kind;
};

constexpr std::array<Ending, 13> kEndings = {{{".jsonl", NamedKind::kJson},
                                              {".ndjson", NamedKind::kJson},
                                              {".json", NamedKind::kJson},
                                              {".csv", NamedKind::kCsv},
                                              {".tsv", NamedKind::kTsv},
                                              {".xml", NamedKind::kXml},
                                              {".html", NamedKind::kXml},
                                              {".xhtml", NamedKind::kXml},
                                              {".htm", NamedKind::kXml},
                                              {".parquet", NamedKind::kParquet},
                                              {".arrow", NamedKind::kArrow},
                                              {".sqlite", NamedKind::kSqlite},
                                              {".sqlite3", NamedKind::kSqlite}}};

bool may_be(NamedKind kind, InputFormat content) {
  switch (kind) {
    case NamedKind::kNone:
      return true;
    case NamedKind::kJson:
      return content == InputFormat::kJsonl || content == InputFormat::kCirrus;
    case NamedKind::kCsv:
      return content == InputFormat::kCsv || content == InputFormat::kTsv;
    case NamedKind::kTsv:
      return content == InputFormat::kTsv;
    case NamedKind::kXml:
      return content == InputFormat::kMediawiki || content == InputFormat::kWikiextractor ||
             content == InputFormat::kPubmed;
    case NamedKind::kParquet:
      return content == InputFormat::kParquet;
    case NamedKind::kArrow:
      return content == InputFormat::kArrow;
    case NamedKind::kSqlite:
      return content == InputFormat::kSqlite;
  }
  return true;
}

// After a bracket that opens an array.
std::string_view first_sign_of(std::string_view line) {
  line = strip(line);
  if (line.starts_with('[')) line = strip(line.substr(1));
  return line;
}

// "{'text': 'a'}", as Python prints it.
bool is_python_dict(std::string_view line) {
  line = first_sign_of(line);
  return line.starts_with('{') && strip(line.substr(1)).starts_with('\'');
}

bool is_json_object(std::string_view line) {
  line = first_sign_of(line);
  return line.starts_with('{') && strip(line.substr(1)).starts_with('"');
}

// A line of an object that spans several.
bool is_spread_json(std::string_view line) {
  line = strip(line);
  if (line.ends_with(',')) line.remove_suffix(1);
  return line == "{" || line == "}" || line == "[" || line == "]" ||
         (line.starts_with('"') && line.find("\":") != std::string_view::npos);
}

struct Fault {
  const char* what;
  const char* hint;
};

Fault fault_of(std::string_view line) {
  constexpr const char* kOneObject = "write one object per line, such as {\"text\": \"It rains.\"}";
  if (is_python_dict(line)) {
    return {"this is a Python dict, not JSON",
            "write JSON: python3 -c 'import ast, json, sys; [print(json.dumps(ast.literal_eval(line))) for line in "
            "sys.stdin]' < FILE > FILE.jsonl"};
  }
  for (const std::string_view comment : {"//", "#", "/*"}) {
    if (line.starts_with(comment)) return {"this is a comment, which JSON lacks", "remove it"};
  }
  if (line.starts_with('"')) {
    return {"this is a JSON string, not an object", "write one object per line: jq -c '{text: .}' FILE > FILE.jsonl"};
  }
  if (line.starts_with('[')) return {"this is a JSON array, not an object", kOneObject};
  return {"this is not a JSON object",
          "correct it, or give `format` jsonl to reject such lines; if it is text, rename the file"};
}

}  // namespace

NamedKind kind_by_name(std::string_view name) {
  const std::string_view bare = without_compression_ending(name);
  const auto found = std::find_if(kEndings.begin(), kEndings.end(),
                                  [&](const Ending& ending) { return ends_in_any_case(bare, ending.text); });
  return found == kEndings.end() ? NamedKind::kNone : found->kind;
}

void require_agreement(NamedKind kind, InputFormat content, const std::string& name) {
  if (may_be(kind, content)) return;
  const std::string format(name_of(content));
  throw FormatError("its content looks like " + format + ", its name does not", name,
                    "rename it, or give `format` " + format);
}

bool has_json_lines(std::span<const std::string_view> lines) {
  std::size_t seen = 0;
  std::size_t like_json = 0;
  for (const std::string_view line : lines) {
    if (seen == kMaxLines) break;
    if (strip(line).empty()) continue;
    ++seen;
    like_json += is_json_object(line) || is_python_dict(line) || is_spread_json(line) ? 1 : 0;
  }
  return like_json * 2 >= seen && like_json > 0;
}

void refuse_first_line(std::span<const std::string_view> lines, const std::string& name) {
  const auto is_text = [](std::string_view line) { return !strip(line).empty(); };
  const auto first = std::find_if(lines.begin(), lines.end(), is_text);
  const Fault fault = fault_of(first == lines.end() ? "" : strip(*first));
  throw FormatError(fault.what, name + ":" + std::to_string(first - lines.begin() + 1), fault.hint);
}

}  // namespace bertprep
