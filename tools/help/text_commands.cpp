// help, completion and man: what a program says about itself.
#include <algorithm>
#include <cstdio>

#include "base/nearest_name.h"
#include "bertprep/version.h"
#include "help/command_facts.h"
#include "help/completion.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "io/pending_file.h"
#include "options/command.h"

namespace bertprep::cli {
namespace {

namespace fs = std::filesystem;

// "bertprep-vocab-train": the name of the page.
std::string man_page_name(const CommandFacts& command);

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
  const auto bold = [](const std::string& flag) { return "\\fB" + roff(flag) + "\\fR"; };
  const std::string text = joined(option.flags(), ", ", bold);
  return option.value.empty() ? text : text + " " + value_of(option);
}

std::string paragraph(const std::string& term, const std::string& text) {
  return ".TP\n" + term + "\n" + roff(text) + "\n";
}

std::string synopsis(const CommandFacts& command) {
  return ".SH SYNOPSIS\n\\fB" + roff(joined(usage_of(command), " ")) + "\\fR\n";
}

std::string options(const CommandFacts& command) {
  const auto of_option = [](const OptionFacts& option) { return paragraph(flags(option), option.help); };
  return ".SH OPTIONS\n" + joined(command.groups, "", [&](const GroupFacts& group) {
           return ".SS " + group.title + "\n" + joined(group.options, "", of_option);
         });
}

std::string commands(const CommandFacts& command) {
  if (command.commands.empty()) return {};
  return ".SH COMMANDS\n" + joined(command.commands, "", [](const CommandFacts& inner) {
           return paragraph("\\fB" + roff(man_page_name(inner)) + "\\fR(1)", inner.purpose);
         });
}

std::string arguments(const CommandFacts& command) {
  if (command.arguments.empty()) return {};
  return ".SH ARGUMENTS\n" + joined(command.arguments, "", [](const OptionFacts& argument) {
           return paragraph("\\fI" + roff(argument.values()) + "\\fR", argument.help);
         });
}

// Preformatted lines.
std::string verbatim(const std::string& title, const std::string& lines, const std::string& margin) {
  return lines.empty() ? "" : ".SH " + title + "\n.nf\n" + margin + roff(lines) + "\n.fi\n";
}

std::string see_also(const CommandFacts& command, const CommandFacts& program) {
  if (&command == &program) return {};
  return ".SH SEE ALSO\n\\fB" + roff(program.name) + "\\fR(1)\n";
}

std::string man_page_name(const CommandFacts& command) {
  std::string name = command.name;
  std::ranges::replace(name, ' ', '-');
  return name;
}

// The page of one command of `program` in section 1, for man(1). The program's own page lists its commands.
std::string man_page(const CommandFacts& command, const CommandFacts& program, const std::string& version) {
  const std::string name = roff(man_page_name(command));
  const std::string source = program.name + " " + version;
  return ".TH " + capitals(name) + " 1 \"\" \"" + source + "\" \"" + program.name + " manual\"\n.SH NAME\n" + name +
         " \\- " + roff(command.purpose) + "\n" + synopsis(command) + commands(command) + arguments(command) +
         options(command) + verbatim("NOTES", command.notes, {}) + verbatim("EXAMPLES", command.examples, kNoMargin) +
         see_also(command, program);
}

constexpr const char* kWhichCommand = "the command (default: the program itself)";

struct FoundCommand {
  const CLI::App* app;
  std::string name;  // "bertprep vocab train"
};

FoundCommand find_command(const CLI::App& program, const std::vector<std::string>& words) {
  FoundCommand found{&program, program.get_name()};
  for (const std::string& word : words) {
    std::vector<std::string> names;
    const CLI::App* next = nullptr;
    for (const CLI::App* command : found.app->get_subcommands([](const CLI::App*) { return true; })) {
      names.push_back(command->get_name());
      if (names.back() == word) next = command;
    }
    if (next == nullptr) {
      throw ConfigError("there is no command '" + word + "' in " + found.name + suggestion_text(word, names), {},
                        "'" + program.get_name() + " --help' lists the commands");
    }
    found = {next, found.name + " " + word};
  }
  return found;
}

// A page of another program or of the user's is not replaced.
void refuse_other_page(const fs::path& file, const std::string& program) {
  if (!fs::exists(fs::symlink_status(file))) return;
  const std::string hint = "move it away, or choose another folder with -o";
  if (!fs::is_regular_file(file)) throw FormatError("is not a file", file, hint);
  const std::string text = read_file(file);
  const std::string title = text.substr(0, text.find('\n'));
  if (title.starts_with(".TH ") && title.ends_with("\"" + program + " manual\"")) return;
  throw FormatError("exists, and " + program + " did not make it", file, hint);
}

void write_pages(const fs::path& folder, const CommandFacts& program) {
  const auto file_of = [&](const CommandFacts& command) { return folder / (man_page_name(command) + ".1"); };
  const auto commands = all_commands(program);
  for (const CommandFacts* command : commands) refuse_other_page(file_of(*command), program.name);
  make_folders(folder);
  remove_abandoned_files(folder);
  for (const CommandFacts* command : commands) {
    publish_bytes(file_of(*command), folder, man_page(*command, program, kVersion));
  }
}

class HelpCommand final : public Command {
 public:
  explicit HelpCommand(CLI::App& self) : Command(self) {
    add_argument("command", words_, "COMMAND", kWhichCommand);
    app().fallthrough(false);
  }

  int run(Console&) override {
    const FoundCommand found = find_command(*app().get_parent(), words_);
    const auto formatter = found.app->get_formatter();
    std::fputs(formatter->make_help(found.app, found.name, CLI::AppFormatMode::All).c_str(), stdout);
    return kDone;
  }

 private:
  std::vector<std::string> words_;
};

class CompletionCommand final : public Command {
 public:
  explicit CompletionCommand(CLI::App& self) : Command(self) {
    add_argument("shell", shell_, std::string(kShells), "the shell that reads the script")->required();
    app().fallthrough(false);
  }

  int run(Console&) override {
    const CLI::App& program = *app().get_parent();
    std::fputs(completion_script(facts_of(program, program.get_name()), shell_).c_str(), stdout);
    return kDone;
  }

 private:
  std::string shell_;
};

class ManCommand final : public Command {
 public:
  explicit ManCommand(CLI::App& self) : Command(self) {
    add_argument("command", words_, "COMMAND", kWhichCommand);
    add_option("-o,--output", folder_, "DIR", OptionGroup::kOutput,
               "write the pages of all commands into this folder instead");
    app().fallthrough(false);
  }

  int run(Console&) override {
    const CLI::App& app_of_program = *app().get_parent();
    const CommandFacts program = facts_of(app_of_program, app_of_program.get_name());
    if (!folder_.empty()) {
      write_pages(folder_, program);
      return kDone;
    }
    const std::string name = find_command(app_of_program, words_).name;
    for (const CommandFacts* command : all_commands(program)) {
      if (command->name == name) std::fputs(man_page(*command, program, kVersion).c_str(), stdout);
    }
    return kDone;
  }

 private:
  std::vector<std::string> words_;
  std::filesystem::path folder_;
};

constexpr CommandEntry kTextCommands[] = {{"help", make_command<HelpCommand>},
                                          {"completion", make_command<CompletionCommand>},
                                          {"man", make_command<ManCommand>}};

}  // namespace

std::span<const CommandEntry> text_commands() {
  return kTextCommands;
}

}  // namespace bertprep::cli
