#include "report/html.h"

#include <cmath>

#include "base/number_text.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr std::string_view kPageStyle = R"css(
:root{--bg:#f5f6f8;--card:#fff;--ink:#1b1f27;--soft:#5f6875;--line:#dfe2e8;--blue:#2f6bd8;--teal:#12836d;
--orange:#c25a12;--violet:#7a45c4;--pale:#c9d8f5;--red:#c02b2b;--amber:#96650a;--green:#1d7a3f;
--red-bg:#fdecea;--amber-bg:#fdf3dc;--green-bg:#e5f4ea;--orange-bg:#fce6d5;--violet-bg:#ece0fa;--teal-bg:#d8f0ea;
--a:#eaf0fb;--b:#f3eee2}
@media (prefers-color-scheme:dark){:root{--bg:#12151a;--card:#1b1f26;--ink:#e7eaf0;--soft:#9ba4b1;--line:#303641;
--blue:#6fa1ff;--teal:#4fc3a6;--orange:#f2a065;--violet:#ba98f0;--pale:#32456b;--red:#ff8a80;--amber:#eec25c;
--green:#6fcf8e;--red-bg:#3a1d1e;--amber-bg:#362b13;--green-bg:#17301f;--orange-bg:#45280f;--violet-bg:#352450;
--teal-bg:#123a32;
--a:#202a3c;--b:#2d2a20}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1180px;padding:24px 20px 48px;background:var(--bg);color:var(--ink);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif;overflow-wrap:break-word}
h1{font-size:26px;line-height:1.2;margin:0 0 4px}h2{font-size:18px;margin:36px 0 12px}
.soft{color:var(--soft)}.path{font:13px/1.5 ui-monospace,"DejaVu Sans Mono",monospace;color:var(--soft);
overflow-wrap:anywhere}
.set+.set{border-top:2px solid var(--line);margin-top:48px;padding-top:32px}
.grid{display:grid;gap:16px;grid-template-columns:repeat(auto-fill,minmax(min(100%,320px),1fr))}
.halves{grid-template-columns:repeat(auto-fill,minmax(min(100%,440px),1fr))}
.tiles{display:grid;gap:10px;grid-template-columns:repeat(auto-fit,minmax(132px,1fr));margin:20px 0 0}
.tiles div,.card{background:var(--card);border:1px solid var(--line);border-radius:10px}
.tiles div{padding:10px 14px}.tiles dt{font-size:13px;color:var(--soft)}
.tiles dd{margin:0;font-size:22px;font-weight:650;line-height:1.3;font-variant-numeric:tabular-nums}
.card{margin:0;padding:14px 16px;min-width:0}
figcaption b{display:block;font-size:15px}figcaption span{display:block;font-size:13px;color:var(--soft);
margin-bottom:8px}
svg{display:block;width:100%;height:auto}svg text{font-size:11px;fill:var(--soft);font-family:inherit}
.l{stroke:var(--line)}.g{stroke:var(--orange);stroke-dasharray:4 3;fill:none}.gt{fill:var(--orange)!important}
.c0{fill:var(--blue)}.c1{fill:var(--teal)}.c2{fill:var(--orange)}.c3{fill:var(--violet)}.c4{fill:var(--pale)}
.c5{fill:var(--line)}
.k{stroke:var(--blue);fill:none;stroke-width:2;stroke-linejoin:round}.w{stroke:var(--soft);stroke-width:1}
.key{display:flex;flex-wrap:wrap;gap:2px 16px;margin:10px 0 0;padding:0;list-style:none;font-size:13px}
.key svg{display:inline-block;width:10px;height:10px;margin-right:6px}.key b{font-weight:600}
.bars{width:100%;border-collapse:collapse;font-size:13px}.bars td{padding:2px 0;vertical-align:middle}
.bars td:first-child{max-width:140px;padding-right:10px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.bars td:nth-child(2){width:50%}.bars td:last-child{padding-left:10px;text-align:right;white-space:nowrap;
font-variant-numeric:tabular-nums;color:var(--soft)}.bars svg{height:10px}
.said{list-style:none;margin:0;padding:0;display:grid;gap:10px;grid-template-columns:minmax(0,1fr)}
.said li{border:1px solid var(--line);border-left:5px solid var(--soft);
border-radius:8px;padding:10px 14px;background:var(--card)}
.said .bad{border-left-color:var(--red)}.said .warn{border-left-color:var(--amber)}
.said .ok{border-left-color:var(--green)}
.said p{margin:2px 0}.tag{display:inline-block;border-radius:5px;padding:0 7px;margin-right:8px;font-size:12px;
font-weight:650;line-height:20px}
.bad .tag{background:var(--red-bg);color:var(--red)}.warn .tag{background:var(--amber-bg);color:var(--amber)}
.ok .tag{background:var(--green-bg);color:var(--green)}.note .tag{background:var(--bg);color:var(--soft)}
code{font:13px/1.5 ui-monospace,"DejaVu Sans Mono",monospace;background:var(--bg);border-radius:4px;padding:1px 5px;
overflow-wrap:anywhere}
.facts{width:100%;border-collapse:collapse;font-size:13px}.facts td{padding:3px 0;border-bottom:1px solid var(--line);
vertical-align:top}
.facts tr:last-child td{border-bottom:0}.facts td:first-child{color:var(--soft);padding-right:16px;white-space:nowrap;
width:1%}
.facts td:last-child{overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
.row{margin:0 0 12px}.row header{display:flex;flex-wrap:wrap;gap:2px 12px;font-size:13px;color:var(--soft);
margin-bottom:6px}
.row header b{color:var(--ink);font-weight:600;overflow-wrap:anywhere}.row p{margin:0 0 4px;padding:5px 10px;
border-radius:6px;line-height:1.75}
.sa{background:var(--a)}.sb{background:var(--b)}.x{color:var(--soft)}
.m,.r,.e{border-radius:5px;padding:1px 4px;white-space:nowrap;unicode-bidi:isolate}.m{background:var(--orange-bg)}
.r{background:var(--violet-bg)}
.e{background:var(--teal-bg)}.m i{color:var(--soft);font-style:normal;font-size:12px}.r i{font-style:normal;
text-decoration:line-through;color:var(--soft)}
.m b{color:var(--orange)}.r b{color:var(--violet)}.e b{color:var(--teal)}.row b{font-weight:650}
footer{margin-top:40px;font-size:13px;color:var(--soft)}
@media (max-width:520px){body{padding:16px 12px 32px}h1{font-size:22px}.tiles{grid-template-columns:repeat(2,1fr)}
.tiles dd{font-size:19px}.tiles div:last-child:nth-child(odd){grid-column:span 2}
.facts td:first-child{white-space:normal;width:42%}}
@media print{body{max-width:none;background:#fff}.card,.said li{break-inside:avoid}.card.row{break-inside:auto}
h2,.row header{break-after:avoid}p{orphans:3;widows:3}.grid{grid-template-columns:repeat(2,minmax(0,1fr));gap:8px}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
)css";

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// At the front of `text`: marks that change the direction of text, U+202A to U+202E and U+2066 to U+2069. Data must not
// rearrange the page.
bool begins_with_turn(std::string_view text) {
  if (text.size() < 3 || text[0] != '\xE2') return false;
  const auto last = static_cast<unsigned char>(text[2]);
  return (text[1] == '\x80' && last >= 0xAA && last <= 0xAE) || (text[1] == '\x81' && last >= 0xA6 && last <= 0xA9);
}

std::string valid_text(std::string_view text) {
  std::string valid;
  while (const auto fault = find_invalid_utf8(text)) {
    valid.append(text.substr(0, *fault)).append(kReplacement);
    text.remove_prefix(*fault + 1);
  }
  return valid.append(text);
}

}  // namespace

std::string escaped(std::string_view text) {
  const std::string valid = valid_text(text);
  std::string html;
  html.reserve(valid.size());
  for (std::size_t i = 0; i < valid.size(); ++i) {
    const char c = valid[i];
    const auto byte = static_cast<unsigned char>(c);
    const bool is_c1 = c == '\xC2' && i + 1 < valid.size() && static_cast<unsigned char>(valid[i + 1]) < 0xA0;
    if (c == '&') {
      html += "&amp;";
    } else if (c == '<') {
      html += "&lt;";
    } else if (c == '>') {
      html += "&gt;";
    } else if (c == '"') {
      html += "&quot;";
    } else if (c == '\'') {
      html += "&#39;";
    } else if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F) {
      html += kReplacement;
    } else if (is_c1) {
      html += kReplacement;
      ++i;
    } else if (begins_with_turn(std::string_view(valid).substr(i))) {
      html += kReplacement;
      i += 2;
    } else {
      html += c;
    }
  }
  return html;
}

std::string element(std::string_view tag, std::string_view css_class, std::string_view content) {
  std::string html = "<" + std::string(tag);
  if (!css_class.empty()) html += " class=\"" + std::string(css_class) + "\"";
  return html.append(">").append(content).append("</").append(tag).append(">");
}

std::string fact_row(std::string_view name, std::string_view value) {
  return "<tr>" + element("td", "", escaped(name)) + element("td", "", escaped(value)) + "</tr>";
}

std::string svg_number(double value) {
  const std::string digits = rounded(value, 2);
  return digits == "-0" ? "0" : digits;
}

HtmlFrame html_frame(std::string_view title) {
  return {
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n" +
          std::string(kPageGenerator) + "\n<title>" + escaped(title) + "</title>\n<style>" + std::string(kPageStyle) +
          "</style>\n</head>\n<body>\n<main>\n",
      "</main>\n</body>\n</html>\n"};
}

}  // namespace bertprep
