// What the guard admitted lately, so that a statement which was checked is not read anew to be run. It belongs to one
// set of table names and goes with it: a verdict is never older than the tables it was given on.
// Threads: all members may be called from any thread.
#pragma once

#include "data/verdict.hpp"

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace quaestor::data {

class VerdictCache {
public:
    /// The verdict on exactly this text with exactly this limit.
    [[nodiscard]] std::optional<Verdict> find(const std::string& sql, std::size_t row_limit) const {
        const std::lock_guard lock(mutex_);
        const auto found = verdicts_.find(sql);
        if (found == verdicts_.end() || found->second.first != row_limit) return std::nullopt;
        return found->second.second;
    }

    /// Keeps a verdict that admits; a refusal may be mended by a table that is made meanwhile.
    void keep(const std::string& sql, std::size_t row_limit, const Verdict& verdict) {
        if (!verdict.ok || sql.size() > kTextBytesMax) return;
        const std::lock_guard lock(mutex_);
        if (verdicts_.size() >= kEntriesMax) verdicts_.clear();
        verdicts_.insert_or_assign(sql, std::pair(row_limit, verdict));
    }

private:
    static constexpr std::size_t kEntriesMax = 256;
    static constexpr std::size_t kTextBytesMax = std::size_t{8} << 10;

    mutable std::mutex mutex_;
    std::unordered_map<std::string, std::pair<std::size_t, Verdict>> verdicts_;
};

}  // namespace quaestor::data
