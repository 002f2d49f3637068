#include "llm/structured.hpp"

#include "base/text.hpp"
#include "llm/lenient_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace quaestor::llm {

namespace {

constexpr std::size_t kReplyBytesMax = std::size_t{16} << 20;
/// How often, on average, a byte is looked at again because an object that seemed to begin before it was none.
constexpr std::size_t kWorkPerByte = 4;
/// And how often at least, for short replies.
constexpr std::size_t kWorkMin = std::size_t{64} << 10;
constexpr std::string_view kByteOrderMark = "\uFEFF";
/// What stands before these was thought aloud, and is no answer.
constexpr std::array<std::string_view, 3> kThinkingEnds = {"</think>", "</thinking>", "</reasoning>"};

/// Goes through a reply and remembers the best object that it has.
class Search {
public:
    explicit Search(std::string_view reply) : reply_(reply) {}

    /// The best object, or nothing and a problem().
    [[nodiscard]] std::optional<json::value> run();
    [[nodiscard]] Error problem() const;

private:
    enum class Rank { none, empty, cut_off, unfenced, fenced };

    void look_at_object();
    void consider(LenientObject found);
    [[nodiscard]] bool take_end_of_thinking();
    [[nodiscard]] bool thinking_ends_behind(std::size_t begin);

    std::string_view reply_;
    std::size_t at_ = 0;
    std::size_t work_ = 0;
    bool is_fenced_ = false;
    Rank rank_ = Rank::none;
    json::object best_;
    std::size_t furthest_ = 0;  ///< how far an object went that failed in the end
    std::optional<LenientProblem> problem_;
};

std::optional<json::value> Search::run() {
    const std::size_t work_max = std::max(kWorkMin, kWorkPerByte * reply_.size());
    while (at_ < reply_.size() && work_ <= work_max) {
        if (reply_.substr(at_).starts_with(kCodeFence)) {
            is_fenced_ = !is_fenced_;
            at_ += kCodeFence.size();
        } else if (reply_[at_] == '{') {
            look_at_object();
        } else if (!take_end_of_thinking()) {
            ++at_;
        }
    }
    if (rank_ == Rank::none) return std::nullopt;
    return std::move(best_);
}

void Search::look_at_object() {
    auto found = read_lenient_object(reply_, at_);
    const std::size_t end = found ? found->end : found.error().at;
    work_ += end - at_;
    if (!found && (!problem_ || end - at_ > furthest_)) {
        furthest_ = end - at_;
        problem_ = found.error();
    }
    const bool is_nothing = !found || (!found->is_complete && (found->value.empty() || thinking_ends_behind(at_)));
    if (is_nothing) {
        ++at_;
        return;
    }
    at_ = end;
    consider(std::move(*found));
}

void Search::consider(LenientObject found) {
    const Rank rank = !found.is_complete    ? Rank::cut_off
                      : found.value.empty() ? Rank::empty
                      : is_fenced_          ? Rank::fenced
                                            : Rank::unfenced;
    if (rank < rank_) return;
    rank_ = rank;
    best_ = std::move(found.value);
}

bool Search::take_end_of_thinking() {
    if (reply_[at_] != '<') return false;
    for (const std::string_view end : kThinkingEnds) {
        if (!reply_.substr(at_).starts_with(end)) continue;
        at_ += end.size();
        rank_ = Rank::none;
        is_fenced_ = false;
        return true;
    }
    return false;
}

bool Search::thinking_ends_behind(std::size_t begin) {
    work_ += reply_.size() - begin;
    return std::ranges::any_of(kThinkingEnds,
                               [&](std::string_view end) { return reply_.find(end, begin) != std::string_view::npos; });
}

Error Search::problem() const {
    if (!problem_) return {Code::invalid_argument, "the reply has no JSON object", {}, nullptr};
    const std::string_view before = reply_.substr(0, problem_->at);
    const auto line = std::ranges::count(before, '\n') + 1;
    const std::size_t line_begin = before.rfind('\n');
    const std::size_t column = before.size() - (line_begin == std::string_view::npos ? 0 : line_begin + 1) + 1;
    return {Code::invalid_argument,
            fmt::format("the reply has no JSON object that can be read: line {}, column {}: {}", line, column,
                        problem_->what),
            {},
            nullptr};
}

/// JSON that was written as the content of a string: {\"a\": 1}.
std::string without_escapes(std::string_view text) {
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char next = text[at] == '\\' && at + 1 < text.size() ? text[at + 1] : '\0';
        if (next == '"' || next == '\\') {
            plain.push_back(next);
        } else if (next == 'n' || next == 'r' || next == 't') {
            plain.push_back(' ');
        } else {
            plain.push_back(text[at]);
            continue;
        }
        ++at;
    }
    return plain;
}

Result<json::value> extract_from(std::string_view reply) {
    Search search(reply);
    if (auto found = search.run()) return std::move(*found);
    if (reply.find("\\\"") != std::string_view::npos) {
        const std::string plain = without_escapes(reply);
        if (auto found = Search(plain).run()) return std::move(*found);
    }
    return fail(search.problem());
}

}  // namespace

Result<json::value> extract_json(std::string_view reply) {
    if (reply.size() > kReplyBytesMax) {
        return fail(Code::invalid_argument, fmt::format("the reply has {} bytes, more than the {} that are read",
                                                        reply.size(), kReplyBytesMax));
    }
    if (!text::is_utf8(reply)) return extract_from(text::clean(reply));
    std::string_view whole = text::trim(reply);
    if (whole.starts_with(kByteOrderMark)) whole.remove_prefix(kByteOrderMark.size());
    const auto parsed = parse_json(whole);
    if (parsed && parsed->is_object()) return *parsed;
    if (parsed && parsed->is_string()) return extract_from(parsed->get_string());
    return extract_from(whole);
}

}  // namespace quaestor::llm
