#include "data/dialect.hpp"
#include "data/import/json_shape.hpp"
#include "data/import/names.hpp"
#include "data/import/readers.hpp"
#include "data/import/text.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

namespace quaestor::data {

namespace {

struct JsonFile {
    std::string readable;  ///< the file, or a copy of it in UTF-8
    JsonShape shape;
    std::vector<std::string> notes;
};

/// DuckDB reads plain UTF-8 only.
Result<std::string> copy_as_utf8(const FilePlan& plan, TextSource::Fallback encoding, const ImportTarget& target,
                                 ImportMeter& meter) {
    auto source = TextSource::open(plan.file, encoding);
    if (!source) return fail(source.error());
    const std::string path = (target.folder() / "copy.json").string();
    std::ofstream copy(path, std::ios::binary | std::ios::trunc);
    std::string piece;
    while (true) {
        if (auto look = meter.check_stop(); !look) return fail(look.error());
        piece.clear();
        const auto more = source->read(piece);
        if (!more) return fail(more.error());
        if (!*more) break;
        copy << piece;
    }
    copy.close();
    if (!copy) return fail(Code::unavailable, fmt::format("cannot write {}: {}", path, std::strerror(errno)));
    return path;
}

Result<JsonFile> look_at(const FilePlan& plan, const ImportTarget& target, ImportMeter& meter) {
    JsonFile json{.readable = plan.file};
    for (const auto encoding : {TextSource::Fallback::none, TextSource::Fallback::windows_1252}) {
        auto source = TextSource::open(plan.file, encoding);
        if (!source) return fail(source.error());
        auto shape = read_json_shape(*source, plan.file, plan.size, meter);
        if (!shape) return fail(shape.error());
        if (encoding == TextSource::Fallback::none && source->findings().deny_utf8()) continue;
        json.shape = *shape;
        source->add_notes(json.notes);
        if (source->is_plain()) return json;
        auto copy = copy_as_utf8(plan, encoding, target, meter);
        if (!copy) return fail(copy.error());
        json.readable = std::move(*copy);
        break;
    }
    return json;
}

Result<> check_shape(const std::string& file, const JsonShape& shape) {
    if (shape.documents == 0) {
        return fail(Code::invalid_argument, fmt::format("{} is empty", file),
                    "a JSON file holds an array of objects, or one object in each line");
    }
    if (shape.arrays + shape.objects < shape.documents) {
        return fail(Code::invalid_argument, fmt::format("{} holds neither objects nor an array", file),
                    "a JSON file holds an array of objects, or one object in each line");
    }
    return {};
}

/// True when each record is an object, whose fields become columns.
bool is_made_of_records(const JsonShape& shape) {
    if (!shape.has_keys) return false;
    if (shape.arrays == 0) return true;
    return shape.objects == 0 && shape.documents == 1 && shape.elements == shape.element_objects;
}

std::string select_of(const JsonShape& shape, bool fields_as_json) {
    const bool has_records = is_made_of_records(shape);
    return fmt::format(
        "SELECT {} FROM read_json({{}}, format = '{}', records = '{}', sample_size = -1, map_inference_threshold = -1, "
        "maximum_depth = {})",
        has_records ? "*" : "json AS value", shape.arrays == 1 && shape.documents == 1 ? "array" : "auto", has_records,
        !fields_as_json ? -1
        : has_records   ? 1
                        : 0);
}

}  // namespace

Result<ImportedTable> import_json(const FilePlan& plan, const ImportTarget& target, ImportMeter& meter) {
    auto json = look_at(plan, target, meter);
    if (!json) return fail(json.error());
    if (auto checked = check_shape(plan.file, json->shape); !checked) return fail(checked.error());
    // DuckDB would make doubles of integers beyond 64 bits, or refuse them.
    const bool fields_as_json = json->shape.has_large_integers;
    if (fields_as_json) json->notes.emplace_back("its values are kept as JSON: some integers need more than 64 bits");
    const auto rows = create_table_as(select_of(json->shape, fields_as_json), json->readable, plan, target, meter);
    if (!rows) return fail(rows.error());
    return ImportedTable{.name = plan.table, .from = plan.file, .rows = *rows, .notes = std::move(json->notes)};
}

}  // namespace quaestor::data
