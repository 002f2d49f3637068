#include "llm/semantic_cache.hpp"

#include "resilience/deadline.hpp"

#include <list>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace quaestor::llm {

namespace {

/// What is kept of a question's text, for invalidate().
constexpr std::size_t kKeptTextBytesMax = 1024;

/// The parts of a place as one key. Lengths keep ("ab", "c") and ("a", "bc") apart.
std::string key_of(const CachePlace& place) {
    std::string key;
    for (const std::string& part : {place.prompt, place.model, place.session, place.exact}) {
        key.append(std::to_string(part.size())).append(":").append(part);
    }
    return key;
}

/// Whether `text` is what `pattern` says, where * stands for anything.
bool matches(std::string_view pattern, std::string_view text) {
    std::size_t at = 0;
    std::size_t in_pattern = 0;
    std::size_t star = std::string_view::npos;
    std::size_t covered = 0;  // where the text goes on behind what the last star stands for
    while (at < text.size()) {
        if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
            star = in_pattern++;
            covered = at;
        } else if (in_pattern < pattern.size() && pattern[in_pattern] == text[at]) {
            ++in_pattern;
            ++at;
        } else if (star != std::string_view::npos) {
            in_pattern = star + 1;
            at = ++covered;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', in_pattern) == std::string_view::npos;
}

struct Shelf;

struct Entry {
    Shelf* shelf = nullptr;
    std::size_t row = 0;  ///< of the shelf
    std::string prompt;
    std::string text;
    json::value reply;
    Deadline good_until;
};
using Entries = std::list<Entry>;

/// The questions of one place: their vectors side by side, and the entries that they belong to.
struct Shelf {
    std::string key;
    std::vector<float> vectors;
    std::vector<Entries::iterator> entries;  ///< one for each row
};

std::span<float> row_of(Shelf& shelf, std::size_t row, std::size_t dimensions) {
    return std::span(shelf.vectors).subspan(row * dimensions, dimensions);
}

}  // namespace

struct SemanticCache::Inside {
    using Vector = std::vector<float>;

    Inside(SemanticCacheSettings the_settings, Embedder& the_embedder, Clock& the_clock)
        : settings(the_settings), embedder(the_embedder), clock(the_clock) {}

    Task<std::optional<Vector>> embed(std::string text) {
        std::vector<std::string> texts;
        texts.push_back(std::move(text));
        const auto embedded = co_await embedder.embed(std::move(texts));
        if (!embedded || embedded->size() != 1) co_return std::nullopt;
        co_return Vector((*embedded)[0].begin(), (*embedded)[0].end());
    }

    // These need the mutex.
    std::optional<json::value> nearest(const std::string& key, const Vector& vector);
    void put(Entry entry, const std::string& key, const Vector& vector);
    void remove(Entries::iterator entry);
    void remove_expired(Shelf& shelf);
    [[nodiscard]] bool accepts(const Vector& vector);

    const SemanticCacheSettings settings;
    Embedder& embedder;
    Clock& clock;
    std::mutex mutex;
    Entries entries;  ///< most recently used first
    std::unordered_map<std::string, Shelf> shelves;
    std::size_t dimensions = 0;  ///< known from the first vector
    SemanticCacheStats stats;
};

bool SemanticCache::Inside::accepts(const Vector& vector) {
    if (dimensions == 0) dimensions = vector.size();
    return dimensions > 0 && vector.size() == dimensions;
}

std::optional<json::value> SemanticCache::Inside::nearest(const std::string& key, const Vector& vector) {
    const auto shelf = shelves.find(key);
    if (shelf == shelves.end() || !accepts(vector)) return std::nullopt;
    auto best = entries.end();
    auto best_cosine = static_cast<float>(settings.similarity);
    for (const Entries::iterator entry : shelf->second.entries) {
        if (entry->good_until.expired(clock)) continue;
        const float closeness = cosine(row_of(shelf->second, entry->row, dimensions), vector);
        if (closeness < best_cosine) continue;
        best = entry;
        best_cosine = closeness;
    }
    if (best == entries.end()) return std::nullopt;
    entries.splice(entries.begin(), entries, best);
    return best->reply;
}

void SemanticCache::Inside::put(Entry entry, const std::string& key, const Vector& vector) {
    if (!accepts(vector) || settings.capacity == 0) return;
    Shelf& shelf = shelves[key];
    shelf.key = key;
    for (const Entries::iterator old : shelf.entries) {
        if (old->text != entry.text) continue;
        old->reply = std::move(entry.reply);
        old->good_until = entry.good_until;
        entries.splice(entries.begin(), entries, old);
        return;
    }
    entry.shelf = &shelf;
    entry.row = shelf.entries.size();
    entries.push_front(std::move(entry));
    shelf.entries.push_back(entries.begin());
    shelf.vectors.insert(shelf.vectors.end(), vector.begin(), vector.end());
    remove_expired(shelf);
    if (entries.size() > settings.capacity) remove(std::prev(entries.end()));
}

void SemanticCache::Inside::remove(Entries::iterator entry) {
    Shelf& shelf = *entry->shelf;
    const std::size_t last = shelf.entries.size() - 1;
    if (entry->row != last) {
        const auto from = row_of(shelf, last, dimensions);
        std::copy(from.begin(), from.end(), row_of(shelf, entry->row, dimensions).begin());
        shelf.entries[entry->row] = shelf.entries[last];
        shelf.entries[last]->row = entry->row;
    }
    shelf.entries.pop_back();
    shelf.vectors.resize(last * dimensions);
    entries.erase(entry);
    if (shelf.entries.empty()) shelves.erase(std::string(shelf.key));
}

void SemanticCache::Inside::remove_expired(Shelf& shelf) {
    // From the last row on, because the last row takes the place of one that leaves. The newest never is expired, so
    // that the shelf stays.
    for (std::size_t row = shelf.entries.size(); row-- > 0;) {
        if (shelf.entries[row]->good_until.expired(clock)) remove(shelf.entries[row]);
    }
}

double SemanticCacheStats::hit_rate() const {
    const std::uint64_t asked = hits + misses;
    return asked == 0 ? 0 : static_cast<double>(hits) / static_cast<double>(asked);
}

SemanticCache::SemanticCache(SemanticCacheSettings settings, Embedder& embedder, Clock& clock)
    : inside_(std::make_unique<Inside>(settings, embedder, clock)) {}

SemanticCache::~SemanticCache() = default;

Task<std::optional<json::value>> SemanticCache::find(const CachePlace& place, std::string text) {
    if (!inside_->settings.on) co_return std::nullopt;
    const std::string key = key_of(place);
    const auto vector = co_await inside_->embed(std::move(text));
    const std::lock_guard lock(inside_->mutex);
    auto reply = vector ? inside_->nearest(key, *vector) : std::nullopt;
    ++(reply ? inside_->stats.hits : inside_->stats.misses);
    co_return reply;
}

Task<> SemanticCache::keep(const CachePlace& place, std::string text, json::value reply) {
    if (!inside_->settings.on) co_return;
    const std::string key = key_of(place);
    Entry entry{.prompt = place.prompt, .text = text.substr(0, kKeptTextBytesMax), .reply = std::move(reply)};
    const auto vector = co_await inside_->embed(std::move(text));
    if (!vector) co_return;
    entry.good_until = Deadline::after(inside_->clock, inside_->settings.lifetime);
    const std::lock_guard lock(inside_->mutex);
    inside_->put(std::move(entry), key, *vector);
}

std::size_t SemanticCache::invalidate(std::string_view pattern) {
    const std::lock_guard lock(inside_->mutex);
    std::size_t count = 0;
    for (auto entry = inside_->entries.begin(); entry != inside_->entries.end();) {
        const auto next = std::next(entry);
        if (matches(pattern, entry->prompt) || matches(pattern, entry->text)) {
            inside_->remove(entry);
            ++count;
        }
        entry = next;
    }
    return count;
}

SemanticCacheStats SemanticCache::stats() const {
    const std::lock_guard lock(inside_->mutex);
    SemanticCacheStats stats = inside_->stats;
    stats.size = inside_->entries.size();
    return stats;
}

}  // namespace quaestor::llm
