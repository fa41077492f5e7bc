// Text in other encodings -> UTF-8, by ICU's converters.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace bertprep {

// HZ: Chinese text as 7-bit characters (RFC 1843).

// The bytes in EUC-CN (GB 2312), which converters know. ICU's own converter for HZ takes "~}~{" for an error.
std::string euc_from_hz(std::string_view bytes);

struct DecodeFault {
  std::size_t byte;  // the first that the encoding does not have
  bool is_cut;       // no fault but that the bytes end within a character
};

class Decoder {
 public:
  // Any name or alias that ICU knows: "latin-1", "windows-1252", "cp866", "Shift_JIS". Throws ConfigError for others.
  explicit Decoder(const std::string& encoding);
  ~Decoder();
  Decoder(Decoder&&) noexcept;

  bool is_utf8() const;

  // Overwrites `text` with what `bytes` say up to their end or the first fault. A byte order mark is left out.
  std::optional<DecodeFault> decode(std::string_view bytes, std::string& text);

 private:
  struct Converter;
  std::unique_ptr<Converter> converter_;
};

}  // namespace bertprep
