#include "data/catalog_cache.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace quaestor::data {

namespace {

namespace fs = std::filesystem;

struct CachedCatalog {
    int version = 0;
    std::string fingerprint;
    Catalog catalog;
};
BOOST_DESCRIBE_STRUCT(CachedCatalog, (), (version, fingerprint, catalog))

/// Raised whenever a catalogue comes to mean something else.
constexpr int kVersion = 2;

}  // namespace

CatalogCache::CatalogCache(const std::string& folder, const std::string& source) {
    if (!folder.empty()) path_ = (fs::path(folder) / "catalogs" / (stable_hash(source) + ".json")).string();
}

std::optional<Catalog> CatalogCache::load(const std::string& fingerprint) const {
    std::ifstream file(path_, std::ios::binary);
    if (path_.empty() || !file) return std::nullopt;
    const auto parsed = parse_json(std::string{std::istreambuf_iterator<char>(file), {}});
    if (!parsed) return std::nullopt;
    auto cached = decode<CachedCatalog>(*parsed);
    if (!cached || cached->version != kVersion || cached->fingerprint != fingerprint) return std::nullopt;
    return std::move(cached->catalog);
}

void CatalogCache::save(const std::string& fingerprint, const Catalog& catalog) const {
    if (path_.empty()) return;
    std::error_code problem;
    fs::create_directories(fs::path(path_).parent_path(), problem);
    const std::string draft = fmt::format("{}.{}", path_, ::getpid());
    {
        std::ofstream file(draft, std::ios::binary);
        file << to_text(encode(CachedCatalog{kVersion, fingerprint, catalog}));
        if (!file) problem = std::make_error_code(std::errc::io_error);
    }
    if (!problem) fs::rename(draft, path_, problem);
    if (problem) fs::remove(draft, problem);
}

std::string stable_hash(std::string_view text) {
    std::uint64_t hash = 0xcbf2'9ce4'8422'2325;  // FNV-1a
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x0100'0000'01b3;
    return fmt::format("{:016x}", hash);
}

}  // namespace quaestor::data
