// Templates of prose, rendered from their arguments.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "support/clean_cases.h"
#include "wiki/clean/language_table.h"
#include "wiki/clean/markup/chars.h"

namespace bertprep {
namespace {

using test::expect_all;

TEST(CleanTemplates, UnknownOnesVanishWithWhatTheyHold) {
  expect_all({{"a {{unknown|b|c={{lang|fr|d}}}} e", "a e"},
              {"a{{citation needed|date=May 2010}}, b {{sfn|Smith|2001|p=3}}.", "a, b."},
              {"a ({{unknown}}; {{unknown}}) b", "a b"},
              {"{{cite book|title=x}}", ""},
              {"{{{param|default}}} a", "a"},
              {"{{unknown}} {{unknown}} a", "a"}});
}

TEST(CleanTemplates, TextIsUnwrapped) {
  expect_all({{"{{nowrap|a b}} {{small|c}} {{abbr|d|long}} {{Nobr|e}}", "a b c d e"},
              {"{{color|red|a}} {{font color|red|b}} {{resize|80%|c}} {{nowrap|1=x=y}}", "a b c x=y"},
              {"{{sort|key|a}} {{vanchor|b}} {{citation needed span|c|date=d}} {{clarify span|d|reason=e}}", "a b c d"},
              {"{{hlist|a|b}} {{as written|c}} {{angbr|d}}", "a, b c ⟨d⟩"},
              {"{{not a typo|{{lang|fr|{{nowrap|a b}}}}}}", "a b"}});
}

TEST(CleanTemplates, ReferencesHavePages) {
  expect_all({{"a {{harv|Smith|Jones|2001|p=5}} b", "a (Smith & Jones 2001, p. 5) b"},
              {"a {{harvnb|A|B|C|2001|pp=5–7}} b", "a A, B & C 2001, pp. 5–7 b"},
              {"a {{harvcol|Smith|2001|p=5}} {{harvcoltxt|Smith|2001|p=5}} b", "a (Smith 2001:5) Smith (2001:5) b"},
              {"a {{harvp|Smith|2001|p=5}} {{harv|A|B|C|D|2001|loc=Ch. 5}} b",
               "a Smith (2001), p. 5 (A et al. 2001, Ch. 5) b"},
              {"a {{harvs|txt|first=Ann|last=Lee|year=2001|p=5}} {{harvs|last=Lee|year=2001}} {{harvs|nb|last=Lee}} b",
               "a Ann Lee (2001, p. 5) (Lee 2001) b"}});
  expect_all({{"a {{harvnb|Hugo|Sand|1850|p=5}} b", "a Hugo et Sand 1850, p. 5 b"}}, "fr");
}

// What a rule does not read may change what readers see.
TEST(CleanTemplates, UnreadArgumentsLoseTheTemplate) {
  expect_all(
      {{"a {{nowrap|b|c}} {{small|b|d=c}} {{nbsp|3}} {{small|b|style=c}} d", "a b d"},
       {"a {{USD|5|2000}} {{solar mass|5}} {{reign|336|323|era=BC}} {{USA|1912}} b", "a b"},
       {"a {{abbr|WHO|World Health Organization}} {{color|red|c}} {{legend|#f00|d}} b", "a WHO c d b"},
       {"a {{sortname|Jim|Bo|Jim Bo (actor)|Bo, James}} {{key press|Ctrl|C}} b", "a Jim Bo Ctrl+C b"},
       {"a {{circa|1250|1260}} ({{lang-rus|мир|p=mʲir}}) b", "a c. 1250 – c. 1260 (Russian: мир, IPA: [mʲir]) b"},
       {"a {{track gauge|1520 mm}} {{currency|5|EUR}} {{height|ft=5|in=10}} b", "a b"},
       {"a {{film date|1950|6|6|London}} {{birth date and age|1990|1|2}} {{start date and age|1990|1|2}} b",
        "a June 6, 1950 (London) January 2, 1990 (age 30) b"},
       {"a {{age in years and days|1900|5|5|1901|5|10}}, {{spellnum|12}}, {{percentage|1|4}} {{percentage|1|3}}",
        "a 1 year, 5 days, twelve, 25%"},
       {"a {{birth date|1990|13|2}} {{birth date|1990|5|32}} {{dts|x|5}} b", "a b"}});
  expect_all({{"a {{EUR|5}} {{unité|5|km}} {{fecha|5|5|1900}} {{s|XIX|e}} b", "a b"}}, "de");
  expect_all({{"a {{EUR|5}} {{unité|5,5|kg|m|-3}} {{nombre|5|à|6|km}} {{unité|5|km||h|-1}} b", "a 5 km⋅h-1 b"}}, "fr");
}

TEST(CleanTemplates, ValuesHaveTheirUncertainty) {
  expect_all({{"{{val|5|3|u=km}} {{val|5.0|0.3|e=-5|u=kg}} {{val|5|(2)|e=3}}", "5±3 km (5.0±0.3)×10^-5 kg 5(2)×10^3"},
              {"{{val|5|to|6|u=km}} {{val|5|-|6|u=km}} {{val|5|x|6|u=km}}", "5 to 6 km 5–6 km 5 km × 6 km"},
              {"{{val|5|end=%}} {{val|5|-1|+2}} {{val|5|3|2}} {{val|5|about|6}} {{val|abc}}", "5%"},
              {"{{radic|5|3}} {{radic|2}} {{radic|5|n}} {{chem|S|O|4|2-}} {{chem2|SO4(2-)}} {{chem2|H2O}}",
               "∛5 √2 SO4^2- H2O"}});
}

TEST(CleanTemplates, AgesAtDeathAreCounted) {
  expect_all({{"a {{death date and age|1950|6|6|1900|5|5}} b", "a June 6, 1950 (aged 50) b"},
              {"a {{dda|1950|6|6|1900|7|5|df=yes}} b", "a 6 June 1950 (aged 49) b"},
              {"a {{dda|1950|6|6|1900}} b", "a b"}});
  expect_all({{"彼{{死亡年月日と没年齢|1900|5|5|1950|5|4}}死", "彼1950年5月4日（49歳没）死"}}, "ja");
}

TEST(CleanTemplates, SignsOfFormulasStand) {
  expect_all({{"a {{langle}}x{{rangle}} {{lbrack}}y{{rbrack}} {{floor|z}} {{ceil|z}}", "a ⟨x⟩ [y] ⌊z⌋ ⌈z⌉"},
              {"a {{ket|x}} {{bra-ket|x|y}} {{norm|x}} 5{{x10^|6}}", "a |x⟩ ⟨x|y⟩ ‖x‖ 5×10^6"},
              {"a {{£sd|l=5|s=6|d=7}}, {{£sd|s=6}}, {{nth|5}}, {{OEIS|A000045}}",
               "a £5 6s 7d, 6s, 5th, (sequence A000045 in the OEIS)"}});
  expect_all({{"a {{opus|5}} {{Langue|en|b|trans=c}} 5 {{hab.}}", "a op. 5 b (c) 5 hab."},
              {"a {{nombre en romain|14}} {{Nombre en romain|1949}}", "a XIV MCMXLIX"}},
             "fr");
}

TEST(CleanTemplates, LanguagesAndSounds) {
  expect_all({{"a ({{lang-de|Berlin}})", "a (German: Berlin)"},
              {"{{lang|fr|mot}} {{transl|ar|ALA|kitāb}} {{langx|ru|слово}}", "mot kitāb Russian: слово"},
              {"a ({{IPAc-en|æ|l|ˈ|b|iː|d|oʊ}}) {{IPAc-en|uk|s|ɪ|_|t|iː}}", "a (/ælˈbiːdoʊ/) /sɪ tiː/"},
              {"{{IPA-de|bɛɐ̯ˈliːn|lang|De-Berlin.ogg}} {{IPA|/a/}} {{IPA|de|ˈa}}", "[bɛɐ̯ˈliːn] /a/ [ˈa]"},
              {"{{respell|al|BEE|doh}}", "al-BEE-doh"},
              {"{{Nihongo|Aikido|合気道|Aikidō}} {{nihongo||漢字|kanji}}", "Aikido (合気道, Aikidō) kanji (漢字)"},
              {"{{zh|s=汉字|t=漢字|p=hànzì}}", "漢字, 汉字, hànzì"}});
  expect_all({{"a ({{lang-en|word}})", "a (word)"}, {"{{Vol-lv|vārds}}", "vārds"}}, "ltg");
}

TEST(CleanTemplates, LanguagesHaveTablesOfTheirOwn) {
  expect_all({{"à {{heure|14|30}}, {{heure|9}}, {{tmp|25}} {{tmp|77|°F}}", "à 14 h 30, 9 h, 25 °C 77 °F"},
              {"le {{XXe siècle}} {{incise|ou presque}}", "le XXe siècle – ou presque –"},
              {"{{M.}} Dupont, {{numéro}}5, {{citation|oui}}", "M. Dupont, no5, « oui »"},
              {"a {{incise}} b", "a b"}},
             "fr");
  expect_all({{"{{link-en|中文|English}} {{link-de|中文|Deutsch|顯示}}", "中文 顯示"},
              {"{{tsl|en|Foreign|本地}} {{le|中文|English}} {{lj|日|日本}}", "本地 中文 日"},
              {"{{internal link helper/en|中文|English}}", "中文"}},
             "zh");
  expect_all(
      {{"橋{{Enlink|Title|表示}}、池{{Enlink|Title}}、{{Enlink|Title|p=off}}", "橋（表示）、池（Title）、Title"}},
      "ja");
  expect_all({{"{{إنج|word}}", "(بالإنجليزية: word)"}}, "ar");
  expect_all({{"{{цитата|слово|автор}} {{цитата|слово}}", "«слово» — автор «слово»"}}, "ru");
  expect_all({{"{{fecha|14|3|1879}} {{fecha||marzo|1879}} {{cita|sí}}", "14 de marzo de 1879 marzo de 1879 «sí»"},
              {"{{AFI|a}} {{AFI|[a]}} {{AFI|/a/}}", "[a] [a] /a/"}},
             "es");
  expect_all({{"{{§|5|bgb|juris}} {{sic}}, {{sic|so}}", "§ 5 [sic], so [sic]"}}, "de");
  expect_all({{"Ada ({{née|Byron}}) {{link-de|Title|Titel}} {{rws|Leeds}}", "Ada (née Byron) Title Leeds"}});
}

TEST(CleanTemplates, TablesOfLanguagesAreWellFormed) {
  for (const auto& [language, file] : clean::language_files()) {
    EXPECT_EQ(clean::LanguageTable(file).faults(), std::vector<std::string>()) << language;
    std::istringstream lines{std::string(file)};
    for (std::string line; std::getline(lines, line);) {
      EXPECT_EQ(std::count(line.begin(), line.end(), '{'), std::count(line.begin(), line.end(), '}')) << line;
      EXPECT_EQ(std::count(line.begin(), line.end(), '['), std::count(line.begin(), line.end(), ']')) << line;
    }
  }
}

TEST(CleanTemplates, TablesThatCannotWorkAreFound) {
  for (const std::string_view line : {"Name: {1}",
                                      "a_b: {1}",
                                      "link-to-: {1}",
                                      "a/b-: {1}",
                                      "name",
                                      "name: ",
                                      "units: km",
                                      "units: km=a/b/c/d",
                                      "units: km=a, km=b",
                                      "units: kW=a, kw=b",
                                      "units: verts=a",
                                      "names: usa",
                                      "names: usa=, gbr=b",
                                      "names: usa=a, usa=b",
                                      "numbers: 1,2",
                                      "switches: NoToc",
                                      "a: {1}\na: {2}",
                                      "numbers: 12 345",
                                      "dates: {day} {month}",
                                      "ranges: until=à",
                                      "ranges: to=",
                                      "languages: en",
                                      "languages: en=a, en=b",
                                      "language phrase: in {text}",
                                      "* b c: {1}",
                                      "nothing: a b *",
                                      "nothing: a, a",
                                      "nothing: a, B"}) {
    EXPECT_EQ(clean::LanguageTable(line).faults().size(), 1U) << line;
  }
  const clean::LanguageTable table("# a remark\nlink-: {1}\na-b: {2}\nnothing: c, d-\n");
  EXPECT_EQ(table.faults(), std::vector<std::string>());
  EXPECT_EQ(table.find("link-en")->text, "{1}");
  EXPECT_EQ(table.find("a-b")->text, "{2}");
  EXPECT_EQ(table.find("d-x")->text, "");
  EXPECT_FALSE(table.find("a-c"));
}

TEST(CleanTemplates, UnitsHaveTheNamesAndNumbersOfTheLanguage) {
  expect_all({{"{{convert|1609.3|km|mi}} {{convert|1|mi|km}}", "1609,3 kilómetros (1000,0 mi) 1 milla (1,6 km)"}},
             "es");
  expect_all({{"{{convert|12000|m|ft|adj=on}}", "12 000 mètres (39 000 ft)"}}, "fr");
  expect_all({{"{{convert|10|mi|km}} {{convert|3|bhp|kW}}", "10 миль (16 км) 3 bhp (2,2 кВт)"}}, "ru");
  expect_all({{"{{convert|10|mi|km}} {{convert|10|mi|km|abbr=on}}", "10マイル (16 km) 10 mi (16 km)"}}, "ja");
  expect_all({{"{{convert|10|mi|km}}", "10英里（16公里）"}}, "zh");
  expect_all({{"{{convert|10|mi|km}}", "10 ميل (16 كم)"}}, "ar");
  expect_all({{"{{convert|10|mi|km}}", "10 mi (16 km)"}}, "nl");
}

TEST(CleanTemplates, SignsAndBlanks) {
  expect_all({{"1{{ndash}}2 a{{snd}}b c{{nbsp}}d e{{mdash}}f", "1–2 a – b c d e—f"},
              {"''Times''{{'s}} x{{=}}y {{music|flat}} {{pi}}", "Times's x=y ♭ π"}});
}

TEST(CleanTemplates, QuotationsAreParagraphs) {
  expect_all({{"a\n{{quote|b|author=C|source=D}}\ne", "a\nb — C, D\ne"},
              {"{{blockquote|text=b\n\nc}}", "b\nc"},
              {"a {{\"|b}}", "a \"b\""}});
}

TEST(CleanTemplates, DatesAndNumbers) {
  expect_all({{"{{as of|2014}}, {{as of|2014|3|lc=y}} {{As of|alt=in May}}", "As of 2014, as of March 2014 in May"},
              {"{{as of|since=y|2010|5|7|lc=on}}", "since 7 May 2010"},
              {"{{birth date|1879|3|14}} {{birth date|1879|03|14|df=y}}", "March 14, 1879 14 March 1879"},
              {"{{circa|1900}} {{frac|2|1|2}} {{frac|3}}", "c. 1900 2 1/2 1/3"},
              {"{{val|6.241|0.002|e=18|u=kg}} {{val|1234567}}", "(6.241±0.002)×10^18 kg 1,234,567"},
              {"{{US$|5 million}} {{chem|H|2|O}} {{formatnum:12345}}", "US$5 million H2O 12,345"},
              {"{{OldStyleDate|February 2|1905|January 20}}", "February 2 [O.S. January 20] 1905"}});
}

TEST(CleanTemplates, NamesOfShipsAndForeignLinks) {
  expect_all({{"{{USS|Hornet|CV-12|6}} {{HMS|Hood|51}} {{ship|RMS|Titanic}} {{USS|Iowa|BB-61|2}}",
               "Hornet HMS Hood (51) RMS Titanic USS Iowa"},
              {"{{sclass|Essex|aircraft carrier}}", "Essex-class aircraft carrier"},
              {"{{ill|Foo|de|Bar}} {{ill|Foo|de|lt=f}} {{typo|teh}}", "Foo f teh"},
              {"{{sic}} {{sic|teh}} {{sic|?|irrega|rdless}} {{sic|hte|hide=y}} {{sic|!}}",
               "[sic] teh [sic] irregardless [sic?] hte [sic!]"},
              {"{{ill|de|Bar}} {{ill|de|Bar|label}} {{ill|zh-yue|Bar}} {{ill|Bar|de}} {{ill|is|de|Bar}}",
               "Bar label Bar Bar is"},
              {"as {{harvtxt|Smith|2010|p=3}} says", "as Smith (2010, p. 3) says"}});
}

TEST(CleanTemplates, OtherLanguages) {
  expect_all({{"{{formatnum:4000}} {{TA|5 km}} {{M|61||km/h}} {{bandiera|Francia|nome}} {{cn|testo}}",
               "4000 5 km 61 km/h Francia testo"},
              {"{{Bio|Nome=Ada|Cognome=Neri|Sesso=F|LuogoNascita=Roma|GiornoMeseNascita=1º maggio|AnnoNascita=1900"
               "|Attività=attrice|Nazionalità=italiana}}",
               "Ada Neri (Roma, 1º maggio 1900) è un'attrice italiana."},
              {"{{Bio|Nome=Ugo|PreData=pron. x|LuogoNascita=Roma|LuogoMorte=Bari|PreAttività=fu il terzo|Attività=re}}",
               "Ugo (pron. x; Roma – Bari) fu il terzo re."},
              {"{{Bio|Nome=Ugo|Attività=re|NomeSconosciuto=x}} a", "a"}},
             "it");
  expect_all({{"au {{s-|XIX}}, {{unité|5|km}}, {{date|1|mai|2000}}", "au XIXe siècle, 5 km, 1er mai 2000"}}, "fr");
  expect_all({{"{{Höhe|115|DE-NHN}} {{\"|Zitat}}", "115 m ü. NHN „Zitat“"}}, "de");
}

TEST(CleanTemplates, FunctionsAndVariables) {
  expect_all({{"{{#if:x|a|b}} {{#if: |a|b}} {{#ifeq:a|a|yes|no}} {{lc:ABC}} {{ucfirst:abc}}", "a b yes abc Abc"},
              {"{{PAGENAME}} in {{CURRENTYEAR}} {{#switch:a|b=c}}{{DEFAULTSORT:x}}.", "Title in 2020."}});
}

TEST(CleanTemplates, Conversions) {
  expect_all({{"{{convert|10|km|mi}}", "10 kilometres (6.2 mi)"},
              {"{{convert|1300|mi|km}}", "1,300 miles (2,100 km)"},
              {"{{convert|52419|sqmi|km2|abbr=out|sp=us}}", "52,419 square miles (135,760 km2)"},
              {"{{convert|2413|ft|0|abbr=on}}", "2,413 ft (735 m)"},
              {"{{cvt|70|mph}}", "70 mph (110 km/h)"},
              {"{{convert|20|C|F}} {{convert|−40|F|C}}", "20 °C (68 °F) −40 °F (−40 °C)"},
              {"{{convert|10|to|20|km}}", "10 to 20 kilometres (6.2 to 12.4 mi)"},
              {"{{convert|5|ft|10|in|m}}", "5 feet 10 inches (1.78 m)"},
              {"{{convert|1.75|m|ftin|abbr=on}}", "1.75 m (5 ft 9 in)"},
              {"a {{convert|12|mi|km|adj=on}} run", "a 12-mile (19 km) run"},
              {"{{convert|2|km|mi|sp=us|order=flip}}", "1.2 miles (2 km)"},
              {"{{convert|1/2|mi|km}} {{convert|2+1/2|in|mm|0}}", "1/2 mile (0.80 km) 2 1/2 inches (64 mm)"},
              {"{{convert|500|hp|kW|abbr=on|disp=or}}", "500 hp or 370 kW"},
              {"{{convert|10|L}}", "10 litres (2.2 imp gal; 2.6 US gal)"},
              {"{{convert|100|acre|ha km2}}", "100 acres (40 ha; 0.40 km2)"},
              {"{{convert|3|foozle}} {{convert|many|km}} {{convert|5|km|foozle}} {{convert|5|km|kg}}", ""},
              {"{{convert|5|cm|in|frac=8}}, {{convert|10|ft|m|disp=preunit|long|odd}}, {{convert|5|$/lb|$/kg}}",
               "5 centimetres (2 in), 10 long feet (3.0 odd m), $5 per pound ($11/kg)"},
              {"{{convert|5|cm|in|frac=1}} {{convert|5|km|mi|abbr=odd}} {{convert|5|km|mi|1|2|3}}", ""},
              {"{{convert|5|km|disp=out}}", "3.1 mi"}});
}

TEST(CleanTemplates, ConversionsHaveTheDigitsOfWikipedias) {
  expect_all({{"{{convert|384400|km|abbr=on}}", "384,400 km (238,900 mi)"},
              {"{{convert|111866|km|abbr=on}}", "111,866 km (69,510 mi)"},
              {"{{convert|283000|sqft|m2|abbr=on}}", "283,000 sq ft (26,300 m2)"},
              {"{{convert|37|km2|abbr=on}}", "37 km2 (14 sq mi)"},
              {"{{convert|45|cm|in|abbr=on}}", "45 cm (18 in)"},
              {"{{convert|100|m|ft|abbr=on}}", "100 m (330 ft)"},
              {"{{convert|1500|C|F}} {{convert|1540|C|F}}", "1,500 °C (2,730 °F) 1,540 °C (2,800 °F)"},
              {"{{convert|0|km|mi|abbr=on}} {{convert|0|C|F}}", "0 km (0 mi) 0 °C (32 °F)"},
              {"{{convert|1/16|in|mm|abbr=on}}", "1/16 in (1.6 mm)"},
              {"{{convert|1.23e3|m|ft|abbr=on}}", "1.23×10^3 m (4,040 ft)"},
              {"{{convert|5|ft|10|in|cm|abbr=on}}", "5 ft 10 in (178 cm)"},
              {"{{convert|10|st|6|lb|kg|abbr=on}}", "10 st 6 lb (66 kg)"},
              {"{{convert|3|to|20|m|ft|abbr=on}}", "3 to 20 m (9.8 to 65.6 ft)"},
              {"{{convert|1234|km|mi|sigfig=2|abbr=on}} {{convert|1234|km|mi|round=5|abbr=on}}",
               "1,234 km (770 mi) 1,234 km (765 mi)"},
              {"{{convert|10|C-change|F-change}}", "10 °C (18 °F)"}});
}

TEST(CleanTemplates, CodesOfUnitsHaveTheirCapitals) {
  expect_all({{"{{convert|1|Mm|mi}}, {{convert|1|mm|in}}", "1 megametre (620 mi), 1 millimetre (0.039 in)"},
              {"{{convert|5|Mg|lb}}, {{convert|5|mg|gr}}", "5 megagrams (11,000 lb), 5 milligrams (0.077 gr)"},
              {"{{convert|5|mN|lbf}}", "5 millinewtons (0.0011 lbf)"},
              {"{{convert|5|KM|mi}} {{convert|5|MPH|km/h}} {{convert|5|kt|kn}}", ""},
              {"{{convert|15.2|hand|cm}}", "15.2 hands (157 cm)"},
              {"{{convert|65|kg|stlb}}", "65 kilograms (10 st 3 lb)"},
              {"{{convert|5–6|km|mi}}", "5–6 kilometres (3.1–3.7 mi)"},
              {"{{convert|100|/sqmi|/km2}}", "100 per square mile (39/km2)"}});
}

TEST(CleanTemplates, NamesHaveTheirCapitals) {
  expect_all({{"{{BRA}}, {{PER}}, {{uSA}}", "Brazil, Peru, United States"},
              {"{{bra|x}} {{per|s}} {{ind|5}} {{can|x}}", "⟨x|"},
              {"{{USS|Hornet}} {{uss|Hornet}}", "USS Hornet"}});
}

TEST(CleanTemplates, ConversionsAreSpelledAndMultiplied) {
  expect_all({{"{{convert|10|mi|km|spell=in}} {{convert|2|mi|km|spell=In}}", "ten miles (16 km) Two miles (3.2 km)"},
              {"a {{convert|21|mi|km|sing=on|spell=in}} run", "a twenty-one-mile (34 km) run"},
              {"{{convert|205|mi|km|spell=in}} {{convert|205|mi|km|spell=in|sp=us}}",
               "two hundred and five miles (330 km) two hundred five miles (330 km)"},
              {"{{convert|5|e6acre|km2}}", "5 million acres (20,000 km2)"},
              {"{{convert|5|e6acre|km2|abbr=on}}", "5×10^6 acres (20,000 km2)"},
              {"{{convert|3|mi|km|adj=pre|winding}}", "3 winding miles (4.8 winding km)"},
              {"{{convert|2.3|Moilbbl|m3}}", "2.3 million barrels (370,000 m3)"},
              {"{{convert|15700|ft3|disp=output number only}}", "440"},
              {"{{convert|30|mpgus|abbr=on}}", "30 mpg‑US (7.8 L/100 km; 36 mpg‑imp)"}});
}

}  // namespace
}  // namespace bertprep
