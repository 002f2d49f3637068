#include "data/import/csv_reader.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace quaestor::data {

namespace {

/// Records that are looked at to guess the delimiter.
constexpr std::size_t kRecordsToGuess = 1'000;

/// Of the records, at least this share must have the same number of fields for a delimiter to be believed.
constexpr double kEvenShareMin = 0.5;

constexpr auto kDelimiters = std::to_array<char>({'\t', ';', '|', ','});

struct Evenness {
    std::size_t fields = 0;  ///< that most records have
    double share = 0;        ///< of the records that have so many
};

Evenness evenness(std::string_view text, bool is_whole, char delimiter) {
    CsvRecord record(delimiter);
    std::map<std::size_t, std::size_t> records_by_size;
    std::size_t records = 0;
    while (records < kRecordsToGuess && !text.empty()) {
        if (record.parse(text, is_whole) != CsvRecord::Outcome::complete) break;
        text.remove_prefix(record.bytes());
        if (record.is_blank()) continue;
        ++records_by_size[record.size()];
        ++records;
    }
    if (records == 0) return {};
    const auto most = std::ranges::max_element(records_by_size, {}, [](const auto& item) { return item.second; });
    return {most->first, static_cast<double>(most->second) / static_cast<double>(records)};
}

}  // namespace

// ---- CsvRecord

CsvRecord::Outcome CsvRecord::parse(std::string_view text, bool is_last) {
    text_ = text;
    fields_.clear();
    rewritten_.clear();
    lines_ = 0;
    std::size_t at = 0;
    while (true) {
        at = parse_field(at);
        if (at == std::string_view::npos) return Outcome::needs_more;
        if (at == text.size()) {
            bytes_ = at;
            return is_last ? Outcome::complete : Outcome::needs_more;
        }
        if (delimiter_ && text[at] == *delimiter_) {
            ++at;
            continue;
        }
        if (text[at] == '\r' && at + 1 == text.size() && !is_last) return Outcome::needs_more;
        at += text.substr(at).starts_with("\r\n") ? 2 : 1;
        ++lines_;
        bytes_ = at;
        return Outcome::complete;
    }
}

std::string_view CsvRecord::field(std::size_t index) const {
    const Field& field = fields_[index];
    return (field.rewritten ? std::string_view(rewritten_) : text_).substr(field.begin, field.length);
}

/// Returns where the field ends: at a delimiter, a line end or the end of the text; npos inside an open quote.
std::size_t CsvRecord::parse_field(std::size_t at) {
    const std::size_t begin_of_text = skip_blanks(at);
    if (begin_of_text < text_.size() && text_[begin_of_text] == '"') return parse_quoted(begin_of_text + 1);
    const std::size_t begin = at;
    while (at < text_.size() && !is_end_of_field(text_[at])) ++at;
    fields_.push_back({.begin = begin, .length = at - begin});
    return at;
}

std::size_t CsvRecord::skip_blanks(std::size_t at) const {
    while (at < text_.size() && text_[at] == ' ') ++at;
    return at;
}

std::size_t CsvRecord::parse_quoted(std::size_t at) {
    const std::size_t begin = at;
    std::size_t quote = text_.find('"', at);
    if (quote == std::string_view::npos) return std::string_view::npos;
    const auto count_lines = [&](std::size_t from, std::size_t to) {
        lines_ += std::ranges::count(text_.substr(from, to - from), '\n');
    };
    const std::size_t behind = skip_blanks(quote + 1);
    if (behind == text_.size() || is_end_of_field(text_[behind])) {
        count_lines(begin, quote);
        fields_.push_back({.begin = begin, .length = quote - begin, .quoted = true});
        return behind;
    }
    Field field{.begin = rewritten_.size(), .quoted = true, .rewritten = true};
    while (true) {
        rewritten_.append(text_, at, quote - at);
        at = quote + 1;
        if (at == text_.size() || text_[at] != '"') break;
        rewritten_ += '"';
        quote = text_.find('"', ++at);
        if (quote == std::string_view::npos) return std::string_view::npos;
    }
    count_lines(begin, at);
    std::size_t end = at;
    while (end < text_.size() && !is_end_of_field(text_[end])) ++end;
    if (skip_blanks(at) != end) rewritten_.append(text_, at, end - at);
    field.length = rewritten_.size() - field.begin;
    fields_.push_back(field);
    return end;
}

// ---- the shape

CsvShape guess_shape(std::string_view beginning, bool is_whole) {
    CsvShape best;
    double best_share = 0;
    for (const char delimiter : kDelimiters) {
        const auto [fields, share] = evenness(beginning, is_whole, delimiter);
        // Of two that split all records evenly the first is meant: a comma may also be a decimal comma.
        if (fields < 2 || share < kEvenShareMin || share <= best_share) continue;
        best = {delimiter, fields};
        best_share = share;
    }
    return best;
}

// ---- CsvReader

CsvReader::CsvReader(TextSource source, std::string beginning, bool ended)
    : source_(std::move(source)),
      text_(std::move(beginning)),
      ended_(ended),
      shape_(guess_shape(text_, ended)),
      record_(shape_.delimiter) {}

Result<CsvReader> CsvReader::open(const std::string& path, TextSource::Fallback fallback) {
    auto source = TextSource::open(path, fallback);
    if (!source) return fail(source.error());
    std::string beginning;
    bool more = true;
    while (more && beginning.size() < TextSource::kPieceBytes) {
        const auto read = source->read(beginning);
        if (!read) return fail(read.error());
        more = *read;
    }
    return CsvReader(std::move(*source), std::move(beginning), !more);
}

Result<bool> CsvReader::next() {
    while (true) {
        const auto found = read_record();
        if (!found || !*found) return found;
        if (!record_.is_blank()) return true;
    }
}

Result<bool> CsvReader::read_record() {
    while (true) {
        const std::string_view rest = std::string_view(text_).substr(at_);
        if (rest.empty() && ended_) return false;
        if (!rest.empty() && record_.parse(rest, ended_) == CsvRecord::Outcome::complete) {
            at_ += record_.bytes();
            line_ = next_line_;
            next_line_ += record_.lines();
            return true;
        }
        if (ended_ || rest.size() > kCsvRecordBytesMax) {
            skip_line();
        } else if (auto read = read_more(); !read) {
            return fail(read.error());
        }
    }
}

Result<> CsvReader::read_more() {
    text_.erase(0, at_);
    at_ = 0;
    const auto more = source_.read(text_);
    if (!more) return fail(more.error());
    ended_ = !*more;
    return {};
}

void CsvReader::skip_line() {
    unreadable_.add(next_line_++);
    const std::size_t end = text_.find('\n', at_);
    at_ = end == std::string::npos ? text_.size() : end + 1;
}

}  // namespace quaestor::data
