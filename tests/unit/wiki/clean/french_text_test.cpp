// Templates in sentences of the French Wikipedia, as readers see them.
#include <gtest/gtest.h>

#include "support/clean_cases.h"

namespace bertprep {
namespace {

void expect_french(std::initializer_list<test::CleanCase> cases) {
  test::expect_all(cases, "fr");
}

TEST(FrenchText, Centuries) {
  expect_french({{"au {{s|III|e}}, au {{s-|XIX}} et au {{I er}}", "au IIIe siècle, au XIXe siècle et au"},
                 {"au {{-s|V|e}}, au {{s|I}}, aux {{s2|III|e|IX|e}}",
                  "au Ve siècle av. J.-C., au Ier siècle, aux IIIe et IXe siècles"},
                 {"au {{sp-|XII|e|et au|XVI|e}}, aux {{-sp|IX|e|-|VII|e|s}}, au {{s mini-|XVI|e}}",
                  "au XIIe et au XVIe siècle, aux IXe - VIIe siècles av. J.-C., au XVIe"},
                 {"le {{XVIIe siècle}}, le {{Ier siècle av. J.-C.}}, le {{IIe millénaire}}, le {{-IIIe siècle}}",
                  "le XVIIe siècle, le Ier siècle av. J.-C., le IIe millénaire, le IIIe siècle av. J.-C."}});
}

TEST(FrenchText, DaysAndHours) {
  expect_french(
      {{"né le {{date|1|mai|1802|en peinture}}, mort en {{date||juin|1870}}", "né le 1er mai 1802, mort en juin 1870"},
       {"le {{date-|11 mars 2010|en sport}}, le {{date|5|août}}, le {{1er avril}}, en {{date|mai|1968}}",
        "le 11 mars 2010, le 5 août, le 1er avril, en mai 1968"},
       {"à {{heure|8}}, à {{heure|1|55}}, après {{heure||59|6}} et {{heure|22|55|30}}",
        "à 8 h, à 1 h 55, après 59 min 6 s et 22 h 55 min 30 s"}});
}

TEST(FrenchText, DaysInDigits) {
  expect_french({{"{{date|10|03|1998}}, {{date|1|6|2009|en mer}}, {{date|2018-03-02|en mer}}, {{date|2018-07-01}}",
                  "10 mars 1998, 1er juin 2009, 2 mars 2018, 1er juillet 2018"},
                 {"du {{date|24|mai-|1994-}} au {{date|26|mai|1994}}, {{date|1998}}, {{date|12|13|x}}",
                  "du 24 au 26 mai 1994, 1998,"}});
}

TEST(FrenchText, NumbersAndUnits) {
  expect_french({{"{{unité|1234567.5|km|2}}, {{unité|900}}, {{nb|4500}} pas, {{formatnum:1039}}",
                  "1 234 567,5 km2, 900, 4 500 pas, 1 039"},
                 {"{{unité|10000|km||h|-1}}, {{unité|1,2|e=9|kg}}, {{unité|-40,5|°C}}, {{unité|12 500|m}}",
                  "10 000 km⋅h-1, 1,2×10^9 kg, -40,5 °C, 12 500 m"},
                 {"{{unité|5 à 10|m}}, {{nb|16|à=9600|bits}}, {{tmp|11.2}}, {{dunité|3|4|m}}",
                  "5 à 10 m, 16 à 9 600 bits, 11,2 °C, 3 × 4 m"}});
}

TEST(FrenchText, NumbersWithinText) {
  expect_french({{"{{nombre|250000 personnes}}, {{unité|12.5 millions|€}}, {{unité|1.5e6|m}}, {{nombre|2010-2011}}",
                  "250 000 personnes, 12,5 millions €, 1,5×10^6 m, 2010-2011"},
                 {"{{formatnum:60013 habitants}}, {{formatnum:12000|}}", "60 013 habitants, 12 000"},
                 {"140 m{{3}}, 10{{3}} km{{2}}, 10{{exposant|6}}", "140 m3, 10^3 km2, 10^6"},
                 {"le {{date|1 janvier 2016}}, le {{date-|1 mai}}, le {{date|11 mai 2016}}, {{date|1}}",
                  "le 1er janvier 2016, le 1er mai, le 11 mai 2016, 1"}});
}

TEST(FrenchText, Abbreviations) {
  expect_french({{"988{{nb p.}} et {{nb p.|142}}, le {{101e|régiment}}, les {{1ers}} de Louis {{XIV}}",
                  "988 p. et 142 p., le 101e régiment, les 1ers de Louis XIV"},
                 {"l'église ({{Classé MH|1862}}) et le {{Inscrit MH}} {{tri|b|pont}}{{tri|b}}, si{{bémol}}",
                  "l'église (Classé MH (1862)) et le Inscrit MH pont, si♭"},
                 {"Ici {{passage à actualiser|en 2000, dit-on\n}} on lit {{référence nécessaire bloc|un mot}}.",
                  "Ici en 2000, dit-on on lit un mot."},
                 {"en {{ca}} et {{la}} pont{{refnec}}, {{réf. nécessaire|long}}", "en et pont, long"}});
}

TEST(FrenchText, NamesAsTheyStand) {
  expect_french({{"le {{2e|régiment}}, la {{1re}} fois, le {{16e|jour}}, {{m.|Petit}} et {{Mme}} Roy",
                  "le 2e régiment, la 1re fois, le 16e jour, M. Petit et Mme Roy"},
                 {"{{quand|Autrefois}} on {{incise|dit-on}} riait{{quand}}, {{refnec|un jour}} {{incise|ou deux|fin}}.",
                  "Autrefois on – dit-on – riait, un jour – ou deux."},
                 {"un {{lien|langue=en|trad=Shell script}}, du {{lang|la|texte=pons}}{{,}} etc{{etc.}}",
                  "un Shell script, du pons etc, etc."},
                 {"({{lang-en|bridge}})", "(en anglais : bridge)"}});
}

TEST(FrenchText, BlanksAndApostrophes) {
  expect_french({{"un pont ; un bac", "un pont ; un bac"},
                 {"l'<nowiki/>''Iliade'' et l'''Odyssée''", "l'Iliade et l'Odyssée"},
                 {"le ''{{inconnu|x}}'' coule, '''{{inconnu}}'''; ''a''<ref>b</ref>''c''", "le coule, ac"}});
}

}  // namespace
}  // namespace bertprep
