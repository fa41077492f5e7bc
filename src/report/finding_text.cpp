#include "report/finding_text.h"

#include "base/number_text.h"
#include "io/shell_words.h"
#include "unicode/utf8_text.h"

namespace bertprep {
std::string fix_text(const Finding& finding, const std::filesystem::path& path) {
  std::filesystem::path given = path.has_filename() ? path : path.parent_path();
  const std::string last = given.filename().string();
  if (last == "." || last == "..") given = std::filesystem::canonical(given);  // for {dir}-resharded
  std::string files;
  for (const std::string& file : finding.files) {
    files += (files.empty() ? "" : " ") + shell_word((given / file).string());
  }
  std::string text = finding.fix;
  replace_all(text, "{files}", files);
  replace_all(text, "{dir}", shell_word(given.string()));
  return text;
}

std::string place_text(const Finding& finding, const std::filesystem::path& path) {
  std::string text = finding.place.file.empty() || path.filename() == finding.place.file
                         ? path.string()
                         : (path / finding.place.file).string();
  if (finding.place.row) text += ": row " + std::to_string(*finding.place.row);
  return text;
}

std::string extent_text(const Finding& finding) {
  if (finding.rows <= 1 && finding.file_count <= 1) return {};
  const std::string files = counted(finding.file_count, "file");
  if (finding.rows == 0) return files;
  return counted(finding.rows, "row") + (finding.file_count > 0 ? " in " + files : "");
}

std::vector<std::string> effect_texts(const Finding& finding) {
  std::vector<std::string> texts;
  std::vector<TrapEffect> left = finding.effects;
  while (!left.empty()) {
    const TrapEffect first = left.front();
    const auto is_same = [&](const TrapEffect& effect) {
      return effect.severity == first.severity && effect.text == first.text;
    };
    std::string names;
    for (const TrapEffect& effect : left) {
      if (is_same(effect)) names += (names.empty() ? "" : ", ") + std::string(trainer_name(effect.trainer));
    }
    std::erase_if(left, is_same);
    texts.push_back(std::string(severity_name(first.severity)) + ": " + names + ": " + std::string(first.text));
  }
  return texts;
}

}  // namespace bertprep
