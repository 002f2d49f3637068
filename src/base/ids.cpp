#include "base/ids.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>

namespace quaestor {

namespace {

class SystemRandom final : public Random {
public:
    std::uint64_t bits() override {
        thread_local std::mt19937_64 engine = seeded();
        return engine();
    }

private:
    static std::mt19937_64 seeded() {
        std::random_device device;
        std::array<std::random_device::result_type, 16> entropy;
        std::ranges::generate(entropy, std::ref(device));
        std::seed_seq seed(entropy.begin(), entropy.end());
        return std::mt19937_64(seed);
    }
};

constexpr std::string_view kCrockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr std::size_t kTimeCharacters = 10;
constexpr std::size_t kUlidLength = 26;
constexpr std::size_t kIdLengthMax = 128;
constexpr std::uint64_t kHighMax = 0xFFFF;

constexpr bool is_id_character(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == ':' || c == '-';
}

/// Writes the lowest bits of `value`, five to a character, so that the last lands at `end - 1`.
void write_base32(char* begin, char* end, std::uint64_t value) {
    while (end != begin) {
        *--end = kCrockford[value & 31];
        value >>= 5;
    }
}

std::string write_ulid(std::uint64_t milliseconds, std::uint64_t high, std::uint64_t low) {
    std::string id(kUlidLength, '0');
    char* const random = id.data() + kTimeCharacters;
    write_base32(id.data(), random, milliseconds);
    // 80 bits: 20 of them (all of `high` and the top of `low`) in 4 characters, the other 60 in 12.
    write_base32(random, random + 4, high << 4 | low >> 60);
    write_base32(random + 4, random + 16, low);
    return id;
}

}  // namespace

double Random::fraction() {
    return static_cast<double>(bits() >> 11) * 0x1p-53;
}

std::uint64_t Random::below(std::uint64_t bound) {
    // The first 2^64 mod bound values would make small results likelier; draw again.
    const std::uint64_t surplus = (0 - bound) % bound;
    std::uint64_t drawn = bits();
    while (drawn < surplus) drawn = bits();
    return drawn % bound;
}

Random& system_random() {
    static SystemRandom random;
    return random;
}

SeededRandom::SeededRandom(std::uint64_t seed) {
    // Neighbouring seeds must not give related sequences: tasks of a fan-out are seeded 1, 2, 3, …
    std::seed_seq mixed{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
    engine_.seed(mixed);
}

std::uint64_t SeededRandom::bits() {
    const std::lock_guard lock(mutex_);
    return engine_();
}

IdMaker::IdMaker(Clock& clock, Random& random) : clock_(clock), random_(random) {}

std::string IdMaker::make() {
    const std::lock_guard lock(mutex_);
    const auto since_epoch = std::chrono::floor<std::chrono::milliseconds>(clock_.wall().time_since_epoch());
    const auto milliseconds = static_cast<std::uint64_t>(std::max<std::int64_t>(0, since_epoch.count()));
    const bool exhausted = high_ == kHighMax && low_ == UINT64_MAX;
    if (milliseconds > last_millisecond_ || exhausted) {
        last_millisecond_ = std::max(milliseconds, last_millisecond_ + 1);
        high_ = random_.bits() & kHighMax;
        low_ = random_.bits();
    } else if (++low_ == 0) {
        ++high_;
    }
    return write_ulid(last_millisecond_, high_, low_);
}

std::string make_id() {
    static IdMaker maker(system_clock(), system_random());
    return maker.make();
}

bool is_valid_id(std::string_view text) {
    return !text.empty() && text.size() <= kIdLengthMax && std::ranges::all_of(text, is_id_character);
}

}  // namespace quaestor
