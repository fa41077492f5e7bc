#include "wiki/clean/markup/links.h"

#include <algorithm>
#include <array>

#include "wiki/clean/markup/chars.h"

namespace bertprep::clean {
namespace {

constexpr std::size_t kLongestTarget = 1000;  // bounds the depth of "w:s:w:..."
constexpr std::size_t kLongestName = 40;
constexpr std::size_t kLongestFileLine = 120;
constexpr std::string_view kFileKey = "6";
constexpr std::string_view kCategoryKey = "14";

// Names of files and categories in many wikis, for dumps that do not list their namespaces. English ones count
// everywhere.
constexpr std::array kDroppedNames = std::to_array<std::string_view>({
    "file",       "image",      "category",  "media",      "img",      "timedtext",   "datei",     "bild",
    "kategorie",                                           // German
    "fichier",    "catégorie",                             // French
    "immagine",   "categoria",                             // Italian, Spanish, Portuguese, Catalan
    "archivo",    "imagen",     "categoría",               // Spanish
    "ficheiro",   "imagem",     "arquivo",   "imaxe",      // Portuguese, Galician
    "fitxer",     "imatge",                                // Catalan
    "bestand",    "afbeelding", "categorie", "lêer",       // Dutch, Afrikaans, Romanian
    "fil",        "kategori",                              // Scandinavian, Turkish, Indonesian
    "tiedosto",   "kuva",       "luokka",                  // Finnish
    "plik",       "grafika",    "kategoria",               // Polish
    "soubor",     "súbor",      "obrázok",   "kategória",  // Czech, Slovak, Hungarian
    "fájl",       "kép",                                   // Hungarian
    "fișier",     "fişier",     "imagine",                 // Romanian
    "dosya",      "resim",      "berkas",    "gambar",     "tập tin",  "hình",        "thể loại",  "slika",
    "datoteka",   "kategorija", "vaizdas",   "attēls",     "fails",    "kategoreja",  "pilt",      "fitxategi",
    "irudi",      "mynd",       "skrá",      "flokkur",    "dosiero",  "fasciculus",  "imago",     "íomhá",
    "catagóir",   "fayl",       "şəkil",     "kateqoriya", "файл",     "изображение", "категория", "зображення",
    "категорія",  "файлы",      "выява",     "катэгорыя",  "картинка", "слика",       "датотека",  "податотека",
    "категорија", "сурет",      "санат",     "зураг",      "ангилал",  "αρχείο",      "εικόνα",    "κατηγορία",
    "պատկեր",     "կատեգորիա",  "ფაილი",     "კატეგორია",  "קובץ",     "תמונה",       "קטגוריה",   "ملف",
    "صورة",       "تصنيف",      "پرونده",    "تصویر",      "رده",      "زمرہ",        "ファイル",  "画像",
    "カテゴリ",   "文件",       "檔案",      "图像",       "圖像",     "分类",        "分類",      "파일",
    "그림",       "분류",       "चित्र",      "श्रेणी",       "চিত্র",     "বিষয়শ্রেণী",   "படிமம்",     "பகுப்பு",
    "ไฟล์",        "ภาพ",        "หมวดหมู่",    "ചിത്രം",      "വർഗ്ഗം",    "దస్త్రం",       "వర్గం",
});

constexpr std::array kWikiNames = std::to_array<std::string_view>({
    "wikipedia",     "wp",        "project",   "help",       "user",
    "template",      "portal",    "special",   "mediawiki",  "module",
    "draft",         "book",      "talk",      "user talk",  "wikipedia talk",
    "template talk", "help talk", "file talk", "image talk", "category talk",
    "portal talk",   "topic",
});

// Sister projects and other sites: the title is shown without them.
constexpr std::array kSiteNames = std::to_array<std::string_view>({
    "w",           "wikt",
    "wiktionary",  "s",
    "wikisource",  "q",
    "wikiquote",   "b",
    "wikibooks",   "n",
    "wikinews",    "v",
    "wikiversity", "voy",
    "wikivoyage",  "species",
    "wikispecies", "commons",
    "c",           "m",
    "meta",        "metawikipedia",
    "mw",          "d",
    "wikidata",    "foundation",
    "wmf",         "phab",
    "bugzilla",    "incubator",
    "doi",         "hdl",
    "isbn",        "rfc",
    "imdbname",    "imdbtitle",
    "iarchive",    "google",
    "wikia",       "choralwiki",
    "wikilivres",  "oclc",
    "arxiv",
});

constexpr std::array kLongLanguages = std::to_array<std::string_view>({
    "simple",   "be-x-old",     "be-tarask", "zh-yue",  "zh-min-nan", "zh-classical", "bat-smg",   "roa-rup",
    "roa-tara", "fiu-vro",      "nds-nl",    "map-bms", "cbk-zam",    "tokipona",     "ru-sib",    "zh-tw",
    "zh-cn",    "closed-zh-tw", "nostalgia", "test",    "minnan",     "zh-cfr",       "de-formal", "en-simple",
});

template <typename Names>
bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Wikipedia's languages have codes of two or three letters, and some longer ones.
bool is_language(std::string_view prefix) {
  if (contains(kLongLanguages, prefix)) return true;
  return (prefix.size() == 2 || prefix.size() == 3) &&
         std::all_of(prefix.begin(), prefix.end(), [](char byte) { return byte >= 'a' && byte <= 'z'; });
}

// "X.jpg", whatever the name of the namespace before it.
bool has_file_ending(std::string_view title) {
  constexpr auto kEndings = std::to_array<std::string_view>({"jpg", "jpeg", "png", "svg", "gif", "tif", "tiff", "webp",
                                                             "ogg", "oga", "ogv", "webm", "wav", "mid", "pdf", "djvu"});
  const std::size_t dot = title.rfind('.');
  return dot != std::string_view::npos && contains(kEndings, normal_name(title.substr(dot + 1)));
}

bool is_namespace(const WikiSite& site, std::string_view name, std::string_view& key) {
  if (name.empty()) return false;
  for (const auto& [known, digits] : site.namespaces) {
    if (normal_name(known) == name) {
      key = digits;
      return true;
    }
  }
  return false;
}

std::string without_section(std::string_view title) {
  const std::size_t hash = title.find('#');
  if (hash == std::string_view::npos) return std::string(title);
  return std::string(trim(hash == 0 ? title.substr(1) : title.substr(0, hash)));
}

}  // namespace

LinkTarget read_target(std::string_view target, const WikiSite& site) {
  target = trim(target);
  if (equals_in_any_case(target, "#top")) return {LinkKind::kNothing, {}};
  if (target.size() > kLongestTarget) return {LinkKind::kTitle, std::string(target)};
  const bool has_colon = target.starts_with(':');  // [[:File:x]] is a link to the file's page
  if (has_colon) target = trim(target.substr(1));
  const std::size_t colon = target.find(':');
  if (colon == std::string_view::npos || colon == 0) return {LinkKind::kTitle, without_section(target)};
  const std::string_view written = trim(target.substr(0, colon));
  const std::string_view rest = trim(target.substr(colon + 1));
  const std::string prefix = normal_name(written);
  std::string_view key;
  if (contains(kDroppedNames, prefix) || has_file_ending(rest))
    return {has_colon ? LinkKind::kLabelOnly : LinkKind::kNothing, {}};
  if (is_namespace(site, prefix, key)) {
    const bool is_dropped = key == kFileKey || key == kCategoryKey;
    return {is_dropped && !has_colon ? LinkKind::kNothing : LinkKind::kLabelOnly, {}};
  }
  if (contains(kWikiNames, prefix)) return {LinkKind::kLabelOnly, {}};
  if (contains(kSiteNames, prefix) && rest.size() == target.size() - colon - 1) {
    const LinkTarget inner = read_target(rest.substr(rest.starts_with(':') ? 1 : 0), site);
    return {LinkKind::kTitle, inner.kind == LinkKind::kTitle ? inner.shown : std::string()};
  }
  if (is_language(written) && rest.size() == target.size() - colon - 1) {
    return {has_colon ? LinkKind::kTitle : LinkKind::kNothing, without_section(rest)};
  }
  return {LinkKind::kTitle, without_section(target)};
}

bool is_file_line(std::string_view line) {
  line = line.substr(std::min(line.find_first_not_of("[ "), line.size()));
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon > kLongestName) return false;
  if (!contains(kDroppedNames, normal_name(line.substr(0, colon)))) return false;
  if (line.size() <= kLongestFileLine && colon + 1 < line.size() && !is_blank(line[colon + 1])) return true;
  const std::size_t bar = std::min(line.find('|'), line.size());
  const std::size_t dot = line.substr(0, bar).rfind('.');
  if (dot == std::string_view::npos || dot < colon) return false;
  const std::string_view ending = trim(line.substr(dot + 1, bar - dot - 1));
  return ending.size() >= 3 && ending.size() <= 4 && std::all_of(ending.begin(), ending.end(), is_word_byte);
}

bool looks_like_category(std::string_view target) {
  const std::size_t colon = target.find(':');
  return colon != std::string_view::npos && colon > 0 && colon + 1 < target.size() && !is_blank(target[colon + 1]);
}

std::string short_title(std::string_view title) {
  const std::size_t bracket = title.rfind('(');
  if (bracket != std::string_view::npos && bracket > 0 && trim_right(title).ends_with(')')) {
    return std::string(trim(title.substr(0, bracket)));
  }
  return std::string(trim(title.substr(0, title.find(", "))));
}

}  // namespace bertprep::clean
