#include "source/encoding/letters.h"

#include <array>

namespace bertprep {
namespace {

constexpr std::array kAlphabets = {
    // Latin, in the encodings of Central Europe, Turkey and the Baltic; the others need no list.
    Alphabet{"Czech", Script::kLatin, "í210 á170 ě120 é100 ř85 č75 ž75 ý70 š60 ů45 ú10 ó4 ť4 ď3 ň2"},
    Alphabet{"Slovak", Script::kLatin, "á210 í130 é110 ý100 č90 ž80 ú75 š65 ľ45 ť45 ô18 ň15 ä10 ó10 ď8 ĺ2 ŕ2"},
    Alphabet{"Polish", Script::kLatin, "ł230 ę180 ą150 ó140 ż130 ś95 ć60 ń30 ź10"},
    Alphabet{"Hungarian", Script::kLatin, "é290 á290 ö90 ő80 ó85 í55 ü55 ú30 ű25"},
    Alphabet{"Croatian", Script::kLatin, "š260 č260 ž200 ć180 đ100"},
    Alphabet{"Slovenian", Script::kLatin, "č420 š290 ž280 ć5"},
    Alphabet{"Romanian", Script::kLatin, "ă330 î180 ţ180 ş180 â110"},
    Alphabet{"Romanian with commas", Script::kLatin, "ă330 î180 ț180 ș180 â110"},
    Alphabet{"Lower Sorbian", Script::kLatin, "ł240 š170 ě170 ś150 ź70 ć70 ó50 č40 ž40 ń30 ŕ20"},
    Alphabet{"Upper Sorbian", Script::kLatin, "ł230 š150 ě200 ć130 ó90 č70 ž80 ř20 ń20 ś2 ź2"},
    Alphabet{"Turkish", Script::kLatin, "ı330 ü130 ş120 ğ80 ç85 ö65 İ30 â8 î5 û2"},
    Alphabet{"Azerbaijani", Script::kLatin, "ə400 ı200 ü80 ş70 ğ50 ç40 ö50 İ10"},
    Alphabet{"Lithuanian", Script::kLatin, "ė220 š170 ž120 į110 ų140 ū70 ą90 č60 ę25"},
    Alphabet{"Latvian", Script::kLatin, "ā370 ī180 ē150 š90 ū50 ņ50 ļ40 ž30 ģ15 č15 ķ15 ŗ2"},
    Alphabet{"Estonian", Script::kLatin, "õ300 ä340 ü230 ö80 š5 ž3"},
    Alphabet{"Maltese", Script::kLatin, "ħ400 ż300 ġ200 ċ80 à40"},
    Alphabet{"Esperanto", Script::kLatin, "ĝ240 ŭ220 ĉ240 ĵ100 ŝ140 ĥ20"},
    Alphabet{"Welsh", Script::kLatin, "ŵ250 ŷ200 â200 ô120 ê80 î80 û30 ï20"},
    Alphabet{"Vietnamese", Script::kLatin,
             "đ110 à70 á60 ư60 ô50 ê45 â40 ơ35 ạ45 ả30 ó30 ế35 ộ40 ì25 í20 ề30 ấ25 ă20 ị25 ủ20 ợ15 ờ15 ã15 ố15 ể20 "
             "ậ15 ầ12 ứ12 ự12 ữ12 ồ12 ớ10 ử8 ắ10 ằ6 ẽ6 ẹ6 ẻ5 ễ4 ệ20 ỉ6 ĩ4 ọ12 ỏ6 õ6 ỗ5 ổ10 ở10 ỡ3 ụ15 ũ8 ú10 ù6 ừ6 ặ10 "
             "ẳ3 ẵ2 ẩ3 ẫ3 ỳ2 ý5 ỷ2 ỹ2 ỵ1 è3 é5 ò6"},
    Alphabet{"Vietnamese with combining marks", Script::kLatin,
             "\u0301"
             "220 \u0300"
             "190 \u0323"
             "180 \u0309"
             "100 \u0303"
             "60 đ110 ư60 ô50 ê60 â50 ơ50 ă30"},
    // Cyrillic.
    Alphabet{
        "Russian", Script::kCyrillic,
        "о109 е85 а80 и74 н67 т63 с55 р47 в45 л44 к35 м32 д30 п28 у26 я20 ы19 ь17 г17 з16 б16 ч14 й12 х10 ж9 ш7 ю6 "
        "ц5 щ4 э3 ф3 ъ1 ё1"},
    Alphabet{
        "Ukrainian", Script::kCyrillic,
        "о94 а83 н68 и61 і57 в53 т53 е48 р47 с41 к36 л36 у33 м31 д31 п28 я23 з21 ь18 б17 г16 ч14 й14 х11 ж9 ц8 ю8 ш7 "
        "ї7 є5 щ4 ф3 ґ1"},
    Alphabet{
        "Belarusian", Script::kCyrillic,
        "а150 н65 і60 р50 е47 о43 л42 с42 к38 в36 т35 п30 м30 я47 ц40 у34 д30 ы37 ь16 з25 ў24 г16 б16 э15 ч15 й11 ж9 "
        "ш8 х9 ю7 ё7 ф2"},
    Alphabet{
        "Bulgarian", Script::kCyrillic,
        "а120 о88 и90 е83 т75 н70 в46 р48 с48 л32 д36 к34 п29 м23 з22 я18 ъ18 г15 б14 у13 ч14 ж7 ц8 щ6 ш5 х6 ю2 ф2 й6 "
        "ь1"},
    Alphabet{
        "Serbian", Script::kCyrillic,
        "а115 о96 и93 е88 н57 с49 р47 ј43 т43 у41 в37 д35 к35 п27 м30 л32 з17 г16 б15 ч10 х7 ш8 ц8 ж6 њ7 љ6 ћ6 ђ2 ф3 "
        "џ1"},
    Alphabet{
        "Macedonian", Script::kCyrillic,
        "а125 о95 и80 е90 н60 т70 р45 с45 в40 д35 к32 л25 п27 м23 у21 ј22 з18 г15 ш7 б13 ц10 ч8 ж6 њ3 љ2 ќ3 ѓ2 ф3 ѕ1 "
        "х3 џ1"},
    // Others.
    Alphabet{
        "Greek", Script::kGreek,
        "α90 ο80 ι70 τ80 ε70 ν65 σ50 ς40 η45 ρ42 π40 κ40 μ33 λ26 ω20 υ30 ί26 ά24 ό22 έ22 ή18 ύ10 ώ13 θ14 δ17 γ18 χ11 "
        "φ8 β7 ξ5 ζ4 ψ2 ϊ1 ϋ1"},
    Alphabet{"Hebrew", Script::kHebrew,
             "ו105 י110 ה90 ל75 א60 ר60 ת55 ב50 מ48 ש48 ם30 נ28 ד25 ח22 כ22 ע30 פ20 ק20 ט13 ג12 ז12 ן15 ס15 צ13 ך8 ף3 "
             "ץ3"},
    Alphabet{"Hebrew with points", Script::kHebrew,
             "ו70 י70 ה60 ל50 א40 ר40 ת35 ב35 מ32 ש32 ם20 נ18 ד17 ח15 כ15 ע20 פ13 ק13 ט8 ג8 ז8 ן10 ס10 צ9 ך5 ף2 ץ2 "
             "\u05B0"
             "40 \u05B4"
             "40 \u05B7"
             "50 \u05B8"
             "50 \u05B5"
             "25 \u05B6"
             "30 \u05B9"
             "25 \u05BC"
             "50 \u05BB"
             "5 \u05C1"
             "25 \u05C2"
             "8 \u05B1"
             "3 \u05B2"
             "8 "
             "\u05B3"
             "2"},
    Alphabet{
        "Arabic", Script::kArabic,
        "ا150 ل120 ي70 م60 و60 ن55 ر45 ت45 ب35 ة35 ع35 د30 س25 ف30 ه30 ك25 ق25 أ25 ح22 ج15 ش12 ص12 ى12 إ10 خ9 ض8 ط10 "
        "ذ8 ث6 ز6 غ5 ئ5 ء5 ظ3 ؤ2 آ2"},
    Alphabet{
        "Persian", Script::kArabic,
        "ا140 ی90 ي50 ر75 ن65 د65 ه60 م50 و60 ت45 ب40 س35 ش30 ل28 ک25 ك15 ز20 ف14 گ12 ع14 خ14 ق11 آ10 ج11 ح11 پ10 چ5 "
        "ص9 ط6 غ4 ض3 ذ2 ث1 ظ2 ژ1 ئ2 أ2"},
    Alphabet{"Thai", Script::kThai,
             "า95 น70 ร65 อ60 ก55 เ55 ง45 ่50 ้45 ม40 ย40 ล35 ว35 ด35 ท35 ส32 ต30 ั45 ี35 ิ30 ห30 บ30 ป25 ะ25 ค25 แ22 "
             "จ22 พ20 ็12 ื18 ุ18 ู15 ข20 ไ20 ใ18 โ14 ช18 ่10 ์14 ถ12 ผ9 ซ6 ภ8 ศ8 ณ8 ญ6 ธ7 ึ10 ำ18 ฟ4 ษ6 ฉ2 ๆ3 ฐ3 ฎ1 "
             "ฏ1 ฑ1 ฒ1 ฆ1 ฌ1 ฝ1 ฮ1 ฤ1 ๊1 ๋1"},
};

}  // namespace

std::span<const Alphabet> known_alphabets() {
  return kAlphabets;
}

}  // namespace bertprep
