// Variants of a language: -{zh-hans:计算机;zh-hant:電腦}-, in wikis that convert between scripts
// (https://www.mediawiki.org/wiki/Language_Converter/Advanced_syntax). In all others these signs are text.
#pragma once

#include <string>
#include <string_view>

namespace bertprep::clean {

// Replaces each -{...}- by what readers see of it: the text of its first variant; of flags, H, T and - show nothing, R
// its text as it is, N the name of a variant. D, which lists the variants by names, shows nothing here.
void resolve_variants(std::string& text, std::string_view language);

}  // namespace bertprep::clean
