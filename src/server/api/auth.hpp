// API keys: random, shown once, kept as hashes in a file that only its owner reads; and who presents one.
// A KeyRing is the file's contents. `quaestor keys` changes the file; a server reads it again when it has changed.
// Threads: all members may be called from any thread.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/ids.hpp"

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::server {

enum class KeyRole { user, admin };
BOOST_DESCRIBE_ENUM(KeyRole, user, admin)

/// What is kept of a key: everything but the key.
struct KeyRecord {
    std::string id;    ///< the part of the key that may be shown
    std::string name;  ///< whose it is, or what for
    KeyRole role = KeyRole::user;
    std::string sha256;  ///< of the whole key, in hexadecimal
    WallTime created_at;
};
BOOST_DESCRIBE_STRUCT(KeyRecord, (), (id, name, role, sha256, created_at))

inline constexpr std::size_t kKeysMax = 10'000;
inline constexpr std::size_t kKeyNameMax = 200;

class KeyRing {
public:
    explicit KeyRing(std::filesystem::path file) : file_(std::move(file)) {}

    /// Who presents this key; nothing when nobody has it. Takes the same time for all that are wrong.
    [[nodiscard]] std::optional<KeyRecord> find(std::string_view presented);
    /// Without a file there are none. Code::corrupt when it cannot be read.
    [[nodiscard]] Result<std::vector<KeyRecord>> list();

    /// A new key; `key` is the only copy that there will ever be.
    struct Created {
        KeyRecord record;
        std::string key;
    };
    [[nodiscard]] Result<Created> create(std::string name, KeyRole role, Clock& clock = system_clock());
    /// Code::not_found when there is no such key.
    [[nodiscard]] Result<> revoke(std::string_view id);

private:
    [[nodiscard]] Result<> read_again();  // needs the mutex
    [[nodiscard]] Result<> write();       // needs the mutex

    const std::filesystem::path file_;
    std::mutex mutex_;
    std::vector<KeyRecord> keys_;
    std::optional<std::filesystem::file_time_type> read_at_;  ///< the file's time when it was read
    std::uintmax_t read_bytes_ = 0;
};

/// "Authorization: Bearer KEY" or "X-API-Key: KEY".
struct Request;
[[nodiscard]] std::optional<std::string_view> presented_key(const Request& request);

}  // namespace quaestor::server
