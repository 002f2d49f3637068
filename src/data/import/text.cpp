#include "data/import/text.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>
#include <unicode/ucnv.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>
#include <zlib.h>

namespace quaestor::data {

namespace {

using namespace std::string_view_literals;

struct Mark {
    std::string_view bytes;
    std::string_view meaning;
};

/// A UTF-32 mark begins like a UTF-16 one, so it comes first.
constexpr auto kByteOrderMarks = std::to_array<Mark>({
    {"\xff\xfe\0\0"sv, "UTF-32LE"},
    {"\0\0\xfe\xff"sv, "UTF-32BE"},
    {"\xef\xbb\xbf"sv, "UTF-8"},
    {"\xff\xfe"sv, "UTF-16LE"},
    {"\xfe\xff"sv, "UTF-16BE"},
});

constexpr auto kOtherFiles = std::to_array<Mark>({
    {"PAR1"sv, "a Parquet file"},
    {"PK\x03\x04"sv, "a ZIP archive or an office document"},
    {"SQLite format 3\0"sv, "a SQLite database"},
    {"%PDF-"sv, "a PDF document"},
    {"\x89PNG"sv, "a picture"},
    {"\xff\xd8\xff"sv, "a picture"},
    {"\xd0\xcf\x11\xe0"sv, "an old office document"},
    {"\x28\xb5\x2f\xfd"sv, "packed with Zstandard"},
    {"BZh"sv, "packed with bzip2"},
});

/// Text may hold a few NUL bytes by accident; with more than one in so many bytes it is no text.
constexpr std::ptrdiff_t kBytesPerNul = 20;

/// UTF-16 without a mark: nearly every other byte of Western text is NUL.
std::string_view guess_utf16(std::string_view bytes) {
    std::array<std::size_t, 2> nuls{};
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        if (bytes[at] == '\0') ++nuls[at % 2];
    }
    const std::size_t half = bytes.size() / 2;
    if (nuls[1] * 10 > half * 4 && nuls[0] * 10 < half) return "UTF-16LE";
    if (nuls[0] * 10 > half * 4 && nuls[1] * 10 < half) return "UTF-16BE";
    return {};
}

Error cannot_read(const std::string& path, std::string_view why) {
    return fail(Code::unavailable, fmt::format("{} cannot be read: {}", path, why),
                "look whether the file is complete and may be read")
        .error();
}

/// How many bytes at the end of `bytes` begin a character that is not complete yet.
std::size_t incomplete_tail(std::string_view bytes) {
    for (std::size_t back = 1; back <= std::min<std::size_t>(3, bytes.size()); ++back) {
        const auto lead = static_cast<unsigned char>(bytes[bytes.size() - back]);
        if (U8_IS_TRAIL(lead)) continue;
        return U8_IS_LEAD(lead) && U8_COUNT_TRAIL_BYTES(lead) >= back ? back : 0;
    }
    return 0;
}

/// Refuses a file that is plainly something else.
Result<> check_is_text(const std::string& path, std::string_view beginning) {
    for (const auto& [bytes, meaning] : kOtherFiles) {
        if (!beginning.starts_with(bytes)) continue;
        return fail(Code::invalid_argument, fmt::format("{} is no text but {}", path, meaning),
                    "give it the ending of its kind, or export it as CSV");
    }
    const bool is_utf16 = beginning.starts_with("\xff\xfe") || beginning.starts_with("\xfe\xff") ||
                          beginning.starts_with("\0\0\xfe\xff"sv) || !guess_utf16(beginning).empty();
    const auto nuls = std::ranges::count(beginning, '\0');
    if (!is_utf16 && nuls * kBytesPerNul > std::ssize(beginning)) {
        return fail(Code::invalid_argument, fmt::format("{} is no text: it is full of NUL bytes", path),
                    "look whether it is the right file");
    }
    return {};
}

}  // namespace

void TextSource::CloseFile::operator()(gzFile_s* file) const {
    gzclose_r(file);
}

/// Another encoding as UTF-8, through UTF-16; characters may be split between pieces.
class TextSource::Decoder {
public:
    explicit Decoder(const std::string& encoding) {
        UErrorCode status = U_ZERO_ERROR;
        from_.reset(ucnv_open(encoding.c_str(), &status));
        to_.reset(ucnv_open("UTF-8", &status));
    }
    [[nodiscard]] bool works() const { return from_ && to_; }

    [[nodiscard]] bool decode(std::string_view bytes, std::string& out, bool is_last) {
        const char* source = bytes.data();
        UErrorCode status = U_BUFFER_OVERFLOW_ERROR;
        while (status == U_BUFFER_OVERFLOW_ERROR) {
            status = U_ZERO_ERROR;
            char* target = utf8_.data();
            ucnv_convertEx(to_.get(), from_.get(), &target, utf8_.data() + utf8_.size(), &source,
                           bytes.data() + bytes.size(), middle_.data(), &middle_read_, &middle_written_,
                           middle_.data() + middle_.size(), 0, static_cast<UBool>(is_last), &status);
            out.append(utf8_.data(), target);
        }
        return U_SUCCESS(status) != 0;
    }

private:
    struct Close {
        void operator()(UConverter* converter) const { ucnv_close(converter); }
    };
    std::unique_ptr<UConverter, Close> from_;
    std::unique_ptr<UConverter, Close> to_;
    std::array<UChar, 4096> middle_{};
    UChar* middle_read_ = middle_.data();
    UChar* middle_written_ = middle_.data();
    std::array<char, 16384> utf8_{};
};

TextSource::TextSource() = default;
TextSource::~TextSource() = default;
TextSource::TextSource(TextSource&&) noexcept = default;
TextSource& TextSource::operator=(TextSource&&) noexcept = default;

Result<TextSource> TextSource::open(const std::string& path, Fallback fallback) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) {
        return fail(Code::not_found, fmt::format("there is no file {}", path), "look whether the path is right");
    }
    TextSource source;
    source.path_ = path;
    source.file_.reset(gzopen(path.c_str(), "rbe"));
    if (!source.file_) {
        const auto code = errno == EACCES ? Code::permission_denied : Code::unavailable;
        return fail(code, fmt::format("{} cannot be opened: {}", path, std::strerror(errno)),
                    "look whether it may be read");
    }
    gzbuffer(source.file_.get(), kPieceBytes);
    if (auto read = source.read_bytes(source.pending_); !read) return fail(read.error());
    if (auto text = check_is_text(path, source.pending_); !text) return fail(text.error());
    if (auto chosen = source.choose_encoding(fallback); !chosen) return fail(chosen.error());
    return source;
}

Result<> TextSource::choose_encoding(Fallback fallback) {
    std::string_view mark;
    for (const auto& [bytes, meaning] : kByteOrderMarks) {
        if (!pending_.starts_with(bytes)) continue;
        mark = meaning;
        pending_.erase(0, bytes.size());
        has_mark_ = true;
        break;
    }
    if (mark.empty()) mark = guess_utf16(pending_);
    if (mark.empty() && fallback == Fallback::windows_1252) mark = "windows-1252";
    if (mark.empty() || mark == "UTF-8") return {};
    decoder_ = std::make_unique<Decoder>(std::string(mark));
    if (!decoder_->works()) return fail(Code::internal, fmt::format("ICU cannot read {}", mark));
    encoding_ = mark == "windows-1252" ? "Windows-1252 (Latin-1)" : mark;
    return {};
}

Result<bool> TextSource::read_bytes(std::string& out) {
    const std::size_t before = out.size();
    out.resize(before + kPieceBytes);
    const int got = gzread(file_.get(), out.data() + before, kPieceBytes);
    out.resize(before + static_cast<std::size_t>(std::max(got, 0)));
    int code = Z_OK;
    const char* const why = gzerror(file_.get(), &code);
    // A packed file that ends too early is told as Z_BUF_ERROR, with the bytes up to there.
    if (got < 0 || code == Z_BUF_ERROR) {
        return fail(cannot_read(path_, code == Z_ERRNO ? std::strerror(errno) : why));
    }
    return got > 0;
}

Result<bool> TextSource::read(std::string& out) {
    if (ended_) return false;
    // The first piece was read when the file was opened.
    const auto more = pending_.size() >= kPieceBytes ? Result<bool>(true) : read_bytes(pending_);
    if (!more) return fail(more.error());
    ended_ = !*more;
    if (!decoder_) {
        add_utf8(out);
    } else if (auto added = add_converted(out, ended_); !added) {
        return fail(added.error());
    }
    return true;
}

void TextSource::add_utf8(std::string& out) {
    const std::size_t tail = ended_ ? 0 : incomplete_tail(pending_);
    const std::string_view bytes = std::string_view(pending_).substr(0, pending_.size() - tail);
    std::size_t copied = 0;
    const auto leave_out = [&](std::size_t begin, std::size_t end) {
        out.append(bytes, copied, begin - copied);
        copied = end;
    };
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t begin = at;
        const char byte = bytes[at];
        if (utf8::is_ascii(byte)) {
            ++at;
            if (byte == '\n') ++lines_;
            if (byte != '\0') continue;
            ++findings_.nul_bytes;
            leave_out(begin, at);
        } else if (utf8::next(bytes, at) != utf8::kMalformed) {
            ++findings_.multibyte;
        } else {
            if (findings_.malformed++ == 0) findings_.first_malformed = lines_ + 1;
            leave_out(begin, at);
            out += utf8::kReplacement;
        }
    }
    out.append(bytes, copied);
    pending_.erase(0, bytes.size());
}

Result<> TextSource::add_converted(std::string& out, bool is_last) {
    const std::size_t before = out.size();
    if (!decoder_->decode(pending_, out, is_last)) return fail(cannot_read(path_, "its encoding is broken"));
    pending_.clear();
    const auto kept = std::remove(out.begin() + static_cast<std::ptrdiff_t>(before), out.end(), '\0');
    findings_.nul_bytes += out.end() - kept;
    out.erase(kept, out.end());
    return {};
}

void TextSource::add_notes(std::vector<std::string>& notes) const {
    if (decoder_) notes.push_back(fmt::format("read as {}", encoding_));
    if (findings_.nul_bytes > 0) notes.push_back(fmt::format("NUL bytes left out: {}", findings_.nul_bytes));
    if (findings_.malformed > 0) {
        notes.push_back(fmt::format("characters that are no UTF-8 replaced by U+FFFD: {}, the first in line {}",
                                    findings_.malformed, findings_.first_malformed));
    }
}

std::int64_t TextSource::position() const {
    return gzoffset(file_.get());
}

}  // namespace quaestor::data
