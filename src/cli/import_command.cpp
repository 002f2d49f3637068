#include "cli/source_support.hpp"
#include "data/import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>

namespace quaestor::cli {

namespace {

/// Endings that tell what is in a file; .gz may stand behind each.
struct KindOfFile {
    std::string_view ending;
    std::string_view kind;
};
constexpr auto kKinds = std::to_array<KindOfFile>({{".csv", "csv"},
                                                   {".tsv", "csv"},
                                                   {".parquet", "parquet"},
                                                   {".json", "json"},
                                                   {".jsonl", "json"},
                                                   {".ndjson", "json"}});

/// What the file's ending says that it is; empty when it says nothing.
std::string_view kind_of(std::string_view file) {
    std::string name(file);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (name.ends_with(".gz")) name.resize(name.size() - 3);
    const auto* found = std::ranges::find_if(kKinds, [&](const auto& kind) { return name.ends_with(kind.ending); });
    return found == kKinds.end() ? std::string_view() : found->kind;
}

Result<> check_kinds(const ImportDataOptions& options) {
    for (const auto& file : options.files) {
        const auto kind = kind_of(file);
        if (kind.empty() || kind == options.kind) continue;
        return fail(Code::invalid_argument, fmt::format("{} is no {} file by its ending", file, options.kind),
                    fmt::format("read it with: quaestor import {}", kind));
    }
    return {};
}

Result<std::vector<data::ImportedTable>> import_all(const Invocation& invocation, const ImportDataOptions& options) {
    ProgressBar progress(invocation.quiet);
    data::ImportOptions how;
    how.replace = options.replace;
    how.progress = [&progress](std::string_view what, double done) { progress.show(what, done); };
    how.stop = invocation.cancel;
    how.memory_limit = memory_limit_bytes(invocation.settings().data);
    if (options.kind == "sqlite") return data::import_sqlite(options.files.front(), options.into, how);
    if (auto checked = check_kinds(options); !checked) return fail(checked.error());
    return data::import_files(options.files, options.into, how);
}

void print_tables(const std::vector<data::ImportedTable>& imported) {
    Table table{.columns = {{"table"}, {"rows", true}, {"left out", true}, {"from"}}, .rows = {}};
    for (const auto& one : imported) {
        table.rows.push_back({one.name, grouped(one.rows), grouped(one.skipped_rows), one.from});
    }
    print_text(draw(table, terminal_width()));
    for (const auto& one : imported) {
        for (const auto& note : one.notes) {
            fmt::print("{} {}: {}\n", styled("note", Style::yellow), visible(one.name), visible(note));
        }
    }
}

}  // namespace

CommandResult import_data(const Invocation& invocation, const ImportDataOptions& options) {
    const auto imported = import_all(invocation, options);
    if (!imported) return fail(opening_error(imported.error()));
    const auto rows = std::accumulate(imported->begin(), imported->end(), std::int64_t{0},
                                      [](std::int64_t sum, const auto& table) { return sum + table.rows; });
    if (invocation.json) {
        print_json({{"into", options.into}, {"rows", rows}, {"tables", encode(*imported)}});
        return ExitCode::done;
    }
    print_tables(*imported);
    if (!invocation.quiet) {
        say(fmt::format("{} with {} in {}. Look at it: quaestor catalog show {}",
                        counted(static_cast<std::int64_t>(imported->size()), "table"), counted(rows, "row"),
                        visible(options.into), visible(options.into)));
    }
    return ExitCode::done;
}

}  // namespace quaestor::cli
