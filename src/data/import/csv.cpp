#include "data/dialect.hpp"
#include "data/import/csv_reader.hpp"
#include "data/import/csv_types.hpp"
#include "data/import/names.hpp"
#include "data/import/readers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace quaestor::data {

namespace {

/// More columns than DuckDB can reasonably hold in one table.
constexpr std::size_t kColumnsMax = 20'000;
/// Records between two looks at the token and the clock.
constexpr std::int64_t kRecordsPerLook = 1'024;
/// Of the time that a file takes, the share for the first of the two times it is read.
constexpr double kSurveyShare = 0.4;
/// A file's first line with longer fields is hardly a header.
constexpr std::size_t kHeaderFieldMax = 200;

using Fields = std::vector<std::string>;

Fields fields_of(const CsvRecord& record) {
    Fields fields;
    for (std::size_t index = 0; index < record.size(); ++index) fields.emplace_back(record.field(index));
    return fields;
}

/// What a column's values are like and how they will be stored.
struct Column {
    std::string name;
    ColumnGuess guess;
    CsvKind kind = CsvKind::text;
};

/// How the whole file is to be read; found by reading it once.
struct Survey {
    TextSource::Fallback encoding = TextSource::Fallback::none;
    bool has_header = false;
    std::vector<Column> columns;
    CsvSkipped overlong;
    CsvSkipped unreadable;
    CsvSkipped shorter;  ///< not passed over; what is missing becomes NULL
    std::vector<std::string> notes;
};

/// More fields than columns are all right when there is nothing in them.
bool fits(const CsvRecord& record, std::size_t columns) {
    for (std::size_t index = columns; index < record.size(); ++index) {
        if (!record.field(index).empty()) return false;
    }
    return true;
}

/// A year may well be the name of a column.
bool looks_like_year(std::string_view value) {
    return value.size() == 4 && (value.starts_with("19") || value.starts_with("20")) &&
           value.find_first_not_of("0123456789") == std::string_view::npos;
}

bool could_be_names(const Fields& first) {
    return std::ranges::all_of(first, [](const std::string& field) {
        return field.size() <= kHeaderFieldMax && (field.empty() || kinds_of(field) == 0);
    });
}

/// The first record holds names when it does not fit the columns' types, or, where all is text, when it could.
bool is_header(const Fields& first, const std::vector<Column>& columns, bool comma_separates) {
    int unlike = 0;
    int alike = 0;
    for (std::size_t index = 0; index < first.size(); ++index) {
        if (first[index].empty()) continue;
        const CsvKind kind = columns[index].guess.decide(comma_separates).kind;
        if (kind == CsvKind::text) continue;
        const bool fits_type = (kinds_of(first[index]) >> static_cast<unsigned>(kind) & 1U) != 0;
        if (!fits_type) ++unlike;
        if (fits_type && !looks_like_year(first[index])) ++alike;
    }
    if (unlike + alike == 0) return could_be_names(first);
    return unlike > 0 && unlike >= alike;
}

class Surveyor {
public:
    Surveyor(const FilePlan& plan, ImportMeter& meter) : plan_(plan), meter_(meter) {}

    [[nodiscard]] Result<Survey> survey() {
        for (const auto encoding : {TextSource::Fallback::none, TextSource::Fallback::windows_1252}) {
            survey_ = Survey{.encoding = encoding};
            auto reader = CsvReader::open(plan_.file, encoding);
            if (!reader) return fail(reader.error());
            if (auto read = read_all(*reader); !read) return fail(read.error());
            if (encoding == TextSource::Fallback::none && reader->source().findings().deny_utf8()) continue;
            conclude(*reader);
            break;
        }
        return std::move(survey_);
    }

private:
    Result<> read_all(CsvReader& reader) {
        const auto found = reader.next();
        if (!found) return fail(found.error());
        if (!*found) {
            return fail(Code::invalid_argument, fmt::format("{} is empty", plan_.file),
                        "a CSV file needs at least a line with the names of its columns");
        }
        first_ = fields_of(reader.record());
        first_line_ = reader.line();
        const std::size_t width = std::max(first_.size(), reader.shape().fields);
        if (width > kColumnsMax) {
            return fail(Code::limit_exceeded, fmt::format("{} has {} columns", plan_.file, width),
                        fmt::format("at most {} columns can be read", kColumnsMax));
        }
        survey_.columns.resize(width);
        for (std::int64_t records = 1;; ++records) {
            if (records % kRecordsPerLook == 0) {
                if (auto look = meter_.check_stop(); !look) return look;
                meter_.tell(kSurveyShare * static_cast<double>(reader.source().position()) / plan_.size);
            }
            const auto more = reader.next();
            if (!more) return fail(more.error());
            if (!*more) return {};
            look_at(reader);
        }
    }

    void look_at(const CsvReader& reader) {
        const CsvRecord& record = reader.record();
        const std::size_t width = survey_.columns.size();
        if (!fits(record, width)) return survey_.overlong.add(reader.line());
        if (record.size() < width) survey_.shorter.add(reader.line());
        for (std::size_t index = 0; index < std::min(record.size(), width); ++index) {
            survey_.columns[index].guess.add(record.field(index), reader.line());
        }
    }

    void conclude(const CsvReader& reader) {
        const bool comma_separates = reader.shape().delimiter == ',';
        auto& columns = survey_.columns;
        survey_.unreadable = reader.unreadable();
        survey_.has_header = is_header(first_, columns, comma_separates);
        if (survey_.has_header) {
            drop_unused_end();
        } else {
            for (std::size_t index = 0; index < first_.size(); ++index) {
                columns[index].guess.add(first_[index], first_line_);
            }
            if (first_.size() < columns.size()) survey_.shorter.add(first_line_);
            first_.clear();
            survey_.notes.emplace_back("the first line holds values, so the columns have numbers for names");
        }
        first_.resize(columns.size());
        const auto names = column_names(first_);
        reader.source().add_notes(survey_.notes);
        for (std::size_t index = 0; index < columns.size(); ++index) {
            columns[index].name = names[index];
            auto decision = columns[index].guess.decide(comma_separates);
            columns[index].kind = decision.kind;
            if (decision.note.empty()) continue;
            survey_.notes.push_back(fmt::format("column {} ({}) {}", index + 1, for_note(names[index]), decision.note));
        }
        note_rows();
    }

    /// A delimiter at the end of each line makes a column without name and values.
    void drop_unused_end() {
        auto& columns = survey_.columns;
        while (columns.size() > 1 && columns.back().guess.is_empty() &&
               (first_.size() < columns.size() || first_.back().empty())) {
            columns.pop_back();
            if (first_.size() > columns.size()) first_.pop_back();
        }
    }

    void note_rows() {
        const auto note = [&](const CsvSkipped& rows, std::string_view what) {
            if (rows.count == 0) return;
            survey_.notes.push_back(fmt::format("{} {}: line{} {}{}", rows.count, what, rows.count == 1 ? "" : "s",
                                                fmt::join(rows.first_lines, ", "),
                                                std::ssize(rows.first_lines) < rows.count ? ", …" : ""));
        };
        note(survey_.overlong, "left out because of more fields than columns");
        note(survey_.unreadable, "left out because of a quote that never closes");
        note(survey_.shorter, "with fewer fields than columns, filled up with NULL");
    }

    const FilePlan& plan_;
    ImportMeter& meter_;
    Fields first_;
    std::int64_t first_line_ = 0;
    Survey survey_;
};

Result<> create_table(const std::string& table, const std::vector<Column>& columns, const ImportTarget& target) {
    std::vector<std::string> definitions;
    for (const auto& column : columns) {
        definitions.push_back(fmt::format("{} {}", quote_name(column.name), duckdb_type_of(column.kind)));
    }
    auto created = target.connection().query(
        fmt::format("CREATE TABLE main.{} ({})", quote_name(table), fmt::join(definitions, ", ")));
    if (!created) return fail(created.error());
    return {};
}

Error changed_meanwhile(const std::string& file) {
    return fail(Code::conflict, fmt::format("{} changed while it was being read", file), "try again").error();
}

Result<> append_record(const CsvRecord& record, const std::vector<Column>& columns, duck::Appender& appender) {
    for (std::size_t index = 0; index < columns.size(); ++index) {
        const std::string_view value = index < record.size() ? record.field(index) : std::string_view();
        if (!append_csv_value(appender.raw(), columns[index].kind, value)) {
            return fail(Code::conflict, fmt::format("'{}' is not of the column's type", for_note(value)));
        }
    }
    return appender.end_row();
}

/// Reads the file again as the survey says, and returns the number of rows.
Result<std::int64_t> append_all(const FilePlan& plan, const Survey& survey, const ImportTarget& target,
                                ImportMeter& meter) {
    auto reader = CsvReader::open(plan.file, survey.encoding);
    if (!reader) return fail(reader.error());
    auto appender = duck::Appender::open(target.connection(), "main", plan.table);
    if (!appender) return fail(appender.error());
    if (survey.has_header) {
        const auto header = reader->next();
        if (!header || !*header) return fail(header ? changed_meanwhile(plan.file) : header.error());
    }
    std::int64_t rows = 0;
    std::size_t waiting = 0;
    while (true) {
        const auto more = reader->next();
        if (!more) return fail(more.error());
        if (!*more) break;
        if (!fits(reader->record(), survey.columns.size())) continue;
        if (auto appended = append_record(reader->record(), survey.columns, *appender); !appended) {
            return fail(changed_meanwhile(plan.file).because(appended.error()));
        }
        waiting += survey.columns.size();
        if (waiting >= kValuesPerFlush) {
            if (auto flushed = appender->flush(); !flushed) return fail(flushed.error());
            waiting = 0;
        }
        if (++rows % kRecordsPerLook != 0) continue;
        if (auto look = meter.check_stop(); !look) return fail(look.error());
        const double share = static_cast<double>(reader->source().position()) / plan.size;
        meter.tell(kSurveyShare + (1 - kSurveyShare) * share);
    }
    if (auto closed = appender->close(); !closed) return fail(closed.error());
    return rows;
}

}  // namespace

Result<ImportedTable> import_csv(const FilePlan& plan, const ImportTarget& target, ImportMeter& meter) {
    auto survey = Surveyor(plan, meter).survey();
    if (!survey) return fail(survey.error());
    if (auto created = create_table(plan.table, survey->columns, target); !created) return fail(created.error());
    const auto rows = append_all(plan, *survey, target, meter);
    if (!rows) return fail(rows.error());
    return ImportedTable{.name = plan.table,
                         .from = plan.file,
                         .rows = *rows,
                         .skipped_rows = survey->overlong.count + survey->unreadable.count,
                         .notes = std::move(survey->notes)};
}

}  // namespace quaestor::data
