#include "data/annotations.hpp"

#include "base/text.hpp"
#include "base/yaml.hpp"

#include <boost/describe/class.hpp>
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <map>

namespace quaestor::data {

namespace {

struct TableNotes {
    std::string description;
    std::map<std::string, std::string> columns;
};
BOOST_DESCRIBE_STRUCT(TableNotes, (), (description, columns))

struct Notes {
    std::map<std::string, TableNotes> tables;
    std::map<std::string, std::string> glossary;
};
BOOST_DESCRIBE_STRUCT(Notes, (), (tables, glossary))

template <class Things>
std::unexpected<Error> no_such(std::string_view what, const std::string& name, const Things& there) {
    std::vector<std::string> names;
    for (const auto& thing : there) names.push_back(thing.name);
    const auto meant = text::nearest(name, names);
    return fail(
        Code::not_found, fmt::format("the annotations describe {} \"{}\", which is not there", what, name),
        meant ? fmt::format("did you mean \"{}\"?", *meant) : "see what there is: quaestor catalog show SOURCE");
}

Result<> annotate_columns(CatalogTable& table, const TableNotes& notes) {
    for (const auto& [name, description] : notes.columns) {
        const CatalogColumn* found = table.find_column(name);
        if (found == nullptr) {
            return no_such(fmt::format("in the table \"{}\" the column", table.name), name, table.columns);
        }
        table.columns[static_cast<std::size_t>(found - table.columns.data())].description = description;
    }
    return {};
}

}  // namespace

Result<> annotate(Catalog& catalog, std::string_view yaml) {
    const auto parsed = parse_yaml(yaml);
    if (!parsed) return fail(parsed.error());
    if (parsed->is_null()) return {};
    auto notes = decode<Notes>(*parsed, UnknownFields::refuse);
    if (!notes) return fail(notes.error());
    for (const auto& [name, table_notes] : notes->tables) {
        const CatalogTable* found = catalog.find_table(name);
        if (found == nullptr) return no_such("the table", name, catalog.tables);
        CatalogTable& table = catalog.tables[static_cast<std::size_t>(found - catalog.tables.data())];
        if (!table_notes.description.empty()) table.description = table_notes.description;
        if (auto annotated = annotate_columns(table, table_notes); !annotated) return annotated;
    }
    catalog.glossary = std::move(notes->glossary);
    return {};
}

Result<> annotate_from_file(Catalog& catalog, const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return fail(Code::not_found, fmt::format("cannot read the annotations in {}", path));
    const std::string yaml{std::istreambuf_iterator<char>(file), {}};
    auto annotated = annotate(catalog, yaml);
    if (annotated) return annotated;
    return fail(Error{annotated.error().code, fmt::format("the annotations in {} do not fit", path),
                      std::string(annotated.error().advice())}
                    .because(annotated.error()));
}

}  // namespace quaestor::data
