// What is left in a paragraph after templates and links: apostrophes of italics and bold, addresses, switches,
// character references, stray marks.
#pragma once

#include <string>
#include <string_view>

namespace bertprep::clean {

// Appends `line` without the apostrophes of bold and italics. When both are odd in number, one ''' was an apostrophe
// before '' (L'''Iliade''), as MediaWiki reads it.
void append_without_quotes(std::string_view line, std::string& out);

// Whether `text`, an argument or a label, is one line and ends the bold and the italics that it begins.
bool closes_its_quotes(std::string_view text);

// [http://x label] -> label; a bare address vanishes.
void remove_addresses(std::string& text);

// The bars of links and templates that lost a bracket: "[title|label]", "title|label]]", "|key=value}}".
void remove_bars(std::string& text);

class LanguageTable;

// __NOTOC__ by its names in English and in `table` (which may be null), and ~~~~.
void remove_switches(std::string& text, const LanguageTable* table);

// Character references -> characters, any blank -> ' ', invisible characters vanish; <sup> marks become '^' after a
// digit.
void remove_marks(std::string& text);

// Keeps the mark between brackets that the author left empty after the name of a function, so that tidy() does not
// drop them. Removes all other such marks.
void settle_empty_brackets(std::string& text);

// Removes these marks, and restores each `<` that begins no tag.
void restore_signs(std::string& text);

// Removes what still looks like a tag of HTML or MediaWiki.
void remove_tags(std::string& text);

// Removes {{ }} [[ ]] {| |}.
void remove_brackets(std::string& text);

}  // namespace bertprep::clean
