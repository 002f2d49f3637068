#include "data/ascii.hpp"
#include "data/dialect.hpp"
#include "data/import.hpp"
#include "data/import/names.hpp"
#include "data/import/readers.hpp"
#include "data/import/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace quaestor::data {

namespace {

namespace fs = std::filesystem;

using Reader = Result<ImportedTable> (*)(const FilePlan&, const ImportTarget&, ImportMeter&);

struct FileKind {
    std::string_view ending;
    Reader read;
};

constexpr auto kFileKinds = std::to_array<FileKind>({
    {".csv", import_csv},
    {".csv.gz", import_csv},
    {".tsv", import_csv},
    {".tsv.gz", import_csv},
    {".json", import_json},
    {".json.gz", import_json},
    {".jsonl", import_json},
    {".jsonl.gz", import_json},
    {".ndjson", import_json},
    {".ndjson.gz", import_json},
    {".parquet", import_parquet},
});

constexpr std::string_view kGzipMark = "\x1f\x8b";
constexpr std::string_view kParquetMark = "PAR1";

template <std::size_t length>
std::string beginning_of(const std::string& file) {
    std::string bytes(length, '\0');
    std::ifstream(file, std::ios::binary).read(bytes.data(), length);
    return bytes;
}

const FileKind* kind_of(std::string_view path) {
    const std::string lower = lower_ascii(path);
    const auto* kind =
        std::ranges::find_if(kFileKinds, [&](const auto& known) { return lower.ends_with(known.ending); });
    return kind == kFileKinds.end() ? nullptr : kind;
}

/// What DuckDB said, for a person: without our link's name, the kind of error in front and advice on its own options.
std::string first_line(std::string message, const std::string& link, const std::string& file) {
    message.resize(std::min(message.find('\n'), message.size()));
    for (std::size_t at = message.find(link); at != std::string::npos; at = message.find(link, at + file.size())) {
        message.replace(at, link.size(), file);
    }
    const std::size_t kind = message.find("Error: ");
    return kind == std::string::npos ? message : message.substr(kind + std::string_view("Error: ").size());
}

Result<FilePlan> plan_of(const std::string& file) {
    std::error_code error;
    const auto status = fs::status(file, error);
    if (!fs::exists(status)) {
        return fail(Code::not_found, fmt::format("there is no file {}", file), "look whether the path is right");
    }
    if (!fs::is_regular_file(status)) {
        return fail(Code::invalid_argument, fmt::format("{} is no file", file), "give files, not folders");
    }
    if (!is_importable(file)) {
        return fail(Code::unsupported, fmt::format("{} is of a kind that cannot be read", file),
                    "give CSV, TSV, Parquet or JSON files, with the ending of their kind");
    }
    const auto size = fs::file_size(file, error);
    return FilePlan{.file = file, .size = error ? 1.0 : std::max(static_cast<double>(size), 1.0)};
}

Result<std::vector<FilePlan>> plan_all(const std::vector<std::string>& files) {
    if (files.empty()) return fail(Code::invalid_argument, "there is no file to import", "name at least one");
    UniqueNames names;
    std::vector<FilePlan> plans;
    for (const auto& file : files) {
        auto plan = plan_of(file);
        if (!plan) return fail(plan.error());
        plan->table = names.add(plain_name(stem_of(file)));
        plans.push_back(std::move(*plan));
    }
    return plans;
}

}  // namespace

bool is_importable(std::string_view path) {
    return kind_of(path) != nullptr;
}

Result<ImportedTable> import_file(const FilePlan& plan, const ImportTarget& target, ImportMeter& meter) {
    return kind_of(plan.file)->read(plan, target, meter);
}

Result<std::int64_t> create_table_as(std::string_view select, const std::string& file, const FilePlan& plan,
                                     const ImportTarget& target, ImportMeter& meter) {
    // The ending of the link tells DuckDB whether the file is packed.
    const fs::path link = target.folder() / (beginning_of<2>(file) == kGzipMark ? "source.gz" : "source");
    std::error_code error;
    fs::remove(link, error);
    fs::create_symlink(fs::absolute(file, error), link, error);
    if (error) return fail(Code::unavailable, fmt::format("cannot write {}: {}", link.string(), error.message()));
    auto rows = target.run(fmt::format("CREATE TABLE main.{} AS {}", quote_name(plan.table),
                                       fmt::format(fmt::runtime(select), quote_text(link.string()))),
                           meter);
    if (!rows) {
        Error failure = rows.error();
        if (failure.code == Code::cancelled || failure.code == Code::timeout) return fail(failure);
        failure.message = first_line(failure.message, link.string(), plan.file);
        return fail(Error{failure.code, fmt::format("{} cannot be read", plan.file),
                          "look whether the file is complete and of the kind that its ending tells", nullptr}
                        .because(failure));
    }
    const auto chunk = rows->next();
    if (!chunk) return fail(chunk.error());
    return *chunk ? (*chunk)->integer(0, 0) : 0;
}

Result<ImportedTable> import_parquet(const FilePlan& plan, const ImportTarget& target, ImportMeter& meter) {
    if (beginning_of<4>(plan.file) != kParquetMark) {
        return fail(Code::invalid_argument, fmt::format("{} is no Parquet file", plan.file),
                    "look whether the file is complete and may be read");
    }
    const auto rows = create_table_as("SELECT * FROM read_parquet({})", plan.file, plan, target, meter);
    if (!rows) return fail(rows.error());
    return ImportedTable{.name = plan.table, .from = plan.file, .rows = *rows};
}

Result<std::vector<ImportedTable>> import_files(const std::vector<std::string>& files, const std::string& into,
                                                const ImportOptions& options) {
    const auto plans = plan_all(files);
    if (!plans) return fail(plans.error());
    auto target = ImportTarget::open(into, options);
    if (!target) return fail(target.error());
    std::vector<std::string> names;
    std::ranges::transform(*plans, std::back_inserter(names), &FilePlan::table);
    if (auto room = target->make_room(names); !room) return fail(room.error());

    const double total = std::accumulate(plans->begin(), plans->end(), 0.0,
                                         [](double sum, const FilePlan& plan) { return sum + plan.size; });
    ImportMeter meter(options, total);
    std::vector<ImportedTable> tables;
    for (const auto& plan : *plans) {
        if (auto look = meter.check_stop(); !look) return fail(look.error());
        meter.begin(plan.file, plan.size);
        auto table = import_file(plan, *target, meter);
        if (!table) return fail(table.error());
        tables.push_back(std::move(*table));
        meter.end();
    }
    if (auto look = meter.check_stop(); !look) return fail(look.error());
    if (auto finished = target->finish(); !finished) return fail(finished.error());
    return tables;
}

}  // namespace quaestor::data
