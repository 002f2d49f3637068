#include "pattern.hpp"

#include <algorithm>
#include <optional>

namespace quaestor::cli {

namespace {

constexpr std::string_view kManyLines = "...";
constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kIdLetters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr std::string_view kTimeShape = "0000-00-00T00:00:00";
constexpr std::size_t kIdSize = 26;

std::size_t count_leading(std::string_view text, std::string_view letters) {
    return std::min(text.find_first_not_of(letters), text.size());
}

std::size_t take_id(std::string_view text) {
    return count_leading(text, kIdLetters) == kIdSize ? kIdSize : 0;
}

std::size_t take_time(std::string_view text) {
    if (text.size() < kTimeShape.size()) return 0;
    for (std::size_t i = 0; i < kTimeShape.size(); ++i) {
        const bool is_digit = kDigits.find(text[i]) != std::string_view::npos;
        if (kTimeShape[i] == '0' ? !is_digit : text[i] != kTimeShape[i]) return 0;
    }
    const auto fraction = count_leading(text.substr(kTimeShape.size()), ".0123456789");
    const auto size = kTimeShape.size() + fraction;
    return text.substr(size).starts_with('Z') ? size + 1 : 0;
}

/// Spaces before a number belong to it: a right-aligned one has more or fewer of them.
std::size_t take_number(std::string_view text) {
    const auto spaces = count_leading(text, " ");
    const auto digits = count_leading(text.substr(spaces), ".0123456789");
    return digits == 0 ? 0 : spaces + digits;
}

/// How much of `text` a wildcard takes; nothing when there is no such wildcard.
std::optional<std::size_t> take(std::string_view wildcard, std::string_view text) {
    if (wildcard == "id" || wildcard.starts_with("id:")) return take_id(text);
    if (wildcard == "time") return take_time(text);
    if (wildcard == "number") return take_number(text);
    return std::nullopt;
}

}  // namespace

bool matches(std::string_view pattern, std::string_view line, Names& names) {
    const auto begin = pattern.find('<');
    const auto end = pattern.find('>', std::min(begin, pattern.size()));
    if (end == std::string_view::npos) return pattern == line;
    const auto wildcard = pattern.substr(begin + 1, end - begin - 1);
    const auto rest = pattern.substr(end + 1);
    if (!line.starts_with(pattern.substr(0, begin))) return false;
    line.remove_prefix(begin);
    if (wildcard == "any") {
        for (std::size_t taken = 0; taken <= line.size(); ++taken) {
            if (matches(rest, line.substr(taken), names)) return true;
        }
        return false;
    }
    const auto taken = take(wildcard, line);
    if (!taken) return line.starts_with('<') && matches(pattern.substr(begin + 1), line.substr(1), names);
    if (*taken == 0) return false;
    if (wildcard.starts_with("id:")) names.insert_or_assign(std::string(wildcard.substr(3)), line.substr(0, *taken));
    return matches(rest, line.substr(*taken), names);
}

bool matches(std::span<const std::string> patterns, std::span<const std::string> lines, Names& names) {
    if (patterns.empty()) return lines.empty();
    if (patterns.front() == kManyLines) {
        for (std::size_t taken = 0; taken <= lines.size(); ++taken) {
            if (matches(patterns.subspan(1), lines.subspan(taken), names)) return true;
        }
        return false;
    }
    return !lines.empty() && matches(patterns.front(), lines.front(), names) &&
           matches(patterns.subspan(1), lines.subspan(1), names);
}

std::string fill_in(std::string_view text, const Names& names) {
    std::string filled(text);
    for (const auto& [name, value] : names) {
        const std::string wildcard = "<" + name + ">";
        for (auto at = filled.find(wildcard); at != std::string::npos; at = filled.find(wildcard, at + value.size())) {
            filled.replace(at, wildcard.size(), value);
        }
    }
    return filled;
}

std::string generalise(std::string_view line) {
    std::string pattern;
    while (!line.empty()) {
        if (const auto id = take_id(line); id > 0) {
            pattern += "<id>";
            line.remove_prefix(id);
        } else if (const auto time = take_time(line); time > 0) {
            pattern += "<time>";
            line.remove_prefix(time);
        } else if (const auto number = take_number(line); number > 0 && line.substr(number).starts_with(" ms")) {
            pattern += line.starts_with(' ') ? " <number>" : "<number>";
            line.remove_prefix(number);
        } else {
            pattern += line.front();
            line.remove_prefix(1);
        }
    }
    return pattern;
}

}  // namespace quaestor::cli
