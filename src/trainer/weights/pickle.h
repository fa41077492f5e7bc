// Pickles: what Python's pickle wrote, read as a tree of values. Nothing in it is executed: a call of a Python function
// is a value like others, with the function's name and its arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bertprep {

using PickleId = std::uint32_t;
constexpr PickleId kNoPickleId = 0xffffffff;

struct PickleValue {
  enum class Kind : std::uint8_t {
    None,
    Bool,     // integer
    Integer,  // integer
    Long,     // beyond 64 bits; text: two's complement, little-endian
    Real,     // not kept
    Text,     // text: UTF-8, or bytes of a string of Python 2
    Bytes,    // text
    Tuple,    // items
    List,     // items; sets too
    Dict,     // items: key, value, key, value …
    Global,   // items: module and name of a class or function
    Call,     // callable with arguments (a Tuple), or a class's new object; items: what was put into it later
    Stored,   // arguments: what the writer calls a thing that it keeps elsewhere
  };

  Kind kind = Kind::None;
  PickleId callable = kNoPickleId;
  PickleId arguments = kNoPickleId;
  PickleId state = kNoPickleId;  // what a Call's object was given after it was made
  std::int64_t integer = 0;
  std::string_view text{};
  std::vector<PickleId> items{};
};

// Values refer to each other by their places, also in circles: who follows them must not do so without end. Texts are
// views into the bytes that were parsed.
struct PickleTree {
  std::vector<PickleValue> values;
  PickleId root = kNoPickleId;
  std::size_t size_bytes = 0;  // of the pickle; what follows it in the bytes is left alone

  const PickleValue& at(PickleId id) const { return values[id]; }
  // Whether the value is this class or function.
  bool is_global(PickleId id, std::string_view module, std::string_view name) const;
  // Whether the value is a call of it.
  bool calls(PickleId id, std::string_view module, std::string_view name) const;
  // nullptr for what is no Tuple.
  const std::vector<PickleId>* tuple_items(PickleId id) const;
};

// Reads protocols 2 to 5, without what they keep outside the file. Takes time and memory in proportion to the pickle,
// whatever it holds. Throws FormatError, which names `where`, also when it has more than some million values.
PickleTree parse_pickle(std::string_view bytes, const std::string& where);

}  // namespace bertprep
