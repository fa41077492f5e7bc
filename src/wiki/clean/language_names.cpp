#include "wiki/clean/language_names.h"

#include <algorithm>
#include <array>
#include <utility>

namespace bertprep::clean {
namespace {

using Entry = std::pair<std::string_view, std::string_view>;

// clang-format off
constexpr std::array kNames = std::to_array<Entry>({
    {"ab", "Abkhaz"}, {"af", "Afrikaans"}, {"akk", "Akkadian"}, {"am", "Amharic"}, {"an", "Aragonese"},
    {"ang", "Old English"}, {"ar", "Arabic"}, {"arc", "Aramaic"}, {"ary", "Moroccan Arabic"},
    {"arz", "Egyptian Arabic"}, {"as", "Assamese"}, {"ast", "Asturian"}, {"av", "Avar"}, {"ay", "Aymara"},
    {"az", "Azerbaijani"}, {"ba", "Bashkir"}, {"ban", "Balinese"}, {"be", "Belarusian"}, {"ber", "Berber"},
    {"bg", "Bulgarian"}, {"bn", "Bengali"}, {"bo", "Tibetan"}, {"br", "Breton"}, {"bs", "Bosnian"}, {"ca", "Catalan"},
    {"ce", "Chechen"}, {"ceb", "Cebuano"}, {"ch", "Chamorro"}, {"chr", "Cherokee"}, {"ckb", "Sorani Kurdish"},
    {"co", "Corsican"}, {"cop", "Coptic"}, {"cr", "Cree"}, {"crh", "Crimean Tatar"}, {"cs", "Czech"},
    {"cu", "Church Slavonic"}, {"cv", "Chuvash"}, {"cy", "Welsh"}, {"da", "Danish"}, {"de", "German"},
    {"dsb", "Lower Sorbian"}, {"dv", "Dhivehi"}, {"dz", "Dzongkha"}, {"el", "Greek"}, {"en", "English"},
    {"enm", "Middle English"}, {"eo", "Esperanto"}, {"es", "Spanish"}, {"et", "Estonian"}, {"eu", "Basque"},
    {"fa", "Persian"}, {"fi", "Finnish"}, {"fil", "Filipino"}, {"fj", "Fijian"}, {"fo", "Faroese"}, {"fr", "French"},
    {"fro", "Old French"}, {"frr", "North Frisian"}, {"fur", "Friulian"}, {"fy", "West Frisian"}, {"ga", "Irish"},
    {"gd", "Scottish Gaelic"}, {"gez", "Ge'ez"}, {"gl", "Galician"}, {"gn", "Guarani"}, {"goh", "Old High German"},
    {"got", "Gothic"}, {"grc", "Ancient Greek"}, {"gsw", "Swiss German"}, {"gu", "Gujarati"}, {"gv", "Manx"},
    {"ha", "Hausa"}, {"haw", "Hawaiian"}, {"he", "Hebrew"}, {"hi", "Hindi"}, {"hr", "Croatian"},
    {"hsb", "Upper Sorbian"}, {"ht", "Haitian Creole"}, {"hu", "Hungarian"}, {"hy", "Armenian"},
    {"ia", "Interlingua"}, {"id", "Indonesian"}, {"ig", "Igbo"}, {"io", "Ido"}, {"is", "Icelandic"},
    {"it", "Italian"}, {"iu", "Inuktitut"}, {"ja", "Japanese"}, {"jv", "Javanese"}, {"ka", "Georgian"},
    {"kk", "Kazakh"}, {"kl", "Greenlandic"}, {"km", "Khmer"}, {"kn", "Kannada"}, {"ko", "Korean"}, {"ku", "Kurdish"},
    {"kw", "Cornish"}, {"ky", "Kyrgyz"}, {"la", "Latin"}, {"lb", "Luxembourgish"}, {"li", "Limburgish"},
    {"lij", "Ligurian"}, {"lmo", "Lombard"}, {"lo", "Lao"}, {"lt", "Lithuanian"}, {"ltg", "Latgalian"},
    {"lv", "Latvian"}, {"mg", "Malagasy"}, {"mi", "Māori"}, {"mk", "Macedonian"}, {"ml", "Malayalam"},
    {"mn", "Mongolian"}, {"mr", "Marathi"}, {"ms", "Malay"}, {"mt", "Maltese"}, {"my", "Burmese"}, {"nah", "Nahuatl"},
    {"nap", "Neapolitan"}, {"nb", "Norwegian Bokmål"}, {"nds", "Low German"}, {"ne", "Nepali"}, {"nl", "Dutch"},
    {"nn", "Norwegian Nynorsk"}, {"no", "Norwegian"}, {"non", "Old Norse"}, {"nv", "Navajo"}, {"oc", "Occitan"},
    {"odt", "Old Dutch"}, {"om", "Oromo"}, {"or", "Odia"}, {"os", "Ossetian"}, {"ota", "Ottoman Turkish"},
    {"pa", "Punjabi"}, {"pap", "Papiamento"}, {"peo", "Old Persian"}, {"pi", "Pali"}, {"pl", "Polish"},
    {"pms", "Piedmontese"}, {"pnb", "Western Punjabi"}, {"ps", "Pashto"}, {"pt", "Portuguese"}, {"qu", "Quechua"},
    {"rm", "Romansh"}, {"ro", "Romanian"}, {"rom", "Romani"}, {"ru", "Russian"}, {"rue", "Rusyn"}, {"rus", "Russian"},
    {"rw", "Kinyarwanda"}, {"sa", "Sanskrit"}, {"sah", "Yakut"}, {"sc", "Sardinian"}, {"scn", "Sicilian"},
    {"sco", "Scots"}, {"sd", "Sindhi"}, {"se", "Northern Sami"}, {"sh", "Serbo-Croatian"}, {"si", "Sinhala"},
    {"sk", "Slovak"}, {"sl", "Slovene"}, {"sm", "Samoan"}, {"sn", "Shona"}, {"so", "Somali"}, {"sq", "Albanian"},
    {"sr", "Serbian"}, {"st", "Sotho"}, {"su", "Sundanese"}, {"sv", "Swedish"}, {"sw", "Swahili"}, {"syc", "Syriac"},
    {"syr", "Syriac"}, {"szl", "Silesian"}, {"ta", "Tamil"}, {"te", "Telugu"}, {"tet", "Tetum"}, {"tg", "Tajik"},
    {"th", "Thai"}, {"ti", "Tigrinya"}, {"tk", "Turkmen"}, {"tl", "Tagalog"}, {"to", "Tongan"}, {"tr", "Turkish"},
    {"tt", "Tatar"}, {"ty", "Tahitian"}, {"ug", "Uyghur"}, {"uk", "Ukrainian"}, {"ur", "Urdu"}, {"uz", "Uzbek"},
    {"vec", "Venetian"}, {"vi", "Vietnamese"}, {"wa", "Walloon"}, {"wo", "Wolof"}, {"xal", "Kalmyk"},
    {"xcl", "Classical Armenian"}, {"xh", "Xhosa"}, {"yi", "Yiddish"}, {"yo", "Yoruba"}, {"yua", "Yucatec Maya"},
    {"yue", "Cantonese"}, {"zh", "Chinese"}, {"zu", "Zulu"},
});
// clang-format on

static_assert(std::is_sorted(kNames.begin(), kNames.end()));

}  // namespace

std::string_view language_name(std::string_view code) {
  const auto find = [](std::string_view wanted) {
    const auto found = std::lower_bound(kNames.begin(), kNames.end(), wanted,
                                        [](const Entry& entry, std::string_view name) { return entry.first < name; });
    return found != kNames.end() && found->first == wanted ? found->second : std::string_view();
  };
  const std::string_view name = find(code);
  return name.empty() && code.find('-') != std::string_view::npos ? find(code.substr(0, code.find('-'))) : name;
}

}  // namespace bertprep::clean
