#include "base/text.hpp"

#include "base/utf8.hpp"

#include <unicode/brkiter.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utext.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <numeric>
#include <stdexcept>

namespace quaestor::text {

namespace {

/// ICU fails only when its data is missing: a broken installation, not something a caller can handle.
void check(UErrorCode status) {
    if (U_FAILURE(status)) throw std::runtime_error(std::string("ICU does not work here: ") + u_errorName(status));
}

bool is_ascii(std::string_view text) {
    return std::ranges::all_of(text, utf8::is_ascii);
}

std::string valid(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    utf8::append_valid(out, text);
    return out;
}

using OpenText = std::unique_ptr<UText, decltype(&utext_close)>;

OpenText open_text(std::string_view text) {
    UErrorCode status = U_ZERO_ERROR;
    OpenText open(utext_openUTF8(nullptr, text.data(), static_cast<std::int64_t>(text.size()), &status), &utext_close);
    check(status);
    return open;
}

using MakeIterator = icu::BreakIterator* (*)(const icu::Locale&, UErrorCode&);

std::unique_ptr<icu::BreakIterator> make_iterator(MakeIterator make) {
    UErrorCode status = U_ZERO_ERROR;
    std::unique_ptr<icu::BreakIterator> iterator(make(icu::Locale::getRoot(), status));
    check(status);
    return iterator;
}

/// Calls `visit(piece, rule_status)` for each piece of well-formed `text` until it returns false.
template <class Visit>
void for_each_piece(icu::BreakIterator& iterator, std::string_view text, Visit visit) {
    const OpenText open = open_text(text);
    UErrorCode status = U_ZERO_ERROR;
    iterator.setText(open.get(), status);
    check(status);
    auto begin = static_cast<std::size_t>(iterator.first());
    for (auto next = iterator.next(); next != icu::BreakIterator::DONE; next = iterator.next()) {
        const auto end = static_cast<std::size_t>(next);
        if (!visit(text.substr(begin, end - begin), iterator.getRuleStatus())) return;
        begin = end;
    }
}

/// Visits the characters of well-formed `text` as people see them, until `visit` returns false.
template <class Visit>
void for_each_character(std::string_view text, Visit visit) {
    if (is_ascii(text)) {
        for (std::size_t at = 0; at < text.size() && visit(text.substr(at, 1)); ++at) {
        }
        return;
    }
    thread_local const auto iterator = make_iterator(&icu::BreakIterator::createCharacterInstance);
    for_each_piece(*iterator, text, [&](std::string_view character, std::int32_t) { return visit(character); });
}

const icu::Normalizer2& normalizer(const icu::Normalizer2* (*get)(UErrorCode&)) {
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2* found = get(status);
    check(status);
    return *found;
}

icu::UnicodeString normalize(const icu::UnicodeString& text, const icu::Normalizer2* (*get)(UErrorCode&)) {
    UErrorCode status = U_ZERO_ERROR;
    icu::UnicodeString out = normalizer(get).normalize(text, status);
    check(status);
    return out;
}

bool is_accent(UChar32 point) {
    const auto block = ublock_getCode(point);
    return block == UBLOCK_COMBINING_DIACRITICAL_MARKS || block == UBLOCK_COMBINING_DIACRITICAL_MARKS_EXTENDED ||
           block == UBLOCK_COMBINING_DIACRITICAL_MARKS_SUPPLEMENT;
}

/// The plain letter of those whose stroke or missing dot Unicode does not see as an accent.
UChar32 without_stroke(UChar32 point) {
    switch (point) {
        case U'đ':
            return 'd';
        case U'ħ':
            return 'h';
        case U'ı':
            return 'i';
        case U'ł':
            return 'l';
        case U'ø':
            return 'o';
        case U'ŧ':
            return 't';
        default:
            return point;
    }
}

icu::UnicodeString without_accents(const icu::UnicodeString& decomposed) {
    icu::UnicodeString out;
    for (std::int32_t at = 0; at < decomposed.length(); at = decomposed.moveIndex32(at, 1)) {
        const UChar32 point = decomposed.char32At(at);
        if (!is_accent(point)) out.append(without_stroke(point));
    }
    return out;
}

bool is_invisible(UChar32 point) {
    constexpr std::uint32_t kInvisible = U_GC_MN_MASK | U_GC_ME_MASK | U_GC_CF_MASK | U_GC_CC_MASK;
    return (U_GET_GC_MASK(point) & kInvisible) != 0;
}

bool is_wide(UChar32 point) {
    constexpr UChar32 kEmojiPresentation = 0xFE0F;
    const auto width = u_getIntPropertyValue(point, UCHAR_EAST_ASIAN_WIDTH);
    return width == U_EA_WIDE || width == U_EA_FULLWIDTH || point == kEmojiPresentation ||
           u_hasBinaryProperty(point, UCHAR_REGIONAL_INDICATOR);
}

/// Columns of one character as people see it, which may be many code points.
std::size_t width_of_character(std::string_view character) {
    std::size_t columns = 0;
    for (std::size_t at = 0; at < character.size();) {
        const UChar32 point = utf8::next(character, at);
        if (is_wide(point)) return 2;
        if (!is_invisible(point)) columns = 1;
    }
    return columns;
}

std::u32string fold_points(std::string_view text) {
    const std::string folded = fold(text);
    std::u32string points;
    for (std::size_t at = 0; at < folded.size();) points.push_back(static_cast<char32_t>(utf8::next(folded, at)));
    return points;
}

/// Optimal string alignment: three rows of the table are enough to see a swap.
std::size_t distance(std::u32string_view left, std::u32string_view right) {
    std::vector<std::size_t> before(right.size() + 1), above(right.size() + 1), row(right.size() + 1);
    std::iota(above.begin(), above.end(), std::size_t{0});
    for (std::size_t i = 1; i <= left.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= right.size(); ++j) {
            const std::size_t replaced = above[j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
            const bool swapped = i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1];
            if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, above);
        std::swap(above, row);
    }
    return above.back();
}

}  // namespace

bool is_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        if (utf8::next(text, at) == utf8::kMalformed) return false;
    }
    return true;
}

std::string clean(std::string_view text) {
    if (is_ascii(text)) return std::string(text);
    const std::string well_formed = valid(text);
    std::string out;
    return normalize(icu::UnicodeString::fromUTF8(well_formed), &icu::Normalizer2::getNFCInstance).toUTF8String(out);
}

std::string fold(std::string_view text) {
    using icu::Normalizer2;
    std::string out;
    if (is_ascii(text)) {
        std::ranges::transform(text, std::back_inserter(out), [](char byte) {
            return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + ('a' - 'A')) : byte;
        });
        return out;
    }
    const auto folded = normalize(icu::UnicodeString::fromUTF8(valid(text)), &Normalizer2::getNFKCCasefoldInstance);
    const auto bare = without_accents(normalize(folded, &Normalizer2::getNFDInstance));
    return normalize(bare, &Normalizer2::getNFCInstance).toUTF8String(out);
}

std::vector<std::string> words(std::string_view text) {
    thread_local const auto iterator = make_iterator(&icu::BreakIterator::createWordInstance);
    std::vector<std::string> found;
    for_each_piece(*iterator, valid(text), [&](std::string_view piece, std::int32_t status) {
        if (status >= UBRK_WORD_NONE_LIMIT) found.emplace_back(piece);
        return true;
    });
    return found;
}

std::vector<std::string> lines(std::string_view text) {
    std::vector<std::string> all;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        all.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return all;
}

std::string_view trim(std::string_view text) {
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size() && u_isUWhiteSpace(utf8::next(text, at));) begin = at;
    std::size_t end = text.size();
    for (std::size_t at = end; at > begin && u_isUWhiteSpace(utf8::previous(text, at));) end = at;
    return text.substr(begin, end - begin);
}

std::string shorten(std::string_view text, std::size_t columns) {
    constexpr std::string_view kEllipsis = "…";
    const std::string well_formed = valid(text);
    std::size_t width = 0;
    std::size_t kept = 0;  // bytes that leave a column for the ellipsis
    std::size_t seen = 0;
    for_each_character(well_formed, [&](std::string_view character) {
        width += width_of_character(character);
        seen += character.size();
        if (width < columns) kept = seen;
        return width <= columns;
    });
    if (width <= columns) return well_formed;
    if (columns == 0) return {};
    return well_formed.substr(0, kept).append(kEllipsis);
}

std::size_t display_width(std::string_view text) {
    std::size_t columns = 0;
    for_each_character(valid(text), [&](std::string_view character) {
        columns += width_of_character(character);
        return true;
    });
    return columns;
}

std::size_t edit_distance(std::string_view left, std::string_view right) {
    return distance(fold_points(left), fold_points(right));
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
    const std::u32string wanted = fold_points(word);
    std::size_t limit = std::max<std::size_t>(1, wanted.size() / 3);
    const std::string* best = nullptr;
    for (const std::string& candidate : candidates) {
        const std::size_t edits = distance(wanted, fold_points(candidate));
        if (edits > limit || (best && edits == limit)) continue;
        best = &candidate;
        limit = edits;
    }
    return best ? std::optional(*best) : std::nullopt;
}

}  // namespace quaestor::text
