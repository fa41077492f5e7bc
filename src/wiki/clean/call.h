// TemplateCall: the arguments of a template, rendered when they are asked for, each at most once; and what a
// description in a language's table makes of them.
#pragma once

#include "wiki/clean/language_table.h"
#include "wiki/clean/render.h"

namespace bertprep::clean {

class TemplateCall {
 public:
  // `name` in its normal form (normal_name); `arguments` is what follows the first bar.
  TemplateCall(Renderer& renderer, std::string name, std::optional<Span> arguments, int depth);

  const std::string& name() const { return name_; }
  std::string_view language() const { return renderer_.language(); }
  bool is_english() const { return language() == "en" || language() == "simple"; }
  const LanguageTable& table() const { return renderer_.table(); }
  std::string_view title() const { return renderer_.title(); }
  const WikiSite& site() const { return renderer_.site(); }

  // Arguments without a name, counted from 1; `2=x` is number 2. Trimmed; empty when absent.
  std::size_t count() const { return count_; }
  const std::string& at(std::size_t number);
  const std::string& named(std::string_view name);
  // The same, without being taken for read (has_unread).
  const std::string& seen(std::string_view name);
  bool has(std::string_view name);
  // Whether no argument but those without a name and `names` has a text.
  bool has_only(std::initializer_list<std::string_view> names);
  // The first of `names` that has a text.
  const std::string& any_of(std::initializer_list<std::string_view> names);
  // The last unnamed argument that has a text.
  const std::string& last();
  // Text with character references read and apostrophes of bold and italics gone: for numbers and codes.
  std::string plain(std::size_t number);
  std::string plain(std::string_view name);

  // Says that readers see nothing of the arguments `names` (parted by blanks; "*" is all), whatever they hold.
  void ignore(std::string_view names);
  // Whether an argument with a text was not asked for, is not ignored, and may change what readers see: then what was
  // written may be another text than theirs.
  bool has_unread();

 private:
  struct Argument {
    std::string name;
    Span value;
    std::optional<std::string> text;
    bool is_read = false;
  };

  const std::string& text_of(Argument& argument);

  Renderer& renderer_;
  std::string name_;
  std::vector<Argument> arguments_;
  std::size_t count_ = 0;
  bool is_too_long_ = false;
  int depth_;
};

// Appends what a reader sees of the call: nothing when it lacks an argument that is not optional. `name` is the
// template's name as the page writes it.
void write_description(TemplateCall& call, const Description& description, std::string_view name, std::string& out);

}  // namespace bertprep::clean
