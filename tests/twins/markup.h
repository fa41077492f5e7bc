// PlainMarkup: the stages of wiki markup by their rules, with regular expressions over ASCII and without regard to
// time: the twin of the fast ones.
#pragma once

#include <string>

namespace bertprep::test::plain_markup {

std::string drop_templates(std::string text);
std::string drop_tables(std::string text);
std::string replace_quotes(std::string text);
std::string replace_internal_links(const std::string& text);
std::string replace_external_links(const std::string& text);
std::string drop_switches(const std::string& text);
std::string unescape(const std::string& text);
std::string unescape_around_code(const std::string& text);
std::string drop_spans(const std::string& text);
std::string drop_elements(std::string text);
std::string replace_placeholders(std::string text);
std::string shorten_runs(std::string text);
std::string close_up_brackets(std::string text);
std::string drop_nonword_lines(const std::string& text);
std::string shorten_commas(std::string text);
std::string filter_lines(const std::string& text);

// All of them in the order of an article without templates.
std::string lines_of(std::string text);

}  // namespace bertprep::test::plain_markup
