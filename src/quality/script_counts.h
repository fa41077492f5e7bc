// ScriptCounts: the share of each script in a text, and what stripping accents removes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "io/json.h"

namespace bertprep {

// Counts for one script. A letter is a character of category L or M; a mark counts for the script of the letter before
// it.
struct ScriptCount {
  std::uint64_t letters = 0;
  // Nonspacing marks, which stripping accents removes, and kana that lose their voicing mark.
  std::uint64_t lost = 0;
  // Accented Latin, Greek or Cyrillic letters, which lose their accents.
  std::uint64_t accented = 0;
  std::string example{};  // the first word with one of these

  double lost_share() const { return share(lost); }
  double accented_share() const { return share(accented); }
  bool operator==(const ScriptCount&) const = default;

 private:
  double share(std::uint64_t part) const {
    return letters == 0 ? 0 : static_cast<double>(part) / static_cast<double>(letters);
  }
};

struct ScriptCounts {
  std::map<std::string, ScriptCount> by_name;  // Unicode's names: "Latin", "Devanagari"

  void add(const ScriptCounts& other);
  Json to_json() const;
  // Throws FormatError.
  static ScriptCounts from_json(const Json& json);
};

// Counts the letters of valid UTF-8. Properties are Unicode 14's, looked up once for each block of 256 characters that
// occurs. Not thread-safe.
class ScriptCounter {
 public:
  ScriptCounter();
  ~ScriptCounter();
  ScriptCounter(ScriptCounter&&) noexcept;
  ScriptCounter& operator=(ScriptCounter&&) noexcept;

  void add(std::string_view text);
  // The counts since the last call.
  ScriptCounts take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bertprep
