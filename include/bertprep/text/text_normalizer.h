// TextNormalizer: your own changes to each document's text, before it is formatted.
//
//   class WithoutSoftHyphens final : public bertprep::TextNormalizer {
//    public:
//     std::string name() const override { return "without-soft-hyphens"; }
//     std::string version() const override { return "1"; }
//     void normalize(std::string& text) const override {
//       for (auto at = text.find("\u00AD"); at != text.npos; at = text.find("\u00AD", at)) text.erase(at, 2);
//     }
//   };
//
//   options.normalizer = std::make_shared<WithoutSoftHyphens>();
#pragma once

#include <string>

namespace bertprep {

// The base of all code of yours that a run calls: text normalizers, sentence splitters, tokenizers.
//
// Ownership: shared between you and the options. Threads: all threads of a run use one object at once, so const
// functions must be thread-safe; keep buffers inside the function or in thread_local variables. Errors: an exception
// ends the stage.
class TextComponent {
 public:
  virtual ~TextComponent() = default;

  // Both are part of the recipe and are compared when a run resumes: change the version whenever the results change.
  // They must be printable ASCII without line breaks, 1 to 100 characters; anything else throws ConfigError.
  virtual std::string name() const = 0;
  virtual std::string version() const = 0;
};

class TextNormalizer : public TextComponent {
 public:
  // Changes the text of one document, markup already removed: valid UTF-8, perhaps with line breaks. It must stay valid
  // UTF-8 (else FormatError); a document that becomes blank is left out and counted.
  virtual void normalize(std::string& text) const = 0;
};

// "NAME VERSION", as in recipes; only the name if there is no version.
std::string identity_of(const TextComponent& component);

// Throws ConfigError if the name or the version is missing or not allowed; `role` is "the sentence splitter".
void check_component(const TextComponent& component, const std::string& role);

}  // namespace bertprep
