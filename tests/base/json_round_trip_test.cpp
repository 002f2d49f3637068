#include "base/ids.hpp"
#include "every_kind.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace quaestor {
namespace {

constexpr int kRounds = 3000;
constexpr std::uint64_t kItemsMax = 4;

/// Makes values of every kind, with a liking for the edges.
class Generator {
public:
    explicit Generator(std::uint64_t seed) : random_(seed) {}

    EveryKind every_kind() {
        EveryKind value;
        value.name = text();
        value.flag = flag();
        value.small = integer<std::int8_t>();
        value.medium = integer<std::int32_t>();
        value.large = integer<std::int64_t>();
        value.small_count = integer<std::uint8_t>();
        value.large_count = integer<std::uint64_t>();
        value.single = static_cast<float>(random_.fraction());
        value.real = real();
        value.colour = static_cast<Colour>(random_.below(3));
        if (flag()) value.note = text();
        value.circles = list([&] { return Circle{real()}; });
        for (const int bit : list([&] { return flag() ? 1 : 0; })) value.bits.push_back(bit != 0);
        for (auto& item : list([&] { return text(); })) value.queue.push_back(item);
        value.triple = {integer<int>(), integer<int>(), integer<int>()};
        for (auto& item : list([&] { return text(); })) value.tags.insert(item);
        for (auto& key : list([&] { return text(); })) value.table[key] = list([&] { return integer<int>(); });
        for (auto& key : list([&] { return text(); }))
            value.scores[key] = flag() ? std::optional(real()) : std::nullopt;
        if (flag()) value.shape = Label{text(), Colour::blue};
        value.cell = cell();
        if (flag()) value.text_or_label = text();
        value.whole_seconds = std::chrono::seconds(integer<std::int32_t>());
        value.milliseconds = std::chrono::milliseconds(integer<std::int64_t>());
        value.nanoseconds = std::chrono::nanoseconds(integer<std::int64_t>() >> 12);
        value.time = WallTime(std::chrono::nanoseconds(integer<std::int64_t>() / 2));
        value.any = json::array{text(), real(), integer<std::uint64_t>(), nullptr, flag()};
        value.object.emplace(text(), value.any);
        value.array = json::array{value.object};
        return value;
    }

private:
    bool flag() { return random_.below(2) == 0; }

    template <class T>
    T integer() {
        const std::uint64_t bits = random_.bits();
        switch (random_.below(4)) {
            case 0:
                return std::numeric_limits<T>::min();
            case 1:
                return std::numeric_limits<T>::max();
            default:
                return static_cast<T>(bits);
        }
    }

    double real() {
        const double any = std::bit_cast<double>(random_.bits());
        return std::isfinite(any) ? any : random_.fraction();
    }

    std::string text() {
        static constexpr std::array<std::string_view, 10> kPieces{
            "a", "Z9", "\"", "\\", "\n", "\x01", "é", "世", "👩‍🚀", std::string_view("\0", 1)};
        std::string text;
        for (std::uint64_t left = random_.below(6); left > 0; --left) text += kPieces[random_.below(kPieces.size())];
        return text;
    }

    template <class Make>
    std::vector<std::invoke_result_t<Make>> list(Make make) {
        std::vector<std::invoke_result_t<Make>> items;
        for (std::uint64_t left = random_.below(kItemsMax); left > 0; --left) items.push_back(make());
        return items;
    }

    decltype(EveryKind::cell) cell() {
        switch (random_.below(5)) {
            case 0:
                return integer<std::int64_t>();
            case 1:
                return random_.fraction() + 0.25;
            case 2:
                return flag();
            case 3:
                return text();
            default:
                return list([&] { return integer<int>(); });
        }
    }

    SeededRandom random_;
};

TEST(JsonRoundTrip, GivesRandomValuesBackUnchanged) {
    Generator generator(20260101);
    for (int round = 0; round < kRounds; ++round) {
        const EveryKind value = generator.every_kind();
        const std::string text = to_text(encode(value));
        const auto parsed = parse_json(text);
        ASSERT_TRUE(parsed) << parsed.error().message << '\n' << text;
        const auto back = decode<EveryKind>(*parsed, UnknownFields::refuse);
        ASSERT_TRUE(back) << back.error().message << '\n' << text;
        ASSERT_TRUE(*back == value) << text << '\n' << to_text(encode(*back));
    }
}

TEST(JsonRoundTrip, GivesTheSameThroughPrettyText) {
    Generator generator(7);
    const json::value value = encode(generator.every_kind());
    EXPECT_EQ(to_text(*parse_json(to_pretty_text(value))), to_text(value));
}

TEST(JsonRoundTrip, GivesDefaultsBackUnchanged) {
    EXPECT_TRUE(decode<EveryKind>(encode(EveryKind()), UnknownFields::refuse) == EveryKind());
    EXPECT_TRUE(decode<EveryKind>(json::object()) == EveryKind());
}

}  // namespace
}  // namespace quaestor
