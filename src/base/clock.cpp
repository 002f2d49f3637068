#include "base/clock.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/experimental/concurrent_channel.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <cstdint>

namespace quaestor {

namespace {

using namespace std::chrono_literals;

class SystemClock final : public Clock {
public:
    [[nodiscard]] Instant now() const override { return std::chrono::steady_clock::now(); }
    [[nodiscard]] WallTime wall() const override { return std::chrono::system_clock::now(); }

    Task<bool> slept_until(Instant when) override {
        asio::steady_timer timer(co_await asio::this_coro::executor, when);
        boost::system::error_code stopped;
        co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, stopped));
        co_return !stopped;
    }
};

constexpr WallTime kManualStart = std::chrono::sys_days(std::chrono::year(2026) / 1 / 1);
/// Not the epoch, so that a default Instant lies in the past as it does on a real machine.
constexpr Instant kManualStartInstant{24h};

}  // namespace

Task<> Clock::sleep_until(Instant when) {
    if (!co_await slept_until(when)) throw boost::system::system_error(asio::error::operation_aborted);
}

Clock& system_clock() {
    static SystemClock clock;
    return clock;
}

/// A task that waits. The clock sends once, and the channel keeps it should the task not be listening yet.
struct ManualClock::Sleeper {
    Sleeper(ManualClock& owner, Instant when, const asio::any_io_executor& executor)
        : clock(owner), woken(executor, 1) {
        const std::lock_guard lock(clock.mutex_);
        waits = when > clock.now_;
        if (waits) {
            place = clock.sleepers_.emplace(when, this);
        } else {
            wake();
        }
    }

    ~Sleeper() {
        const std::lock_guard lock(clock.mutex_);
        if (waits) clock.sleepers_.erase(place);
    }

    Sleeper(const Sleeper&) = delete;
    Sleeper& operator=(const Sleeper&) = delete;

    void wake() {
        waits = false;
        woken.try_send(boost::system::error_code());
    }

    ManualClock& clock;
    asio::experimental::concurrent_channel<void(boost::system::error_code)> woken;
    bool waits = false;  ///< is in the clock's map; guarded by its mutex
    std::multimap<Instant, Sleeper*>::iterator place;
};

ManualClock::ManualClock() : now_(kManualStartInstant) {}
ManualClock::~ManualClock() = default;

Instant ManualClock::now() const {
    const std::lock_guard lock(mutex_);
    return now_;
}

WallTime ManualClock::wall() const {
    return kManualStart + (now() - kManualStartInstant);
}

Task<bool> ManualClock::slept_until(Instant when) {
    Sleeper sleeper(*this, when, co_await asio::this_coro::executor);
    boost::system::error_code stopped;
    co_await sleeper.woken.async_receive(asio::redirect_error(asio::use_awaitable, stopped));
    co_return !stopped;
}

void ManualClock::advance(Duration time) {
    const std::lock_guard lock(mutex_);
    now_ += time;
    const auto later = sleepers_.upper_bound(now_);
    for (auto place = sleepers_.begin(); place != later; place = sleepers_.erase(place)) {
        place->second->wake();
    }
}

std::size_t ManualClock::sleepers() const {
    const std::lock_guard lock(mutex_);
    return sleepers_.size();
}

namespace {

/// Adds `number` in exactly `width` digits. By hand, because times are written with every checkpoint and log line.
void put_number(std::string& out, std::int64_t number, std::size_t width) {
    out.resize(out.size() + width);
    for (auto digit = out.rbegin(); width > 0; --width, ++digit) {
        *digit = static_cast<char>('0' + number % 10);
        number /= 10;
    }
}

std::string write_iso8601(WallTime time, std::size_t fraction_digits) {
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(std::chrono::nanoseconds(time - day));
    std::string out;
    out.reserve(std::string_view("2026-11-15T02:39:58.123456789Z").size());
    put_number(out, static_cast<int>(date.year()), 4);
    put_number(out += '-', static_cast<unsigned>(date.month()), 2);
    put_number(out += '-', static_cast<unsigned>(date.day()), 2);
    put_number(out += 'T', clock.hours().count(), 2);
    put_number(out += ':', clock.minutes().count(), 2);
    put_number(out += ':', clock.seconds().count(), 2);
    put_number(out += '.', clock.subseconds().count(), 9);
    out.resize(out.size() - (9 - fraction_digits));
    return out += 'Z';
}

/// Takes exactly `width` digits off the front of `text`.
std::optional<int> take_number(std::string_view& text, std::size_t width) {
    if (text.size() < width) return std::nullopt;
    int number = 0;
    for (const char digit : text.substr(0, width)) {
        if (digit < '0' || digit > '9') return std::nullopt;
        number = number * 10 + (digit - '0');
    }
    text.remove_prefix(width);
    return number;
}

bool take(std::string_view& text, char expected) {
    if (!text.starts_with(expected)) return false;
    text.remove_prefix(1);
    return true;
}

std::optional<std::chrono::sys_days> take_date(std::string_view& text) {
    const auto year = take_number(text, 4);
    if (!year || !take(text, '-')) return std::nullopt;
    const auto month = take_number(text, 2);
    if (!month || !take(text, '-')) return std::nullopt;
    const auto day = take_number(text, 2);
    if (!day) return std::nullopt;
    const auto date = std::chrono::year(*year) / *month / *day;
    // WallTime counts nanoseconds and so spans the years 1677 to 2262; the whole years inside are accepted.
    if (!date.ok() || *year < 1678 || *year > 2261) return std::nullopt;
    return std::chrono::sys_days(date);
}

std::optional<std::chrono::seconds> take_time_of_day(std::string_view& text) {
    const auto hours = take_number(text, 2);
    if (!hours || !take(text, ':')) return std::nullopt;
    const auto minutes = take_number(text, 2);
    if (!minutes || !take(text, ':')) return std::nullopt;
    const auto seconds = take_number(text, 2);
    if (!seconds || *hours > 23 || *minutes > 59 || *seconds > 59) return std::nullopt;
    return std::chrono::hours(*hours) + std::chrono::minutes(*minutes) + std::chrono::seconds(*seconds);
}

std::optional<std::chrono::nanoseconds> take_fraction(std::string_view& text) {
    if (!take(text, '.')) return 0ns;
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits == 0 || digits > 9) return std::nullopt;
    std::chrono::nanoseconds fraction(*take_number(text, digits));
    for (std::size_t missing = 9 - digits; missing > 0; --missing) fraction *= 10;
    return fraction;
}

}  // namespace

std::string to_iso8601(WallTime time) {
    return write_iso8601(time, 3);
}

std::string to_iso8601_exact(WallTime time) {
    const auto nanoseconds = std::chrono::nanoseconds(time.time_since_epoch());
    if (nanoseconds % 1ms == 0ns) return write_iso8601(time, 3);
    return write_iso8601(time, nanoseconds % 1us == 0ns ? 6 : 9);
}

std::optional<WallTime> from_iso8601(std::string_view text) {
    const auto day = take_date(text);
    if (!day || !take(text, 'T')) return std::nullopt;
    const auto time = take_time_of_day(text);
    if (!time) return std::nullopt;
    const auto fraction = take_fraction(text);
    if (!fraction || text != "Z") return std::nullopt;
    return WallTime(*day) + *time + *fraction;
}

}  // namespace quaestor
