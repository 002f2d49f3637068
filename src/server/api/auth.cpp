#include "server/api/auth.hpp"

#include "base/json.hpp"
#include "server/message.hpp"

#include <boost/algorithm/string/predicate.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <unistd.h>

namespace quaestor::server {

namespace {

constexpr std::size_t kSecretBytes = 32;
constexpr std::size_t kIdBytes = 6;
constexpr std::string_view kPrefix = "qk_";

std::string in_hex(std::span<const unsigned char> bytes) {
    std::string text;
    for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
    return text;
}

Result<std::string> random_hex(std::size_t count) {
    std::array<unsigned char, kSecretBytes> bytes{};
    if (RAND_bytes(bytes.data(), static_cast<int>(count)) != 1) {
        return fail(Code::unavailable, "the system gave no random bytes", "try again");
    }
    return in_hex(std::span(bytes).first(count));
}

std::string sha256_of(std::string_view text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr);
    return in_hex(std::span(digest).first(size));
}

Result<std::vector<KeyRecord>> read_keys(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    const auto value = parse_json(text);
    auto keys = value ? decode<std::vector<KeyRecord>>(*value) : Result<std::vector<KeyRecord>>(fail(value.error()));
    if (file.is_open() && keys && keys->size() <= kKeysMax) return keys;
    return fail(Code::corrupt, fmt::format("the keys in {} cannot be read", path.string()),
                "mend the file, or remove it and make new keys");
}

/// Written beside, then put in place: a reader sees the old keys or the new ones. Only the owner may read them.
Result<> replace_file(const std::filesystem::path& path, const std::string& text) {
    constexpr int kOwnerOnly = 0600;
    const std::string beside = path.string() + ".new";
    const int file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kOwnerOnly);
    const bool written =
        file >= 0 && ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) && ::fsync(file) == 0;
    const int problem = errno;
    if (file >= 0) ::close(file);
    if (written && std::rename(beside.c_str(), path.c_str()) == 0) return {};
    return fail(Code::unavailable,
                fmt::format("the keys could not be written to {}: {}", path.string(), std::strerror(problem)),
                "make its folder writable for this user");
}

}  // namespace

std::optional<std::string_view> presented_key(const Request& request) {
    if (const auto key = request.header("X-API-Key")) return key;
    auto value = request.header("Authorization");
    constexpr std::string_view kBearer = "Bearer ";
    if (!value || !boost::algorithm::istarts_with(*value, kBearer)) return std::nullopt;
    value->remove_prefix(kBearer.size());
    return value;
}

Result<> KeyRing::read_again() {
    std::error_code missing;
    const auto time = std::filesystem::last_write_time(file_, missing);
    if (missing) {
        keys_.clear();
        read_at_.reset();
        return {};
    }
    const auto bytes = std::filesystem::file_size(file_, missing);
    if (read_at_ == time && read_bytes_ == bytes) return {};
    auto keys = read_keys(file_);
    if (!keys) return fail(keys.error());
    keys_ = std::move(*keys);
    read_at_ = time;
    read_bytes_ = bytes;
    return {};
}

std::optional<KeyRecord> KeyRing::find(std::string_view presented) {
    const std::string digest = sha256_of(presented);
    const std::lock_guard lock(mutex_);
    if (!read_again()) return std::nullopt;
    const KeyRecord* found = nullptr;
    for (const auto& key : keys_) {
        const bool is_it =
            key.sha256.size() == digest.size() && CRYPTO_memcmp(key.sha256.data(), digest.data(), digest.size()) == 0;
        if (is_it) found = &key;
    }
    return found == nullptr ? std::nullopt : std::optional(*found);
}

Result<std::vector<KeyRecord>> KeyRing::list() {
    const std::lock_guard lock(mutex_);
    if (auto read = read_again(); !read) return fail(read.error());
    return keys_;
}

Result<KeyRing::Created> KeyRing::create(std::string name, KeyRole role, Clock& clock) {
    const std::lock_guard lock(mutex_);
    if (auto read = read_again(); !read) return fail(read.error());
    if (name.empty() || name.size() > kKeyNameMax) {
        return fail(Code::invalid_argument, fmt::format("a key's name has 1 to {} bytes", kKeyNameMax),
                    "name whose it is, or what it is for");
    }
    if (keys_.size() >= kKeysMax) return fail(Code::limit_exceeded, "there are too many keys", "revoke some");
    const auto id = random_hex(kIdBytes);
    const auto secret = random_hex(kSecretBytes);
    if (!id || !secret) return fail(id ? secret.error() : id.error());
    Created created{
        .record = {.id = *id, .name = std::move(name), .role = role, .sha256 = {}, .created_at = clock.wall()},
        .key = fmt::format("{}{}_{}", kPrefix, *id, *secret)};
    created.record.sha256 = sha256_of(created.key);
    keys_.push_back(created.record);
    if (auto written = write(); !written) return fail(written.error());
    return created;
}

Result<> KeyRing::revoke(std::string_view id) {
    const std::lock_guard lock(mutex_);
    if (auto read = read_again(); !read) return read;
    if (std::erase_if(keys_, [&](const KeyRecord& key) { return key.id == id; }) == 0) {
        return fail(Code::not_found, fmt::format("there is no key {}", id), "list them with quaestor keys list");
    }
    return write();
}

Result<> KeyRing::write() {
    read_at_.reset();
    return replace_file(file_, to_pretty_text(encode(keys_)) + "\n");
}

}  // namespace quaestor::server
