#include "workflows/cited/native.hpp"

#include "base/text.hpp"
#include "native/words.hpp"
#include "retrieval/terms.hpp"
#include "workflows/cited/searching.hpp"
#include "workflows/common/small_talk.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace quaestor::workflows::cited {

namespace {

using llm::AskOptions;
using namespace std::string_view_literals;

/// Words of a question that leans on the one before it, and says nothing of its own.
constexpr std::array kLeaning{"and"sv,  "what"sv, "about"sv, "how"sv,  "then"sv, "in"sv,   "the"sv, "at"sv,
                              "for"sv,  "also"sv, "now"sv,   "so"sv,   "but"sv,  "on"sv,   "was"sv, "of"sv,
                              "much"sv, "many"sv, "from"sv,  "same"sv, "that"sv, "this"sv, "year"sv};
constexpr std::array kPointing{"that"sv, "it"sv,   "they"sv, "this"sv, "those"sv, "these"sv,
                               "then"sv, "them"sv, "and"sv,  "he"sv,   "she"sv,   "why"sv};
constexpr std::size_t kLeaningWordsMax = 7;

template <class List>
bool is_one_of_words(const List& list, std::string_view word) {
    return std::ranges::find(list, word) != list.end();
}

bool asks_for_sources(const std::string& folded) {
    static constexpr std::array kOpenings{"how do you know"sv,     "where does it say"sv, "where did you find"sv,
                                          "what is your source"sv, "which source"sv,      "what are your sources"sv,
                                          "show me the source"sv,  "says who"sv};
    return std::ranges::any_of(kOpenings, [&](std::string_view start) { return folded.starts_with(start); });
}

/// The question without what only opens it: "OK, what is the rate?"
std::string without_opening(std::string_view question) {
    static constexpr std::array kOpenings{"ok"sv,     "okay"sv,  "so"sv,    "well"sv, "alright"sv, "right"sv,
                                          "hey"sv,    "hi"sv,    "hello"sv, "hmm"sv,  "oh"sv,      "yes"sv,
                                          "no"sv,     "sure"sv,  "great"sv, "fine"sv, "thanks"sv,  "anyway"sv,
                                          "please"sv, "sorry"sv, "good"sv,  "um"sv,   "ah"sv,      "cool"sv};
    for (;;) {
        question = text::trim(question);
        const std::size_t end = question.find_first_of(" ,.!-");
        if (end == std::string_view::npos || !is_one_of_words(kOpenings, text::fold(question.substr(0, end)))) break;
        const std::size_t rest = question.find_first_not_of(" ,.!-", end);
        const bool is_plain_ok = text::fold(question.substr(0, 2)) == "ok";
        if (rest == std::string_view::npos || (question[end] == ' ' && !is_plain_ok)) break;
        question.remove_prefix(rest);
    }
    return std::string(question);
}

/// What needs no documents: talk, and what was answered just now.
std::optional<std::string> reply_without_documents(const Librarian& librarian, const AssessQuery::Input& input) {
    if (auto reply = small_talk_reply(librarian.info(), input.question)) return reply;
    if (input.history.empty()) return std::nullopt;
    const Turn& last = input.history.back();
    const std::string folded = text::fold(text::trim(input.question));
    const bool is_repeated = folded == text::fold(text::trim(last.question));
    if (is_repeated || asks_for_sources(folded)) return last.answer;
    return std::nullopt;
}

Task<Result<AssessQuery::Output>> assess(Librarian& librarian, AssessQuery::Input input, AskOptions) {
    AssessQuery::Output output;
    output.resolved_question = input.question;
    if (auto reply = reply_without_documents(librarian, input)) {
        output.needs_retrieval = false;
        output.reply = std::move(*reply);
        co_return output;
    }
    output.resolved_question = resolved_question(librarian, without_opening(input.question), input.history);
    const auto dates = read_dates(output.resolved_question, {librarian.dates(), input.today, {}});
    if (!dates.dates.empty() && !dates.periods.empty()) {
        output.date_start = dates.dates.front();
        output.date_end = dates.dates.back();
    }
    output.top_k = top_for(dates, librarian.extractor().read(dates.topic).order);
    co_return output;
}

/// Content words of a question, then with like words in their places.
Task<Result<ReformulateQuery::Output>> reformulate(Librarian& librarian, ReformulateQuery::Input input, AskOptions) {
    const auto is_tried = [&](const std::string& query) {
        return std::ranges::any_of(input.tried, [&](const auto& one) { return text::fold(one) == text::fold(query); });
    };
    for (const auto& query : librarian.extractor().in_other_words(input.question)) {
        if (!query.empty() && !is_tried(query)) co_return ReformulateQuery::Output{query};
    }
    std::string with_titles = input.question;
    for (const auto& title : input.titles) with_titles += " " + title;
    co_return ReformulateQuery::Output{is_tried(with_titles) ? std::string() : with_titles};
}

Task<Result<SynthesizeAnswer::Output>> synthesize(Librarian& librarian, SynthesizeAnswer::Input input, AskOptions) {
    co_return extracted_answer(librarian, input);
}

template <llm::Prompt P, auto function>
void teach(Librarian& librarian, llm::Reasoner& reasoner) {
    reasoner.template answer_natively<P>([&librarian](const typename P::Input& input, AskOptions options) {
        return function(librarian, input, options);
    });
}

/// `earlier` with other words on time.
std::string with_time(const DateReading& earlier, const std::string& question, const std::string& label) {
    std::string bare = question;
    if (earlier.end > earlier.begin) {
        return fmt::format("{} in {}{}", text::trim(bare.substr(0, earlier.begin)), label, bare.substr(earlier.end));
    }
    while (bare.ends_with('?') || bare.ends_with(' ')) bare.pop_back();
    return fmt::format("{} in {}?", bare, label);
}

}  // namespace

void answer_natively(Librarian& librarian, llm::Reasoner& reasoner) {
    teach<AssessQuery, assess>(librarian, reasoner);
    teach<ReformulateQuery, reformulate>(librarian, reasoner);
    teach<SynthesizeAnswer, synthesize>(librarian, reasoner);
}

std::string resolved_question(const Librarian& librarian, const std::string& question,
                              const std::vector<Turn>& history) {
    if (history.empty()) return question;
    const Turn& last = history.back();
    const DateReading now = read_dates(question, {librarian.dates(), librarian.today(), last.dates});
    const auto words = native::plain_words(now.topic);
    const bool has_own_topic =
        !std::ranges::all_of(words, [](const auto& word) { return is_one_of_words(kLeaning, word); });
    if (!has_own_topic && !now.periods.empty()) {
        const DateReading earlier = read_dates(last.resolved_question, {librarian.dates(), librarian.today(), {}});
        return with_time(earlier, last.resolved_question, now.periods.front().label);
    }
    if (now.leans_on_earlier && !now.periods.empty()) return with_time(now, question, now.periods.front().label);
    if (!now.periods.empty() || last.dates.empty()) return question;
    const bool points_back =
        std::ranges::any_of(words, [](const auto& word) { return is_one_of_words(kPointing, word); });
    if (!points_back && words.size() > kLeaningWordsMax) return question;
    // "Who voted against it?", asked after a question about one meeting, is about that meeting.
    const bool is_one_time = last.dates.size() == 1;
    if (!points_back && !is_one_time) return question;
    const std::string own = words.size() <= 1 ? fmt::format("{} ({})", question, last.resolved_question) : question;
    return is_one_time ? with_time({}, own, label_of(last.dates.front(), last.dates.front())) : own;
}

std::int64_t top_for(const DateReading& dates, native::AnswerOrder order) {
    constexpr std::size_t kFew = 3;
    constexpr std::size_t kYear = 12;
    constexpr std::int64_t kTopFew = 15;
    constexpr std::int64_t kTopYear = 30;
    constexpr std::int64_t kTopYears = 40;
    if (dates.periods.empty()) return order == native::AnswerOrder::best ? kTopDefault : kTopMax;
    if (dates.dates.size() <= 1) return kTopDefault;
    if (dates.dates.size() <= kFew) return kTopFew;
    if (dates.dates.size() <= kYear) return kTopYear;
    return dates.dates.size() <= 3 * kYear ? kTopYears : kTopMax;
}

}  // namespace quaestor::workflows::cited
