// CSV as records of fields, read piece by piece with bounded memory. Lenient where people's files are: any line end, a
// blank before a quote, text behind one. A record that cannot be told from the rest of the file is passed over and
// counted. Private to the import. Threads: one at a time.
#pragma once

#include "base/error.hpp"
#include "data/import/text.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::data {

/// A record that is longer is taken for one whose quote was never closed.
inline constexpr std::size_t kCsvRecordBytesMax = std::size_t{8} << 20;

/// What separates fields; nothing when the file has one column.
using CsvDelimiter = std::optional<char>;

/// Takes the first record off a text.
class CsvRecord {
public:
    enum class Outcome { complete, needs_more };

    explicit CsvRecord(CsvDelimiter delimiter) : delimiter_(delimiter) {}

    /// Reads from the beginning of `text`, which must stay as long as the fields are used. Needs more when the record
    /// may go on behind the end of `text`, or never ends though the text `is_last`.
    [[nodiscard]] Outcome parse(std::string_view text, bool is_last);

    [[nodiscard]] std::size_t size() const { return fields_.size(); }
    [[nodiscard]] std::string_view field(std::size_t index) const;
    /// True for a line without anything on it.
    [[nodiscard]] bool is_blank() const { return fields_.size() == 1 && fields_[0].length == 0 && !fields_[0].quoted; }
    /// Bytes and line ends that it takes.
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    [[nodiscard]] std::int64_t lines() const { return lines_; }

private:
    struct Field {
        std::size_t begin = 0;
        std::size_t length = 0;
        bool quoted = false;
        bool rewritten = false;  ///< lies in rewritten_, not in text_
    };
    [[nodiscard]] bool is_end_of_field(char byte) const {
        return byte == '\n' || byte == '\r' || (delimiter_ && byte == *delimiter_);
    }
    std::size_t parse_field(std::size_t at);
    std::size_t parse_quoted(std::size_t at);
    [[nodiscard]] std::size_t skip_blanks(std::size_t at) const;

    CsvDelimiter delimiter_;
    std::string_view text_;
    std::string rewritten_;  ///< fields with doubled quotes
    std::vector<Field> fields_;
    std::size_t bytes_ = 0;
    std::int64_t lines_ = 0;
};

/// How the beginning of a file is split into records.
struct CsvShape {
    CsvDelimiter delimiter;
    std::size_t fields = 1;  ///< that most records have
    bool operator==(const CsvShape&) const = default;
};

/// By the delimiter that splits the beginning of a file most evenly.
[[nodiscard]] CsvShape guess_shape(std::string_view beginning, bool is_whole);

/// Records that were passed over.
struct CsvSkipped {
    static constexpr std::size_t kLinesTold = 5;

    std::int64_t count = 0;
    std::vector<std::int64_t> first_lines;

    void add(std::int64_t line) {
        ++count;
        if (first_lines.size() < kLinesTold) first_lines.push_back(line);
    }
};

class CsvReader {
public:
    /// Opens the file and guesses its shape.
    [[nodiscard]] static Result<CsvReader> open(const std::string& path, TextSource::Fallback fallback);

    /// Moves to the next record with anything in it; false at the end.
    [[nodiscard]] Result<bool> next();
    [[nodiscard]] const CsvRecord& record() const { return record_; }
    /// Where the record begins, from 1.
    [[nodiscard]] std::int64_t line() const { return line_; }

    [[nodiscard]] const CsvShape& shape() const { return shape_; }
    /// Whose quote never closes.
    [[nodiscard]] const CsvSkipped& unreadable() const { return unreadable_; }
    [[nodiscard]] const TextSource& source() const { return source_; }

private:
    CsvReader(TextSource source, std::string beginning, bool ended);
    [[nodiscard]] Result<bool> read_record();
    [[nodiscard]] Result<> read_more();
    void skip_line();

    TextSource source_;
    std::string text_;
    std::size_t at_ = 0;  ///< in text_: behind the last record
    bool ended_ = false;  ///< text_ reaches to the end of the file
    CsvShape shape_;
    CsvRecord record_;
    std::int64_t line_ = 0;
    std::int64_t next_line_ = 1;
    CsvSkipped unreadable_;
};

}  // namespace quaestor::data
