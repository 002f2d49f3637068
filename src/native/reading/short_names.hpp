// Words that names of tables and columns are shortened to, beyond those that the trained parser was taught with
// (words.hpp): codes of old systems and of statistics.
// Private to native/. Threads: immutable once built.
#pragma once

#include "native/schema.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace quaestor::native {

using ShortName = std::pair<std::string_view, std::string_view>;

class ShortNames {
public:
    explicit ShortNames(const std::vector<SchemaTable>& tables);

    /// The words of a name with what is shortened written out: "unit nm" is "unit name". What is too short to be sure
    /// of is written out only where a table goes by it.
    [[nodiscard]] std::string written_out(const std::string& words) const;

private:
    std::vector<ShortName> of_tables_;
};

}  // namespace quaestor::native
