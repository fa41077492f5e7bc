// Text in other encodings -> UTF-8, by ICU's converters.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace bertprep {

struct DecodeFault {
  std::size_t byte;   // the first byte that is invalid in the encoding
  bool is_truncated;  // the only fault: the bytes end within a character
};

class Decoder {
 public:
  // Any name or alias that ICU knows: "latin-1", "windows-1252", "cp866", "Shift_JIS". Throws ConfigError for others.
  explicit Decoder(const std::string& encoding);
  ~Decoder();
  Decoder(Decoder&&) noexcept;

  bool is_utf8() const;

  // Overwrites `text` with the decoded `bytes` up to their end or the first fault, without a byte order mark.
  std::optional<DecodeFault> decode(std::string_view bytes, std::string& text);

 private:
  struct Converter;
  std::unique_ptr<Converter> converter_;
};

}  // namespace bertprep
