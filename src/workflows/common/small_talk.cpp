#include "workflows/common/small_talk.hpp"

#include "native/words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quaestor::workflows {

namespace {

/// A longer text that begins with "hello" wants something.
constexpr std::size_t kGreetingWordsMax = 6;

bool is_greeting(const std::vector<std::string>& words) {
    static const WordSet kKnown{"hello", "hi",      "hey",   "good",  "morning", "afternoon", "evening",
                                "day",   "there",   "again", "bye",   "how",     "are",       "you",
                                "today", "goodbye", "see",   "later", "welcome"};
    return consists_of(words, kKnown, {"hello", "hi", "hey", "morning", "afternoon", "evening", "bye", "goodbye"});
}

bool is_thanks(const std::vector<std::string>& words) {
    static const WordSet kKnown{"thanks",  "thank",     "you",       "very",        "much",    "great",  "perfect",
                                "ok",      "okay",      "nice",      "cool",        "a",       "lot",    "that",
                                "helps",   "helped",    "good",      "job",         "well",    "done",   "super",
                                "so",      "cheers",    "was",       "really",      "helpful", "for",    "the",
                                "help",    "your",      "useful",    "interesting", "needed",  "wanted", "exactly",
                                "awesome", "excellent", "brilliant", "wonderful",   "clear"};
    return consists_of(words, kKnown,
                       {"thanks", "thank", "great", "perfect", "ok", "okay", "nice", "cool", "cheers", "done"});
}

/// "What can you do?", "who are you exactly?": the words of one of them, and nothing else that means something.
bool asks_what_it_does(const std::vector<std::string>& words) {
    static const std::vector<std::vector<std::string>> kOpenings{{"what", "can", "you", "do"},
                                                                 {"who", "are", "you"},
                                                                 {"what", "are", "you"},
                                                                 {"what", "can", "i", "ask"},
                                                                 {"help"},
                                                                 {"what", "do", "you", "know"},
                                                                 {"what", "can", "you", "help"},
                                                                 {"who", "am", "i", "talking"},
                                                                 {"am", "i", "talking"},
                                                                 {"are", "you", "a", "human"},
                                                                 {"are", "you", "human"},
                                                                 {"are", "you", "a", "bot"},
                                                                 {"how", "do", "you", "work"}};
    static const WordSet kMore{"me",  "please", "here",   "exactly", "then",    "now",      "you",   "about",
                               "for", "to",     "with",   "a",       "bot",     "or",       "human", "machine",
                               "an",  "real",   "person", "robot",   "someone", "computer", "ai"};
    return std::ranges::any_of(kOpenings, [&](const auto& opening) {
        if (words.size() < opening.size() || !std::equal(opening.begin(), opening.end(), words.begin())) return false;
        const std::vector<std::string> rest(words.begin() + static_cast<std::ptrdiff_t>(opening.size()), words.end());
        return rest.empty() || all_among(rest, kMore);
    });
}

}  // namespace

bool all_among(const std::vector<std::string>& words, const WordSet& known) {
    return !words.empty() && std::ranges::all_of(words, [&](const auto& word) { return known.contains(word); });
}

bool any_among(const std::vector<std::string>& words, const WordSet& known) {
    return std::ranges::any_of(words, [&](const auto& word) { return known.contains(word); });
}

bool consists_of(const std::vector<std::string>& words, const WordSet& known, const WordSet& telling) {
    return all_among(words, known) && any_among(words, telling);
}

std::string introduction(const AgentInfo& info) {
    std::string text = info.about.empty() ? fmt::format("I answer questions about {}.", info.source) : info.about;
    // A description speaks of the agent; here it speaks itself.
    constexpr std::string_view kDescribing = "Answers ";
    if (text.starts_with(kDescribing)) text.replace(0, kDescribing.size(), "I answer ");
    if (!info.examples.empty()) text += fmt::format(" You could ask: {}", info.examples.front());
    return text;
}

std::optional<std::string> small_talk_reply(const AgentInfo& info, std::string_view question) {
    const auto words = native::plain_words(question);
    if (asks_what_it_does(words)) return introduction(info);
    if (words.size() > kGreetingWordsMax) return std::nullopt;
    if (is_thanks(words)) return std::string(kWelcome);
    if (is_greeting(words)) return fmt::format("Hello! {}", introduction(info));
    return std::nullopt;
}

}  // namespace quaestor::workflows
