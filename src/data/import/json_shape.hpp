// What a JSON file is made of, found by parsing all of it without keeping any: DuckDB's own reader takes a file that
// was cut off for a whole one, and says of a mistake neither line nor file. Private to the import. Threads: one at a
// time.
#pragma once

#include "base/error.hpp"
#include "data/import/target.hpp"
#include "data/import/text.hpp"

#include <cstdint>
#include <string>

namespace quaestor::data {

struct JsonShape {
    std::int64_t documents = 0;
    std::int64_t arrays = 0;           ///< documents that are arrays
    std::int64_t objects = 0;          ///< documents that are objects
    std::int64_t elements = 0;         ///< of the documents that are arrays
    std::int64_t element_objects = 0;  ///< of these, objects
    bool has_keys = false;             ///< some record has a field
    bool has_large_integers = false;   ///< beyond 64 bits with sign
};

/// Parses all of `source`. Code::invalid_argument names the file and the line of a mistake.
[[nodiscard]] Result<JsonShape> read_json_shape(TextSource& source, const std::string& file, double size,
                                                ImportMeter& meter);

}  // namespace quaestor::data
