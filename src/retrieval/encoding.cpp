#include "retrieval/encoding.hpp"

#include "base/text.hpp"
#include "retrieval/plain_text.hpp"

#include <fmt/format.h>
#include <unicode/ucsdet.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>
#include <memory>

namespace quaestor::retrieval {

namespace {

constexpr std::size_t kDetectedBytes = std::size_t{64} << 10;
/// Of a hundred characters this many may be control characters before a text counts as none.
constexpr std::size_t kControlPercentMax = 2;
constexpr std::string_view kZeroWidthSpace = "\u200B";
constexpr std::string_view kByteOrderMark = "\uFEFF";
constexpr std::string_view kSoftHyphen = "\u00AD";
constexpr std::string_view kNoBreakSpace = "\u00A0";

struct Mark {
    std::string_view bytes;
    std::string_view charset;
};
using namespace std::string_view_literals;
/// That of UTF-32LE begins with that of UTF-16LE, so it comes first.
constexpr std::array kMarks{Mark{"\xEF\xBB\xBF"sv, "UTF-8"}, Mark{"\xFF\xFE\0\0"sv, "UTF-32LE"},
                            Mark{"\0\0\xFE\xFF"sv, "UTF-32BE"}, Mark{"\xFF\xFE"sv, "UTF-16LE"},
                            Mark{"\xFE\xFF"sv, "UTF-16BE"}};

std::optional<std::string> decoded(std::string_view bytes, const std::string& charset) {
    const icu::UnicodeString text(bytes.data(), static_cast<std::int32_t>(bytes.size()), charset.c_str());
    if (text.isBogus() || (text.isEmpty() && !bytes.empty())) return std::nullopt;
    std::string utf8;
    text.toUTF8String(utf8);
    return utf8;
}

/// What is called Latin-1 nearly always is Windows' extension of it, as browsers take it.
std::string usual_charset(std::string_view name) {
    const std::string folded = lower_ascii(name);
    constexpr std::array kLatin{"iso-8859-1"sv, "iso8859-1"sv, "latin1"sv, "latin-1"sv, "us-ascii"sv, "ascii"sv};
    return is_one_of(folded, kLatin) ? "windows-1252" : std::string(name);
}

std::string likeliest_charset(std::string_view bytes) {
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<UCharsetDetector, decltype(&ucsdet_close)> detector(ucsdet_open(&status), ucsdet_close);
    const std::string_view seen = bytes.substr(0, kDetectedBytes);
    ucsdet_setText(detector.get(), seen.data(), static_cast<std::int32_t>(seen.size()), &status);
    const UCharsetMatch* match = ucsdet_detect(detector.get(), &status);
    if (U_FAILURE(status) || match == nullptr) return "windows-1252";
    const char* name = ucsdet_getName(match, &status);
    return U_FAILURE(status) || name == nullptr ? "windows-1252" : usual_charset(name);
}

Result<std::string> as_utf8(std::string_view bytes, std::string_view declared) {
    for (const Mark& mark : kMarks) {
        if (!bytes.starts_with(mark.bytes)) continue;
        const std::string_view rest = bytes.substr(mark.bytes.size());
        if (mark.charset == "UTF-8") return text::clean(rest);
        if (auto text = decoded(rest, std::string(mark.charset))) return *text;
    }
    if (!bytes.contains('\0') && text::is_utf8(bytes)) return text::clean(bytes);
    if (!declared.empty()) {
        const std::string charset = usual_charset(declared);
        if (lower_ascii(charset) != "utf-8") {
            if (auto text = decoded(bytes, charset)) return text::clean(*text);
        }
    }
    if (auto text = decoded(bytes, likeliest_charset(bytes))) return text::clean(*text);
    return text::clean(bytes);
}

bool is_control(char character) {
    const auto byte = static_cast<unsigned char>(character);
    return (byte < 0x20 && character != '\n' && character != '\t' && character != '\r' && character != '\f') ||
           byte == 0x7f;
}

}  // namespace

Result<std::string> to_utf8(std::string_view bytes, std::string_view declared) {
    auto text = as_utf8(bytes, declared);
    if (!text) return text;
    const auto controls = static_cast<std::size_t>(std::ranges::count_if(*text, is_control));
    if (controls * 100 > text->size() * kControlPercentMax) {
        return fail(Code::corrupt, "it holds bytes that are no text", "look whether the file is of another kind");
    }
    return plain_text(*text);
}

std::string plain_text(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view rest = text.substr(at);
        if (text[at] == '\r') {
            at += rest.starts_with("\r\n") ? 2 : 1;
            out += '\n';
        } else if (text[at] == '\f') {
            out += "\n\n";
            ++at;
        } else if (is_control(text[at])) {
            ++at;
        } else if (rest.starts_with(kNoBreakSpace)) {
            out += ' ';
            at += kNoBreakSpace.size();
        } else if (rest.starts_with(kSoftHyphen)) {
            at += kSoftHyphen.size();
        } else if (rest.starts_with(kZeroWidthSpace) || rest.starts_with(kByteOrderMark)) {
            at += kZeroWidthSpace.size();
        } else {
            out += text[at++];
        }
    }
    return out;
}

}  // namespace quaestor::retrieval
