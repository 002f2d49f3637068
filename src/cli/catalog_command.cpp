#include "cli/catalog_view.hpp"
#include "cli/source_support.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace quaestor::cli {

namespace {

using data::Catalog;
using data::CatalogTable;
using SharedCatalog = Result<std::shared_ptr<const Catalog>>;

constexpr std::chrono::milliseconds kProgressEvery{100};

bool was_looked_at(const CatalogTable& table) {
    return std::ranges::any_of(table.columns, [](const auto& column) { return column.nulls.has_value(); });
}

double part_looked_at(const Catalog& catalog) {
    if (catalog.tables.empty()) return 0;
    const auto done = std::ranges::count_if(catalog.tables, was_looked_at);
    return static_cast<double>(done) / static_cast<double>(catalog.tables.size());
}

/// Goes on until it is cancelled.
Task<> show_progress(data::Source& source, ProgressBar& progress) {
    for (auto known = co_await source.schema(); known; known = co_await source.schema()) {
        progress.show("looking at the values", part_looked_at(**known));
        co_await system_clock().sleep_for(kProgressEvery);
    }
}

Task<SharedCatalog> look_at(data::Source& source, bool quick, ProgressBar& progress) {
    if (quick) co_return co_await source.schema();
    if (!progress.is_shown()) co_return co_await source.catalog();
    const auto executor = co_await asio::this_coro::executor;
    auto both = asio::experimental::make_parallel_group(
        asio::co_spawn(executor, source.catalog(), asio::deferred),
        asio::co_spawn(executor, show_progress(source, progress), asio::deferred));
    auto [order, thrown, catalog, cancelled] =
        co_await both.async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
    if (thrown) std::rethrow_exception(thrown);
    co_return std::move(catalog);
}

/// "a.b" as schema and name; a dot may also be part of the name, which then has no schema.
data::Mention mention_of(const std::string& name) {
    const auto dot = name.find('.');
    if (dot == std::string::npos) return {.database = {}, .schema = {}, .name = name, .at = {}};
    return {.database = {}, .schema = name.substr(0, dot), .name = name.substr(dot + 1), .at = {}};
}

Result<const CatalogTable*> find_table(const Catalog& catalog, const std::string& name) {
    if (const auto* table = catalog.find_table(name)) return table;
    const auto names = names_of(catalog);
    const auto mention = mention_of(name);
    if (const auto elsewhere = names.find(mention)) return catalog.find_table(*elsewhere);
    const auto meant = names.nearest(mention);
    return fail(Code::not_found, fmt::format("there is no table \"{}\" in {}", name, catalog.source),
                meant ? fmt::format("did you mean \"{}\"?", *meant)
                      : fmt::format("see which there are: quaestor catalog show {}", catalog.source));
}

}  // namespace

CommandResult catalog_show(const Invocation& invocation, const CatalogShowOptions& options) {
    ProgressBar progress(invocation.quiet);
    auto settings = source_settings(invocation, progress);
    settings.annotations = find_annotations(options.source, options.annotations);
    auto source = open_named_source(options.source, std::move(settings));
    if (!source) return fail(source.error());
    const auto catalog = run_to_end(look_at(**source, options.quick, progress));
    progress.clear();
    if (!catalog) return fail(catalog.error());
    if (!options.table) {
        if (invocation.json) {
            print_json(encode(**catalog));
        } else {
            print_text(draw(**catalog, terminal_width()));
            if (!invocation.quiet && !(*catalog)->tables.empty()) {
                say("One table in full: add --table NAME. Ask: quaestor sql run --source SOURCE \"SELECT …\"");
            }
        }
        return ExitCode::done;
    }
    const auto table = find_table(**catalog, *options.table);
    if (!table) return fail(table.error());
    if (invocation.json) {
        print_json(encode(**table));
    } else {
        print_text(draw(**catalog, **table, terminal_width()));
    }
    return ExitCode::done;
}

}  // namespace quaestor::cli
