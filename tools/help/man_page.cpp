#include "help/man_page.h"

#include <algorithm>

namespace bertprep::cli {
namespace {

constexpr const char* kNoMargin = ".in 0\n";  // lines of 80 columns fit

// Escapes text for roff: dashes that can be copied, literal backslashes, no line that begins like a request.
std::string roff(const std::string& text) {
  std::string out;
  for (const char letter : text) {
    const bool begins_line = out.empty() || out.back() == '\n';
    if (begins_line && (letter == '.' || letter == '\'')) out += "\\&";
    if (letter == '\\') {
      out += "\\e";
    } else if (letter == '-') {
      out += "\\-";
    } else {
      out += letter;
    }
  }
  return out;
}

std::string capitals(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; });
  return text;
}

// A list of choices that is one word longer than a line can't be adjusted.
std::string value_of(const OptionFacts& option) {
  constexpr std::size_t kLongest = 90;
  std::string text;
  for (const char letter : option.values()) {
    text += letter == '|' && option.value.size() > kLongest ? std::string(" | ") : std::string(1, letter);
  }
  return "\\fI" + roff(text) + "\\fR";
}

// "\fB\-o\fR, \fB\-\-output\fR \fIFILE\fR"
std::string flags(const OptionFacts& option) {
  std::string text;
  for (const std::string& letter : option.letters) text += (text.empty() ? "" : ", ") + ("\\fB\\-" + letter + "\\fR");
  for (const std::string& word : option.words) {
    text += (text.empty() ? "" : ", ") + ("\\fB\\-\\-" + roff(word) + "\\fR");
  }
  return option.value.empty() ? text : text + " " + value_of(option);
}

std::string paragraph(const std::string& term, const std::string& text) {
  return ".TP\n" + term + "\n" + roff(text) + "\n";
}

std::string synopsis(const CommandFacts& command) {
  std::string text;
  for (const std::string& part : usage_of(command)) text += (text.empty() ? "" : " ") + part;
  return ".SH SYNOPSIS\n\\fB" + roff(text) + "\\fR\n";
}

std::string options(const CommandFacts& command) {
  std::string text = ".SH OPTIONS\n";
  for (const GroupFacts& group : command.groups) {
    text += ".SS " + group.title + "\n";
    for (const OptionFacts& option : group.options) text += paragraph(flags(option), option.help);
  }
  return text;
}

std::string commands(const CommandFacts& command) {
  if (command.commands.empty()) return {};
  std::string text = ".SH COMMANDS\n";
  for (const CommandFacts& inner : command.commands) {
    text += paragraph("\\fB" + roff(man_page_name(inner)) + "\\fR(1)", inner.purpose);
  }
  return text;
}

std::string arguments(const CommandFacts& command) {
  if (command.arguments.empty()) return {};
  std::string text = ".SH ARGUMENTS\n";
  for (const OptionFacts& argument : command.arguments) {
    text += paragraph("\\fI" + roff(argument.values()) + "\\fR", argument.help);
  }
  return text;
}

// Preformatted lines.
std::string verbatim(const std::string& title, const std::string& lines, const std::string& margin) {
  return lines.empty() ? "" : ".SH " + title + "\n.nf\n" + margin + roff(lines) + "\n.fi\n";
}

std::string see_also(const CommandFacts& command, const CommandFacts& program) {
  if (&command == &program) return {};
  return ".SH SEE ALSO\n\\fB" + roff(program.name) + "\\fR(1)\n";
}

}  // namespace

std::string man_page_name(const CommandFacts& command) {
  std::string name = command.name;
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string man_page(const CommandFacts& command, const CommandFacts& program, const std::string& version) {
  const std::string name = roff(man_page_name(command));
  const std::string source = program.name + " " + version;
  return ".TH " + capitals(name) + " 1 \"\" \"" + source + "\" \"" + program.name + " manual\"\n.SH NAME\n" + name +
         " \\- " + roff(command.purpose) + "\n" + synopsis(command) + commands(command) + arguments(command) +
         options(command) + verbatim("NOTES", command.notes, {}) + verbatim("EXAMPLES", command.examples, kNoMargin) +
         see_also(command, program);
}

}  // namespace bertprep::cli
