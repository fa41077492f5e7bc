// Templates in sentences of Wikipedias in languages other than English, as readers see them.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "support/clean_cases.h"
#include "support/golden_data.h"
#include "wiki/clean/templates.h"

namespace bertprep {
namespace {

void expect_all(const std::string& language, std::initializer_list<test::CleanCase> cases) {
  test::expect_all(cases, language);
}

TEST(LanguageText, Chinese) {
  expect_all("zh",
             {{"他（{{lang-en|Ann Lee}}，{{bd|1950年|1月2日|1999年|3月4日}}）是{{link-en|某地|Some Place}}人。",
               "他（英語：Ann Lee，1950年1月2日－1999年3月4日）是某地人。"},
              {"某人{{bd|前3年||23年||catIdx=M}}，{{who|有人}}說{{ilh|某城|Town|lang-code=en}}很大{{來源請求}}。",
               "某人（前3年－23年），有人說某城很大。"},
              {"{{tsl|en|Tea|茶|飲茶}}、{{tsl|en|Rice}}、{{liw|米|en|Rice}}與{{化學式|H|2|O}}", "飲茶、Rice、米與H2O"},
              {"走{{convert|10|to|20|km|mi}}，高{{convert|180|cm|ftin}}",
               "走10至20公里（6.2至12.4英里），高180厘米（5英尺11英寸）"},
              {"{{langx|en|Silicon}}、{{formatnum:12345}}人", "英語：Silicon、12,345人"},
              {"他（{{bd|1959年|8月6日}}）讀{{IETF RFC|4918}}{{cfntag|C++03|loc=§20}}。",
               "他（1959年8月6日－）讀RFC 4918。"}});
}

TEST(LanguageText, Arabic) {
  expect_all(
      "ar",
      {{"مدينة {{إنج|City}} قديمة", "مدينة (بالإنجليزية: City) قديمة"},
       {"مدينة ({{فرن|Ville}}؛ {{lang-it|Città}}) قديمة", "مدينة (بالفرنسية: Ville؛ بالإيطالية: Città) قديمة"},
       {"سنة {{هـ|1220}} / {{م|1805}} زارها {{وإو|أحمد|Ahmed}}{{بحاجة لمصدر|تاريخ=مايو}} و{{وإو|تر=Sam|عر=سام|لغ=en}}",
        "سنة 1220 هـ / 1805 م زارها أحمد وسام"},
       {"عددهم {{formatnum:2138}} والطول {{convert|2|to|3|km|mi|abbr=on}}",
        "عددهم 2٬138 والطول 2 إلى 3 كم (1٫2 إلى 1٫9 ميل)"}});
}

TEST(LanguageText, OtherLanguages) {
  expect_all("de", {{"{{formatnum:4000}} und {{\"|so}}, {{enS|bridge}}", "4.000 und „so“, englisch bridge"},
                    {"{{convert|5|or|6|mi|km}}", "5 oder 6 Meilen (8,0 oder 9,7 km)"}});
  expect_all(
      "es",
      {{"el {{siglo|XIX||s}} y los siglos {{siglo|I|a}} y {{siglo|II}}", "el siglo XIX y los siglos I a. C. y II"},
       {"({{lang-en|bridge}}), {{formatnum:1039}} y {{formatnum:10390}}", "(en inglés: bridge), 1039 y 10 390"}});
  expect_all("ru", {{"мост ({{lang-en|bridge}}), {{число|1234567.5}} и {{не переведено|есть=:en:x|надо=пруд|текст=}}",
                     "мост (англ. bridge), 1 234 567,5 и пруд"},
                    {"{{флаг России}} Москва", "Москва"}});
  expect_all(
      "ja",
      {{"橋（{{lang-en|bridge}}、{{lang-de-short|Brücke}}）は{{ruby|長|なが}}い。{{convert|2|by|3|m|ft|abbr=off}}",
        "橋（英語: bridge、独: Brücke）は長（なが）い。2 × 3メートル（6.6 × 9.8フィート）"}});
  expect_all("nl", {{"{{formatnum:4000}} ({{lang-en|bridge}}), {{cite book|title=x}}", "4000 (bridge),"}});
  expect_all("simple", {{"{{née|Roy}}, {{b.|1950}}, {{age in years|1950|1|1|1980|1|1}}, {{NYSE|ABC}}",
                         "née Roy, b. 1950, 30, NYSE: ABC"}});
}

// English words of templates that many wikis have say nothing there: the language's own, or a sign.
TEST(LanguageText, NoEnglishWordsInOtherLanguages) {
  constexpr std::string_view kDates =
      "{{as of|2010|5|7}}, {{as of|2010}}, {{as of|2010|5|alt=x}}, {{birth date|1900|1|2}}, {{dts|1900|12}}";
  constexpr std::string_view kSigns =
      "{{circa|1900}}, {{ordinal|3}}, {{OldStyleDateDY|7|1755|26}}, {{born-in|1900}}, {{lit|x}}, {{sclass|Essex|y}}";
  constexpr std::string_view kRanges =
      "{{convert|1|to|2|km|m}}, {{convert|1|and|2|km|m}}, {{convert|1|or|2|km|m}}, {{convert|1|by|2|km|m}}";
  expect_all("pl", {{kDates, "2010-05-07, 2010, x, 1900-01-02, 1900-12"},
                    {kSigns, "3., 7 (26) 1755, * 1900, 'x',"},
                    {kRanges,
                     "1–2 km (1,000–2,000 m), 1, 2 km (1,000, 2,000 m), 1 / 2 km (1,000 / 2,000 m), "
                     "1 × 2 km (1,000 × 2,000 m)"}});
  expect_all("es", {{kDates, "7 de mayo de 2010, 2010, x, 2 de enero de 1900, diciembre de 1900"},
                    {kSigns, "3.º, 7 (26) 1755, * 1900, 'x',"}});
  expect_all("ru",
             {{kDates, "7 мая 2010, 2010, x, 2 января 1900,"}, {kSigns, "ок. 1900, 3-й, 7 (26) 1755, * 1900, 'x',"}});
  expect_all("de", {{kDates, "7. Mai 2010, 2010, x, 2. Januar 1900, Dezember 1900"},
                    {kSigns, "ca. 1900, 3., 7 (26) 1755, * 1900, 'x',"}});
  expect_all("fr", {{kDates, "7 mai 2010, 2010, x, 2 janvier 1900, décembre 1900"}});
  expect_all("ja", {{kDates, "2010年5月7日現在, 2010年現在, 1900年1月2日, 1900年12月"}});
  expect_all("ar", {{kSigns, "حوالي 1900, 3, 7 (26) 1755, * 1900, 'x',"}});
  constexpr std::string_view kAges = "{{mya|5|6}}, {{c.|1900}}, {{ca.|1900}}";
  expect_all("pl", {{kAges, ""}});
  expect_all("ru", {{kAges, "ок. 1900, ок. 1900"}});
  expect_all("ar", {{kAges, "حوالي 1900, حوالي 1900"}});
  expect_all("zh", {{kAges, "5–6百萬年前, 約1900, 約1900"}});
  expect_all("en", {{"{{mya|5|6}}", "5–6 million years ago"}});
}

TEST(LanguageText, DaysInEitherOrder) {
  expect_all("es", {{"el {{fecha de inicio|1|2|1980}}, {{fecha de inicio|1980|2|1}}, {{edad|2|1|1980|1|1|2000}}",
                     "el 1 de febrero de 1980, 1 de febrero de 1980, 19"}});
  expect_all("ar", {{"{{تاريخ|2|1|1980}}, {{تاريخ بداية|1980}}, {{عمر|1980|1|2|2000|1|1}}", "2 يناير 1980, 1980, 19"}});
  expect_all("zh", {{"{{start date|1980|2}}", "1980年2月"}});
}

TEST(LanguageText, NamesOfSpanishRussianAndArabicTemplates) {
  expect_all("es",
             {{"{{n.º|5}} {{conversión|10|km|mi}} {{raíz|2}} {{quím|H|2|O}} {{cursivas|a}} si{{bemol}} {{iw|a|en|b}}",
               "n.º 5 10 kilómetros (6,2 mi) √2 H2O a si♭ a"}});
  expect_all("ru", {{"{{руб|5}} {{руб}} {{цветная ссылка|red|a|b}} {{хф|H2O}} {{iw5|a|b}} 5 {{км²}} {{СПб.}} {{°C}}",
                     "5 ₽ ₽ b H2O b 5 км² СПб. °C"},
                    {"девиз ({{lang-lat|Scientia}}){{проверено|27|2|2010}} был", "девиз (лат. Scientia) был"}});
  expect_all("ar", {{"1.08{{*10^|12}} {{بدون لف|5 كم}} 10{{أس|3}} {{ill-WD2|عر=سام|id=Q1}} {{جذر|2}} {{تنصيص|نص}}",
                     "1.08×10^12 5 كم 10^3 سام √2 «نص»"}});
  expect_all("zh", {{"《甲》（{{韓|諺=내|漢=乃}}）{{原著|《乙》|丙}}", "《甲》（韓語：내／乃）《乙》 丙"}});
}

TEST(LanguageText, RussianDaysOfBothStyles) {
  expect_all("ru",
             {{"род. {{СС|19|ноября|1711|8}}, {{СС2|7|ноября|1917|25|октября}}, {{СС|5|января|1901|23|декабря|1900}}",
               "род. 8 (19) ноября 1711, 25 октября (7 ноября) 1917, 23 декабря 1900 (5 января 1901)"},
              {"был {{СС|2|ноября|1721|22 октября}}, {{СС2|9|мая|1945}}", "был 22 октября (2 ноября) 1721, 9 мая 1945"},
              {"был {{СС3|25.10.1917}}, {{СС3|8.4.1765}}, {{СС3|25.12.1899}}, {{СС3|9.5.1945}} здесь",
               "был 25 октября (7 ноября) 1917, 8 (19) апреля 1765, 25 декабря 1899 (6 января 1900), 9 мая 1945 здесь"},
              {"был {{СС3|1.3.1700}}, {{СС3|24.4.1387}}, {{СС3|31.2.1701}}, {{СС3|1.2}} здесь",
               "был 1 (12) марта 1700, 24 апреля 1387, здесь"},
              {"читал {{OldStyleDate|7|мая|1755 год|26|апреля}}а и {{OldStyleDate|10|06|1900|28|05}}",
               "читал 26 апреля (7 мая) 1755 года и 28 мая (10 июня) 1900"},
              {"род. {{ДатаРождения|9|9|1956}} в {{МР|Тверь|в Твери}}", "род. 9 сентября 1956 в Тверь"}});
}

TEST(LanguageText, RussianNamesAndQuotations) {
  expect_all(
      "ru",
      {{"({{langi|la|Lituae}}; {{lang-vi|Hà Nội}}), {{нп1|Река|река}}", "(Lituae; вьетн. Hà Nội), река"},
       {"Дом {{нихонго|Дом|家|иэ}}, ({{китайский|中國|中国|Zhōngguó|Чжунго}})",
        "Дом Дом (яп. 家 иэ), (кит. трад. 中國, упр. 中国, пиньинь Zhōngguó, палл. Чжунго)"},
       {"({{китайский|北京||Běijīng|Бэйцзин}}; {{китайский||白灿||Бай}}), {{USA}}, {{флагификация|RUS}}, 5 {{руб}}",
        "(кит. трад. 北京, пиньинь Běijīng, палл. Бэйцзин; кит. упр. 白灿, палл. Бай), США, Россия, 5 "
        "₽"},
       {"{{Нихонго-но-намаэ|Карин|夏梨|Карин}}, {{хангыль|Им|임}} и {{nl|Дзюн|Фукуяма}} {{nl}}",
        "Карин (яп. 夏梨 Карин), Им (кор. 임) и Дзюн Фукуяма"},
       {"Он сказал: {{начало цитаты}}Да.{{конец цитаты|источник=Письмо}} Потом ушёл.",
        "Он сказал:\nДа. — Письмо\nПотом ушёл."}});
}

TEST(LanguageText, SignsSourcesAndFlagsInSentences) {
  expect_all("ru",
             {{"V век {{до н. э.}} ({{Библия|Быт|1:1}}; {{Библия|Исх|2:3|т=II, 3}}; {{Коран|2|255}}), {{вымерший}}род",
               "V век до н. э. (Быт. 1:1; II, 3; 2:255), †род"},
              {"{{дробь|3|1|2}} и {{дробь|1|2}}, {{RA|12|30}}, {{клавиша|Ctrl}}, «щас» {{sic!}}",
               "3 1/2 и 1/2, 12ч 30м, Ctrl, «щас» [sic!]"},
              {"{{ALB}}, {{Мальта}}, {{flagIOCathlete|Иван Петров|RUS}}{{0}}{{Орден Ленина}}{{кратное сравнение}}",
               "Албания, Мальта, Иван Петров (RUS)"}});
  expect_all("sv", {{"{{colored link|red|Bro|bron}}, {{color box|red|röd}} {{nts|5}}", "bron, röd 5"}});
  expect_all("es",
             {{"{{sel|ARG}} y {{selb|Perú}}, por la {{Identificador carretera España|A-1}} ({{BMV|X}}){{NF|1950|P}}",
               "Argentina y Perú, por la A-1 (BMV: X)"},
              {"{{ecuación|''a'' > ''b''|1}} según {{¿quién?|algunos}}{{¿cuándo?}}, {{RA|12|30|5}}",
               "a > b (1) según algunos, 12h 30m 5s"}});
  expect_all("ar", {{"({{كتالونية|x}}) {{كتالونية|x}}{{بحاجة لتوثيق|تاريخ=مايو}} {{QAT}} {{كرم الله وجهه}}",
                     "(بالكتالونية: x) (بالكتالونية: x) قطر كرم الله وجهه"}});
  expect_all("zh",
             {{"{{fb|CHN}}、{{vie|v=trà|hn=茶}}、{{VIE}}、{{!|䇭|音}}、{{stl|台北捷運|雙連}}{{頁碼請求}}",
               "中华人民共和国、越南語：trà／茶、越南、䇭、雙連"},
              {"（{{上交所|600000}}；{{lang-zh|茶}}）{{dubious|某}}a{{!}}b", "（上交所：600000；中文：茶）某a|b"}});
}

TEST(LanguageText, CountriesByTheirCodesAndNames) {
  expect_all("en", {{"{{AUS}}, {{flag|IND}} and {{flagcountry|COD}}",
                     "Australia, India and Democratic Republic of the Congo"}});
  expect_all("de", {{"{{JAM}}, {{Schweden}}, {{flag|KEN}}, {{TLS}} ({{tlS|bahay}})",
                     "Jamaika, Schweden, Kenia, Osttimor (Tagalog bahay)"}});
  expect_all("fr", {{"{{JPN}}, {{Corée du Sud}}, {{flag|SUI}}", "Japon, Corée du Sud, Suisse"}});
  expect_all("ar", {{"{{علم|FRA}}, {{علم|فرنسا}}, {{بلد|JAM}}", "فرنسا, فرنسا, جامايكا"}});
  expect_all("ja", {{"{{KEN}}と{{flag|JAM}}", "ケニアとジャマイカ"}});
}

TEST(LanguageText, WordsInTheSpellingsOfTheirLanguages) {
  expect_all("zh",
             {{"（{{jpn|j=東京|kana=とうきょう|rm=Tōkyō}}、{{kor|諺=서울|漢=漢城}}、{{KOR}}）",
               "（日語：東京／とうきょう Tōkyō、韓語：서울／漢城、韩国）"},
              {"{{日本作品|甲|乙}}在{{stn|台北|台北車站}}{{fact|有人說|time=2013-08-10}}，{{fact}}{{MongolUnicode|ᠠ}}",
               "《甲》（日語：乙）在台北有人說，ᠠ"},
              {"李{{BD|1937年|2月6日||2021年1月3日|}}是學者", "李（1937年2月6日－2021年1月3日）是學者"},
              {"{{單雙書名號轉換|清平調}}三首，{{US$|3000}}{{RefTag|甲}}", "《清平調》三首，3,000美元"},
              {"（{{mong|m=ᠮᠣᠩᠭᠣᠯ|k=Монгол}}，{{朝|諺=노서아|羅=noseoa|附=語助}}）{{as of|2020|alt=截至二〇年}}",
               "（蒙古语：ᠮᠣᠩᠭᠣᠯ，西里尔字母：Монгол，韓語：노서아 noseoa）截至二〇年"},
              {"（{{jpn|link=no|hg=にっぽんご|rm=Nippongo}}、{{jpn|hg=か}}、{{kor|link=no|k=서울}}、{{JPN}}、{{flag|"
               "KOR}}、{{flag|VIE}}）{{標音|貍|"
               "拼音=lí}}{{哪些？}}",
               "（にっぽんご Nippongo、日語：か、서울、日本、韩国、越南）貍"}});
  expect_all("ja", {{"{{傍点|文章=甲}}の{{翻字併記|el|Αθήνα|Athína}}（{{英文表記|Line 3}}）",
                     "甲のΑθήνα / Athína（Line 3）"}});
  expect_all("ru", {{"({{lang-ru|мир}}), {{год в музыке|1990}}, {{дата|5|3|1953}} {{т. е.}} {{S ll|Лев (зверь)|Лев}}",
                     "(рус. мир), 1990, 5 марта 1953 т. е. Лев"}});
  expect_all("fr", {{"la {{XVIIIe dynastie}} {{c.-à-d.}} le {{20e arrondissement}}, {{nos|5 et 6}}, n{{o}}5",
                     "la XVIIIe dynastie c.-à-d. le 20e arrondissement, nos 5 et 6, no5"}});
  expect_all("de", {{"({{szlS|Xx}}, {{nnS|Yy}}) {{\"-en|Yes.}}", "(schlesisch Xx, Nynorsk Yy) „Yes.“"}});
}

TEST(LanguageText, NamesOfRarerLanguages) {
  expect_all("de", {{"({{teS|Xx}}, {{quS|Yy}})", "(Telugu Xx, Quechua Yy)"}});
  expect_all("es", {{"({{lang-hu|Xx}}; {{lang-eu|Yy}})", "(en húngaro: Xx; en euskera: Yy)"}});
  expect_all("fr", {{"({{lang-vi|Xx}} ; {{lang-sr|Yy}})", "(en vietnamien : Xx ; en serbe : Yy)"}});
  expect_all("ar", {{"({{lang-bg|Xx}})", "(بالبلغارية: Xx)"}});
  expect_all("zh", {{"（{{lang-da|Xx}}）", "（丹麥語：Xx）"}});
  expect_all("ja", {{"（{{lang-cs|Xx}}）", "（チェコ語: Xx）"}});
  expect_all("ru", {{"({{lang-te|Xx}})", "(телугу Xx)"}});
}

TEST(LanguageText, German) {
  expect_all("de", {{"Ang Lee ({{zh|c=李安|p=Lǐ Ān}}), ({{zh|t=美國|v=美国}})",
                     "Ang Lee (chinesisch 李安, Pinyin Lǐ Ān), (chinesisch 美國 / 美国)"},
                    {"auf {{Höhe|115|DE-NHN}}, {{Höhe|1115|AT}}, {{Höhe|9|US}}", "auf 115 m ü. NHN, 1115 m ü. A.,"},
                    {"B [{{IPA|ˈbøː}}] ({{IPA|a}}) {{\"|Ja|Autor=X}}, {{§|1|bgb|juris|text=§ 1 BGB}}",
                     "B [ˈbøː] ([a]) „Ja“, § 1 BGB"},
                    {"({{arS|مصر|d=Miṣr}}, {{ruS|мир}}) aus {{RUS}}, {{flag|RUS}}",
                     "(arabisch مصر, DMG Miṣr, russisch мир) aus Russland, Russland"},
                    {"sagt: {{Zitat-en|I am.|Übersetzung=Ich bin.}}", "sagt:\nI am.\nIch bin."}});
}

TEST(LanguageText, GermanTranscriptionsAndMeanings) {
  expect_all(
      "de",
      {{"Brücke ({{grcS|γέφυρα|géphyra|de=Damm}}; {{ruS|мост|most}}; {{laS|pons|de=[[Steg]]}}; "
        "{{hiS|पुल|pul|de=Damm}})",
        "Brücke (altgriechisch γέφυρα géphyra, deutsch ‚Damm‘; russisch мост most; lateinisch pons, deutsch ‚Steg‘; "
        "Hindi पुल pul, deutsch ‚Damm‘)"},
       {"({{jaS|橋|hashi|de=Brücke}}; {{arS|جسر|d=ǧisr|de=Brücke}}; {{enS|bridge}}; {{elS|γέφυρα|}}; {{koS|다리}})",
        "(japanisch 橋, hashi, deutsch ‚Brücke‘; arabisch جسر, DMG ǧisr, deutsch ‚Brücke‘; englisch bridge; "
        "griechisch γέφυρα; koreanisch 다리)"},
       {"({{swgS|Brugg|de=Brücke}}) in {{ENG}}, {{DDR}} und {{KOS}}: {{ZahlExp|6,022|23}}, {{BVerfGE|5|85}}{{Sinken}}.",
        "(schwäbisch Brugg, deutsch ‚Brücke‘) in England, Deutsche Demokratische Republik und Kosovo: 6,022 · 10^23, "
        "BVerfGE 5, 85."}});
}

TEST(LanguageText, MoreNamesOfLanguagesInRussianArabicAndChinese) {
  expect_all("ru", {{"мо{{'}}ст ({{lang-orv|мостъ}}; {{lang-vep|sild}}; {{lang-chg|x}}){{комм|a}}",
                     "мо́ст (др.-рус. мостъ; вепс. sild; чагат. x)"},
                    {"Род. в {{Место рождения|Тверь|в Твери}}, × {{→}} {{нихонго2|橋}}", "Род. в Тверь, × → 橋"}});
  expect_all("ar",
             {{"جسر {{إسبرانتو|ponto}} ({{بالفينيقية|x}}؛ {{مصرية قديمة|y}}؛ {{lang-kk|көпір}}؛ {{lang-ckb|pird}})",
               "جسر (بالإسبرانتو: ponto) (بالفينيقية: x؛ بالمصرية القديمة: y؛ بالكازاخية: көпір؛ بالكردية: pird)"},
              {"قال:\n\n{{قصيدة|سماء|ماء|جبل|رمل}}\n\nثم {{آية|كلام}} وسكت{{رأي}}.",
               "قال:\nسماء... ماء\nجبل... رمل\nثم «كلام» وسكت."}});
  expect_all("zh", {{"橋（{{lang-ang|brycg}}，{{lang-nan|kiô}}）在{{跨語言鏈接|某河|en|Some River}}上{{刪除線|的}}。",
                     "橋（古英語：brycg，閩南語：kiô）在某河上的。"}});
}

TEST(LanguageText, Spanish) {
  expect_all(
      "es", {{"en el {{AC|siglo V}}, {{esd|siglo X}}, {{unidad|30|km|2}}{{Harvnp|Soler|2020}} de {{EEUU}}",
              "en el siglo V a. C., siglo X, 30 km2 de Estados Unidos"},
             {"{{bandera2|FRA}}, {{v|Vicent}}, {{fracción|1|2}}", "Francia, Vicent, 1/2"},
             {"el {{julgregfecha|25|12|1642}} y el {{Julgregfecha|20|3|1727}}",
              "el 25 de diciembre de 1642jul./ 4 de enero de 1643greg. y el 20 de marzojul./ 31 de marzo de 1727greg."},
             {"{{fecha|24|2}}, {{fecha||2|1993}}, {{fecha|||1993}}, {{fecha|24|2|1993|edad}}",
              "24 de febrero, febrero de 1993, 1993,"},
             {"{{fecha|1937}}, {{fecha|5|1937}}, {{fecha|1|enero|1990}}", "1937, mayo de 1937, 1 de enero de 1990"},
             {"{{siglo|XIX||a}} y {{Siglo|XX||A}}, 10{{superíndice|3}}", "s. XIX y S. XX, 10^3"},
             {"en {{ca}} y {{la}} río", "en y río"}});
}

TEST(LanguageText, WhatAForeignTextMeans) {
  expect_all("en", {{"a ({{lang-ru|мир|mir|peace}}, {{langx|el|κόσμος|kósmos}}, {{lang-fr|monde|lit=world}}, "
                     "{{lang-fr|oui|x}}, {{lang-pa|ਅ|ب}})",
                     "a (Russian: мир, romanized: mir, lit. 'peace', Greek: κόσμος, romanized: kósmos, French: monde, "
                     "lit. 'world')"}});
  expect_all("ru", {{"({{lang-en|peace|мир}}; {{langx|la|pax|мир}})", "(англ. peace — «мир»; лат. pax — «мир»)"}});
}

TEST(LanguageText, EnglishSigns) {
  expect_all(
      "en", {{"born{{dagger}} in {{USA}} ({{flag|GBR}}), {{nts|1234}}, {{RA|12|30}}, {{DEC|+12|5|6}}, 5 {{solar mass}}",
              "born† in United States (United Kingdom), 1,234, 12h 30m, +12° 5′ 6″, 5 M☉"},
             {"Ann {{post-nominals|OBE|FRS|country=GBR}}, {{slink|A|B}}, {{pipe}} {{F1 GP|2008|Monaco}}",
              "Ann OBE FRS, A § B, | 2008 Monaco Grand Prix"}});
}

TEST(LanguageText, AgesAndFractions) {
  expect_all("en", {{"aged {{age|1879|3|14|1955|4|18}}, {{age|1879|4|19|1955|4|18}}, {{age|1879|3}} with {{3/4}}",
                     "aged 76, 75, with 3/4"},
                    {"{{pop density|3645257|640081.87|km2|sqmi|prec=1}}, {{pop density|50|0|km2|prec=0}}x",
                     "5.7/km2 (14.7/sq mi), x"},
                    {"{{pop density|10,000|20|sqmi|prec=0}} {{pop density|10|20|km2}}", "500/sq mi (193/km2)"}});
}

TEST(LanguageText, ASymbolMayHaveASlash) {
  expect_all("ar", {{"سرعة {{convert|50|km/h|mph|abbr=on}}", "سرعة 50 كم/س (31 ميل/س)"}});
  const clean::LanguageTable table("units: km/h=a\\/b/c/d\\/e\n");
  EXPECT_EQ(table.faults(), std::vector<std::string>());
  EXPECT_EQ(table.find_unit("km/h")->singular, "a/b");
  EXPECT_EQ(table.find_unit("km/h")->plural, "c");
  EXPECT_EQ(table.find_unit("km/h")->symbol, "d/e");
}

TEST(LanguageText, UnitsAreWhole) {
  const std::set<std::string_view> quantities{"length",      "area",       "volume",         "mass",         "speed",
                                              "temperature", "power",      "energy",         "force",        "torque",
                                              "density",     "population", "number density", "acceleration", "flow",
                                              "fuel use",    "price",      "pressure"};
  std::ifstream file(test::source_folder() / "src" / "wiki" / "clean" / "units.txt");
  std::size_t units = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#') || line.starts_with("spelled") || line.starts_with("prefixed")) continue;
    const clean::Unit* unit = clean::find_unit(line.substr(0, line.find(" | ")));
    ASSERT_NE(unit, nullptr) << line;
    EXPECT_TRUE(quantities.contains(unit->quantity)) << line;
    EXPECT_GT(unit->size, 0) << line;
    EXPECT_FALSE(unit->symbol.empty() || unit->singular.empty() || unit->plural.empty()) << line;
    std::istringstream targets{std::string(unit->target)};
    for (std::string target; targets >> target;) {
      ASSERT_NE(clean::find_unit(target), nullptr) << line;
      EXPECT_EQ(clean::find_unit(target)->quantity, unit->quantity) << line;
    }
    ++units;
  }
  EXPECT_GT(units, 150U);
  EXPECT_EQ(clean::find_unit("K")->zero, 0);
  EXPECT_TRUE(clean::find_unit("l/100km")->is_inverse);
  EXPECT_EQ(clean::find_unit("GWh")->size, 3.6e12);
}

TEST(LanguageText, NumbersAreGroupedAsTheLanguageDoes) {
  const clean::NumberSigns german{".", ",", 4};
  const clean::NumberSigns spanish{" ", ",", 5};
  EXPECT_EQ(clean::localized_number("1234.5", &german), "1.234,5");
  EXPECT_EQ(clean::localized_number("−1234,5", &spanish), "−1234,5");
  EXPECT_EQ(clean::localized_number("-12345", &spanish), "-12 345");
  EXPECT_EQ(clean::localized_number("1234", nullptr), "1234");
  const clean::NumberSigns english;
  EXPECT_EQ(clean::localized_number("1234.5", &english), "1,234.5");
  EXPECT_EQ(clean::localized_number("1,234", &english), "1,234");
  for (const std::string_view other : {"", "-", "1.234.567", "12 km", "1.", "1e3", "x1"}) {
    EXPECT_EQ(clean::localized_number(other, &german), other);
  }
  EXPECT_EQ(clean::localized_groups("1,234.5×10^12345", german), "1.234,5×10^12.345");
}

TEST(LanguageText, WhatTablesNameExists) {
  for (const auto& [language, file] : clean::language_files()) {
    const clean::LanguageTable table(file);
    for (const std::string_view model : table.models()) {
      EXPECT_TRUE(test::is_known_to_every_wiki(model)) << language << ": " << model;
    }
  }
}

TEST(LanguageText, FamiliesByTheFirstOrLastWord) {
  const clean::LanguageTable table("* siècle: {0}\nnothing: cite *\nlike chem: a\nwrappers: b\nas named: c\n");
  EXPECT_EQ(table.faults(), std::vector<std::string>());
  EXPECT_EQ(table.find("xxe siècle")->text, "{0}");
  EXPECT_EQ(table.find("cite web")->text, "");
  EXPECT_EQ(table.find("a")->alike, "chem");
  EXPECT_EQ(table.find("b")->text, "[{1}]");
  EXPECT_EQ(table.find("c")->text, "{0}[ {1}]");
  EXPECT_EQ(clean::LanguageTable("names: usa=É.-U., urss=URSS\n").find("usa")->text, "É.-U.");
  EXPECT_FALSE(table.find("siècle"));
  EXPECT_FALSE(table.find("cite"));
  EXPECT_FALSE(table.find("web cite"));
}

TEST(LanguageText, CountriesThatOnlyTeamsHave) {
  expect_all("ru", {{"{{ENG}}, {{fb|WAL}}, {{flag|TPE}}, {{Косово}}, {{Речь Посполитая}}, 5 {{а. е.}}",
                     "Англия, Уэльс, Китайский Тайбэй, Косово, Речь Посполитая, 5 а. е."}});
  expect_all("ar", {{"{{ENG}}, {{flagIOC|SCO|2008 Summer}}, {{GDR}}, {{BDI}}",
                     "إنجلترا, اسكتلندا, ألمانيا الشرقية, بوروندي"}});
  expect_all("ja", {{"{{ENG}}、{{flagIOC|SYR}}、{{flag|TCH}}", "イングランド、シリア、チェコスロバキア"}});
  expect_all("zh", {{"{{ENG}}、{{flagIOC|SCO}}、{{flag|GDR}}、{{UK}}", "英格兰、苏格兰、东德、英国"}});
}

TEST(LanguageText, LanguagesInOneOfTheirScriptsOrCountries) {
  expect_all("ja", {{"{{lang-sr-latn|Most}}、{{lang-en-gb|lift}}、{{lang-zh-min-nan|kiô}}、{{lang-ain|x}}",
                     "セルビア語: Most、英語: lift、kiô、アイヌ語: x"}});
  expect_all("ru", {{"({{lang-sr-Latn|Most}}; {{langx|be-tarask|мост}})", "(серб. Most; белор. мост)"}});
}

TEST(LanguageText, SignsOfLanguagesWithATextAndWithout) {
  expect_all("ja",
             {{"橋（{{En|bridge}}、{{lang-sv-short|bro}}、{{音声ルビ|はし}}）{{en}}である{{VOICE Notice Hidden|注}}。",
               "橋（bridge、典: bro、はし）である。"}});
  expect_all("zh", {{"{{en}}這是{{〈}}{{red|紅}}橋{{〉}}", "這是〈紅橋〉"}});
}

TEST(LanguageText, NotesToArabicAndRussianEditors) {
  expect_all("ar", {{"جسر{{تأكيد مصدر}} قديم{{شطب|سبب}} {{Ill-WD2|بيت|id=Q1|text=دار}}", "جسر قديم دار"}});
  expect_all("ru", {{"мост{{у кого?}} стар{{какой именно?|1|2|2020}}", "мост стар"}});
}

}  // namespace
}  // namespace bertprep
