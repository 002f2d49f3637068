// A text file read piece by piece as UTF-8, whatever it is written in: UTF-8, UTF-16, UTF-32 or Windows-1252, plain or
// packed with gzip. Private to the import; whoever opens one owns it.
// Threads: one at a time.
#pragma once

#include "base/error.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct gzFile_s;

namespace quaestor::data {

/// What was met while reading a text.
struct TextFindings {
    /// True when what does not fit UTF-8 outweighs what does: the text is written in something else.
    [[nodiscard]] bool deny_utf8() const { return malformed > multibyte; }

    std::int64_t nul_bytes = 0;        ///< left out of the text
    std::int64_t malformed = 0;        ///< pieces that are no UTF-8; they became U+FFFD
    std::int64_t multibyte = 0;        ///< characters beyond ASCII that are well-formed UTF-8
    std::int64_t first_malformed = 0;  ///< the line, from 1
};

class TextSource {
public:
    /// Bytes that are read at once, and looked at to guess the encoding.
    static constexpr std::size_t kPieceBytes = std::size_t{256} << 10;

    enum class Fallback { none, windows_1252 };  ///< what text without a BOM is when it is not read as UTF-8

    /// Opens `path` and looks at its beginning. Code::invalid_argument when that is no text.
    [[nodiscard]] static Result<TextSource> open(const std::string& path, Fallback fallback = Fallback::none);
    ~TextSource();
    TextSource(TextSource&&) noexcept;
    TextSource& operator=(TextSource&&) noexcept;

    /// Adds the next piece to `out`; false at the end of the file.
    [[nodiscard]] Result<bool> read(std::string& out);

    /// What a person should know of the text: "read as UTF-16LE".
    void add_notes(std::vector<std::string>& notes) const;
    /// False when the file is not, byte for byte, the text that was read so far.
    [[nodiscard]] bool is_plain() const {
        return !decoder_ && !has_mark_ && findings_.malformed == 0 && findings_.nul_bytes == 0;
    }
    [[nodiscard]] const TextFindings& findings() const { return findings_; }
    /// Bytes of the file that have been read, packed ones where it is packed.
    [[nodiscard]] std::int64_t position() const;

private:
    struct CloseFile {
        void operator()(gzFile_s* file) const;
    };
    class Decoder;

    TextSource();
    [[nodiscard]] Result<> choose_encoding(Fallback fallback);
    [[nodiscard]] Result<bool> read_bytes(std::string& out);
    void add_utf8(std::string& out);
    [[nodiscard]] Result<> add_converted(std::string& out, bool is_last);

    std::string path_;
    std::unique_ptr<gzFile_s, CloseFile> file_;
    std::unique_ptr<Decoder> decoder_;  ///< none for UTF-8
    std::string encoding_ = "UTF-8";
    std::string pending_;  ///< bytes that are not decoded yet
    bool has_mark_ = false;
    bool ended_ = false;
    std::int64_t lines_ = 0;
    TextFindings findings_;
};

}  // namespace quaestor::data
