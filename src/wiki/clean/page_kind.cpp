#include "wiki/clean/page_kind.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_set>

#include "wiki/clean/markup/chars.h"

namespace bertprep::clean {
namespace {

constexpr std::size_t kLongestName = 90;

constexpr std::array kRedirectWords = std::to_array<std::string_view>({
    "redirect",
    "weiterleitung",
    "redirection",
    "rinvia",
    "rinvio",
    "redirección",
    "redirecciona",
    "redirecionamento",
    "doorverwijzing",
    "przekieruj",
    "patrz",
    "tam",
    "перенаправление",
    "перенапр",
    "перенаправлення",
    "omdirigering",
    "omdiriger",
    "ohjaus",
    "uudelleenohjaus",
    "přesměruj",
    "presmeruj",
    "átirányítás",
    "redirecteaza",
    "yönlendir",
    "yönlendi̇rme",
    "yönlendirme",
    "ανακατευθυνση",
    "הפניה",
    "تحويل",
    "تغییر مسیر",
    "تغییر_مسیر",
    "転送",
    "リダイレクト",
    "重定向",
    "넘겨주기",
    "đổi",
    "alih",
    "preusmjeri",
    "преусмери",
    "пренасочване",
    "виж",
    "suuna",
    "birzuzendu",
    "redireccion",
    "redireccioneu",
    "адкіраванне",
    "өтек",
    "гадама",
    "पुनर्प्रेषित",
    "aðal",
    "tilvísun",
    "athsheoladh",
});

const std::unordered_set<std::string_view>& disambiguation_templates() {
  static const std::unordered_set<std::string_view> kTemplates = {
      "disambig",
      "disambiguation",
      "disamb",
      "dab",
      "disam",
      "hndis",
      "geodis",
      "surname",
      "given name",
      "mathdab",
      "schooldis",
      "roaddis",
      "numberdis",
      "hospitaldis",
      "callsigndis",
      "airport disambig",
      "shipindex",
      "sia",
      "setindex",
      "letter-numbercombdisambig",
      "mountainindex",
      "mil-unit-dis",
      "wikipedia disambiguation",
      "disambiguation page",
      "numdab",
      "letterdab",
      "placenamedab",
      "namedab",
      "hndab",
      "geodab",
      "biology disambiguation",
      "nickname",
      "surname disambiguation",
      "forename",
      "bigdisambig",
      "dbig",
      "disambig cleanup",
      "disambigcleanup",
      "begriffsklärung",
      "bkl",
      "falschschreibung",
      "homonymie",
      "homonyme",
      "patronyme",
      "paronymie",
      "toponymie",
      "arrondissements homonymes",
      "disambigua",
      "desambiguación",
      "desambiguacion",
      "desambig",
      "desambiguação",
      "desambiguacao",
      "dp",
      "dpintro",
      "dpcat",
      "doorverwijspagina",
      "ujednoznacznienie",
      "неоднозначность",
      "многозначность",
      "disambig-l",
      "список однофамильцев",
      "однофамильцы",
      "неоднозначные сокращения",
      "неоднозначність",
      "багатозначність",
      "прізвище",
      "förgrening",
      "gren",
      "betydelselista",
      "efternamn",
      "peker",
      "pekerside",
      "tobokstavsforkortelse",
      "flertydig",
      "täsmennyssivu",
      "täsmennys",
      "rozcestník",
      "rozlišovacia stránka",
      "egyért",
      "egyértelmű",
      "egyértelműsítő lap",
      "dezambiguizare",
      "anlam ayrımı",
      "anlamayrimi",
      "αποσαφήνιση",
      "פירושונים",
      "توضيح",
      "ابهام‌زدایی",
      "ابهام زدایی",
      "aimai",
      "曖昧さ回避",
      "人名の曖昧さ回避",
      "地名の曖昧さ回避",
      "消歧义",
      "消歧義",
      "消歧義頁",
      "동음이의",
      "동명이인",
      "동음이의어문서",
      "desambiguació",
      "argipen",
      "homónimos",
      "razdvojba",
      "višeznačna odrednica",
      "вишезначна одредница",
      "пояснение",
      "nuorodinis",
      "nuorodinis straipsnis",
      "nozīmju atdalīšana",
      "täpsustuslehekülg",
      "täpsustus",
      "razločitev",
      "disambiguasi",
      "trang định hướng",
      "định hướng",
      "แก้กำกวม",
      "apartigilo",
      "discretiva",
      "nūzeimu atdaleišona",
      "неадназначнасць",
      "мнагазначнасць",
      "айрық",
      "бірмағыналас",
      "çoxmənalı",
      "բազմիմաստություն",
      "მრავალმნიშვნელოვანი",
      "दिक्ष्वलि",
      "बहुविकल्पी शब्द",
      "দ্ব্যর্থতা নিরসন",
  };
  return kTemplates;
}

constexpr std::array kTitleWords = std::to_array<std::string_view>({
    "disambiguation",
    "begriffsklärung",
    "homonymie",
    "disambigua",
    "desambiguación",
    "desambiguação",
    "doorverwijspagina",
    "ujednoznacznienie",
    "значения",
    "значення",
    "olika betydelser",
    "andre betydninger",
    "flertydig",
    "täsmennyssivu",
    "rozcestník",
    "egyértelműsítő lap",
    "dezambiguizare",
    "anlam ayrımı",
    "αποσαφήνιση",
    "פירושונים",
    "توضيح",
    "ابهام‌زدایی",
    "曖昧さ回避",
    "消歧义",
    "消歧義",
    "동음이의",
    "desambiguació",
    "argipena",
    "višeznačna odrednica",
    "вишезначна одредница",
    "пояснение",
    "неоднозначность",
    "неадназначнасць",
    "disambiguasi",
    "định hướng",
    "apartigilo",
    "discretiva",
    "homónimos",
    "razločitev",
    "täpsustus",
    "nozīmju atdalīšana",
});

template <typename Names>
bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// {{Disambiguation needed}} marks a link in an article.
bool is_remark(std::string_view name) {
  return name.find("needed") != std::string_view::npos || name.find("inline") != std::string_view::npos;
}

bool is_disambiguation_template(std::string_view name) {
  if (disambiguation_templates().contains(name)) return true;
  const bool is_named = name.starts_with("disambig") || name.starts_with("homonymie de ") ||
                        name.ends_with(" disambiguation") || name.ends_with(" disambig");
  return is_named && !is_remark(name);
}

bool has_disambiguation_title(std::string_view title) {
  const std::size_t bracket = title.rfind('(');
  if (bracket == std::string_view::npos || !title.ends_with(')')) return false;
  return contains(kTitleWords, normal_name(title.substr(bracket + 1, title.size() - bracket - 2)));
}

}  // namespace

bool is_redirect(std::string_view text) {
  text = trim(text);
  if (!text.starts_with('#') && !text.starts_with("＃")) return false;
  text.remove_prefix(text.starts_with('#') ? 1 : std::string_view("＃").size());
  const std::size_t link = text.find("[[");
  if (link == std::string_view::npos || link > kLongestName || text.substr(0, link).find('\n') < link) return false;
  std::string word = normal_name(text.substr(0, link));
  while (word.ends_with(':') || word.ends_with(' ')) word.pop_back();
  return contains(kRedirectWords, word);
}

bool is_disambiguation(std::string_view title, std::string_view text, std::span<const Mark> marks) {
  if (has_disambiguation_title(title) || text.find("__DISAMBIG__") != std::string_view::npos) return true;
  return std::any_of(marks.begin(), marks.end(), [&](const Mark& mark) {
    if (mark.kind != MarkKind::kTemplate || mark.is_open()) return false;
    const std::string_view inside = text.substr(mark.begin + 2, mark.end - mark.begin - 4);
    const std::string_view name = inside.substr(0, inside.substr(0, kLongestName).find('|'));
    return name.size() < kLongestName && is_disambiguation_template(normal_name(name));
  });
}

}  // namespace bertprep::clean
