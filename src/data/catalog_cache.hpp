// Keeps complete catalogues as JSON files, each with the fingerprint of the database it was made from. Private to
// data/. A file that cannot be read or written is as good as none: everything in it can be made again. Threads: any;
// files are replaced in one step.
#pragma once

#include "data/catalog.hpp"

#include <optional>
#include <string>

namespace quaestor::data {

class CatalogCache {
public:
    /// `folder` empty: nothing is kept. `source` names the database; it may hold a password, and is only hashed.
    CatalogCache(const std::string& folder, const std::string& source);

    [[nodiscard]] std::optional<Catalog> load(const std::string& fingerprint) const;
    void save(const std::string& fingerprint, const Catalog& catalog) const;

private:
    std::string path_;
};

/// 16 hexadecimal digits that are always the same for the same text.
[[nodiscard]] std::string stable_hash(std::string_view text);

}  // namespace quaestor::data
