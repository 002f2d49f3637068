// Chance that falls the same way on every machine: the standard fixes this generator's numbers but not its
// distributions, so they are made here, of sums and products alone. Callers take one number per statement, for C++
// leaves the order of calls within one open. Whoever plays owns it. Threads: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <utility>

namespace quaestor::demo {

class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    /// At least 0, below 1.
    [[nodiscard]] double unit() {
        constexpr int kUnusedBits = 11;
        constexpr double kStep = 0x1p-53;
        return static_cast<double>(engine_() >> kUnusedBits) * kStep;
    }
    [[nodiscard]] bool chance(double probability) { return unit() < probability; }

    /// One of first … last; the numbers are so small that none is visibly preferred.
    [[nodiscard]] int between(int first, int last) {
        return first + static_cast<int>(engine_() % static_cast<std::uint64_t>(last - first + 1));
    }

    /// Nearly the normal distribution: the sum of twelve units has the variance 1.
    [[nodiscard]] double normal(double mean, double deviation) {
        constexpr int kSummands = 12;
        double sum = -kSummands / 2.0;
        for (int i = 0; i < kSummands; ++i) sum += unit();
        return mean + sum * deviation;
    }

    template <class T>
    [[nodiscard]] const T& one_of(std::span<const T> items) {
        return items[static_cast<std::size_t>(between(0, static_cast<int>(items.size()) - 1))];
    }

    /// A place in `weights`, likelier where the weight is larger.
    [[nodiscard]] std::size_t weighted(std::span<const double> weights) {
        double sum = 0;
        for (const double weight : weights) sum += weight;
        double left = unit() * sum;
        for (std::size_t i = 0; i + 1 < weights.size(); ++i) {
            left -= weights[i];
            if (left < 0) return i;
        }
        return weights.size() - 1;
    }

    template <class T>
    void shuffle(std::span<T> items) {
        for (std::size_t left = items.size(); left > 1; --left) {
            std::swap(items[left - 1], items[static_cast<std::size_t>(between(0, static_cast<int>(left) - 1))]);
        }
    }

private:
    std::mt19937_64 engine_;
};

}  // namespace quaestor::demo
