// Reads JSON written by others: unknown parts are refused by name.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "io/json.h"

namespace bertprep {

// "a ByteLevel pre_tokenizer with use_regex false": refused at `where`. Throws FormatError.
[[noreturn]] void refuse_part(const std::string& part, const std::string& where);

// Refuses keys of `object` that are not in `known`; `part` names the object.
void require_known_keys(const Json& object, std::initializer_list<std::string_view> known, const std::string& part,
                        const std::string& where);

// The member; nullptr also for null.
const Json* find_value(const Json& object, std::string_view key);
// false if missing.
bool flag_of(const Json& object, std::string_view key);
// The text of a member; empty if missing.
std::string text_of(const Json& object, std::string_view key);

}  // namespace bertprep
