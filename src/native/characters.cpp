#include "native/characters.hpp"

#include "base/utf8.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace quaestor::native {

namespace {

constexpr char32_t kReplacementPoint = 0xFFFD;

struct PointRange {
    char32_t first;
    char32_t last;
    [[nodiscard]] constexpr bool has(char32_t point) const { return first <= point && point <= last; }
};

/// Points from 0x80 on that are no part of a word.
constexpr std::array<PointRange, 10> kMarks{{{0x80, 0xA9},
                                             {0xAB, 0xB4},
                                             {0xB6, 0xB9},
                                             {0xBB, 0xBF},
                                             {0xD7, 0xD7},
                                             {0xF7, 0xF7},
                                             {0x2000, 0x2BFF},
                                             {0x3000, 0x303F},
                                             {0xFE00, 0xFE0F},
                                             {0xFF00, 0xFF0F}}};

/// Combining accents, of which nothing is left.
constexpr std::array<PointRange, 2> kAccents{{{0x300, 0x36F}, {0x483, 0x487}}};

// What each point of a range folds to, in order: its lower case (Unicode 14), decomposed, without accents. Points that
// stand for themselves are letters that decompose to nothing else, marks, and points not given to a character. Those
// that fold to two letters or to none are looked up before.
// clang-format off
constexpr std::u16string_view kLatin =
    u"aaaaaaÆceeeeiiiidnooooo×ouuuuyÞßaaaaaaæceeeeiiiidnooooo÷ouuuuyþy"
    u"aaaaaaccccccccddddeeeeeeeeeegggggggghhħħiiiiiiiiiiĳĳjjkkĸllllllŀ"
    u"ŀllnnnnnnŉŋŋooooooŒœrrrrrrssssssssttttŧŧuuuuuuuuuuuuwwyyyzzzzzzſ"
    u"ƀɓƃƃƅƅɔƈƈɖɗƌƌƍǝəɛƒƒɠɣƕɩɨƙƙƚƛɯɲƞɵooƣƣƥƥʀƨƨʃƪƫƭƭʈuuʊʋƴƴƶƶʒƹƹƺƻƽƽƾƿ"
    u"ǀǁǂǃǆǆǆǉǉǉǌǌǌaaiioouuuuuuuuuuǝaaaaææǥǥggkkooooʒʒjǳǳǳggƕƿnnaaææøø"
    u"aaaaeeeeiiiioooorrrruuuussttȝȝhhƞȡȣȣȥȥaaeeooooooooyyȴȵȶȷȸȹⱥȼȼƚⱦȿ"
    u"ɀɂɂƀʉʌɇɇɉɉɋɋɍɍɏɏ";
static_assert(kLatin.size() == 0x250 - 0xC0);

constexpr std::u16string_view kGreekAndCyrillic =
    u"ͱͱͳͳʹ͵ͷͷ\u0378\u0379ͺͻͼͽ;ϳ\u0380\u0381\u0382\u0383΄¨α·εηι\u038Bο\u038Dυωιαβγδεζηθικλμνξοπρ\u03A2στυφχψωιυαεηι"
    u"υαβγδεζηθικλμνξοπρςστυφχψωιυουωϗϐϑϒϒϒϕϖϗϙϙϛϛϝϝϟϟϡϡϣϣϥϥϧϧϩϩϫϫϭϭϯϯ"
    u"ϰϱϲϳθϵ϶ϸϸϲϻϻϼͻͼͽееђгєѕііјљњћкиуџабвгдежзииклмнопрстуфхцчшщъыьэюя"
    u"абвгдежзииклмнопрстуфхцчшщъыьэюяееђгєѕііјљњћкиуџѡѡѣѣѥѥѧѧѩѩѫѫѭѭѯѯ"
    u"ѱѱѳѳѵѵѵѵѹѹѻѻѽѽѿѿҁҁ҂\u0483\u0484\u0485\u0486\u0487\u0488\u0489ҋҋҍҍҏҏґґғғҕҕҗҗҙҙққҝҝҟҟҡҡңңҥҥҧҧҩҩҫҫҭҭүү"
    u"ұұҳҳҵҵҷҷҹҹһһҽҽҿҿӏжжӄӄӆӆӈӈӊӊӌӌӎӎӏааааӕӕееәәәәжжззӡӡииииооөөөөээуу"
    u"ууууччӷӷыыӻӻӽӽӿӿԁԁԃԃԅԅԇԇԉԉԋԋԍԍԏԏԑԑԓԓԕԕԗԗԙԙԛԛԝԝԟԟԡԡԣԣԥԥԧԧԩԩԫԫԭԭԯԯ";
static_assert(kGreekAndCyrillic.size() == 0x530 - 0x370);

constexpr std::u16string_view kLatinAndGreekExtended =
    u"aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmm"
    u"mmmmnnnnnnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvv"
    u"wwwwwwwwwwxxxxyyzzzzzzhtwyẚſẜẝßẟaaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee"
    u"eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyyỻỻỽỽỿỿ"
    u"ααααααααααααααααεεεεεε\u1F16\u1F17εεεεεε\u1F1E\u1F1Fηηηηηηηηηηηηηηηηιιιιιιιιιιιιιιιι"
    u"οοοοοο\u1F46\u1F47οοοοοο\u1F4E\u1F4Fυυυυυυυυ\u1F58υ\u1F5Aυ\u1F5Cυ\u1F5Eυωωωωωωωωωωωωωωωωααεεηηιιοουυωω\u1F7E\u1F7F"
    u"ααααααααααααααααηηηηηηηηηηηηηηηηωωωωωωωωωωωωωωωωααααα\u1FB5ααααααα᾽ι᾿"
    u"῀¨ηηη\u1FC5ηηεεηηη᾿᾿᾿ιιιι\u1FD4\u1FD5ιιιιιι\u1FDC῾῾῾υυυυρρυυυυυυρ¨¨`\u1FF0\u1FF1ωωω\u1FF5ωωοοωωω´῾\u1FFF";
static_assert(kLatinAndGreekExtended.size() == 0x2000 - 0x1E00);
// clang-format on

/// The two letters that are written for one, or nothing.
constexpr std::string_view two_letters(char32_t point) {
    switch (point) {
        case U'Æ':
        case U'æ':
            return "ae";
        case U'Œ':
        case U'œ':
            return "oe";
        case U'Þ':
        case U'þ':
            return "th";
        case U'ß':
            return "ss";
        default:
            return {};
    }
}

constexpr char32_t fold_to_one(char32_t point) {
    const auto in = [point](std::u16string_view table, char32_t first) {
        return point >= first && point - first < table.size();
    };
    if (in(kLatin, 0xC0)) return kLatin[point - 0xC0];
    if (in(kGreekAndCyrillic, 0x370)) return kGreekAndCyrillic[point - 0x370];
    if (in(kLatinAndGreekExtended, 0x1E00)) return kLatinAndGreekExtended[point - 0x1E00];
    return point;
}

void append_point(std::string& out, char32_t point) {
    std::array<char, U8_MAX_LENGTH> bytes{};
    std::size_t size = 0;
    U8_APPEND_UNSAFE(bytes.data(), size, point);
    out.append(bytes.data(), size);
}

}  // namespace

char32_t next_long_point(std::string_view text, std::size_t& at) {
    const UChar32 point = utf8::next(text, at);
    return point == utf8::kMalformed ? kReplacementPoint : static_cast<char32_t>(point);
}

std::size_t count_points(std::string_view text) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); ++count) std::ignore = next_point(text, at);
    return count;
}

std::string_view first_points(std::string_view text, std::size_t count) {
    std::size_t at = 0;
    for (; count > 0 && at < text.size(); --count) std::ignore = next_point(text, at);
    return text.substr(0, at);
}

bool is_long_word_point(char32_t point) {
    return std::ranges::none_of(kMarks, [point](const PointRange& range) { return range.has(point); });
}

void append_folded_long(std::string& out, char32_t point) {
    if (std::ranges::any_of(kAccents, [point](const PointRange& range) { return range.has(point); })) return;
    if (const auto letters = two_letters(point); !letters.empty()) {
        out += letters;
        return;
    }
    append_point(out, fold_to_one(point));
}

}  // namespace quaestor::native
