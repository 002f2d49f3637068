#include "workflows/reflective/small_talk.hpp"

#include "base/text.hpp"
#include "native/reading/wording_nouns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

namespace quaestor::workflows::reflective {

namespace {

constexpr std::size_t kMeasuresOffered = 3;
/// A longer text that begins with "hello" wants something.
constexpr std::size_t kGreetingWordsMax = 6;

using Words = std::set<std::string, std::less<>>;

bool all_among(const std::vector<std::string>& words, const Words& known) {
    return !words.empty() && std::ranges::all_of(words, [&](const auto& word) { return known.contains(word); });
}

bool any_among(const std::vector<std::string>& words, const Words& known) {
    return std::ranges::any_of(words, [&](const auto& word) { return known.contains(word); });
}

const Words& greeting_words() {
    static const Words words{"hello", "hi",  "hey", "good", "morning", "afternoon", "evening", "day",   "there",
                             "bye",   "how", "are", "you",  "today",   "goodbye",   "see",     "later", "welcome"};
    return words;
}

const Words& thanks_words() {
    static const Words words{"thanks", "thank", "you",  "very", "much",  "great", "perfect", "ok",
                             "okay",   "nice",  "cool", "a",    "lot",   "that",  "helps",   "helped",
                             "good",   "job",   "well", "done", "super", "so",    "cheers"};
    return words;
}

bool asks_what_it_does(const std::string& folded) {
    static constexpr std::array<std::string_view, 6> kOpenings{"what can you do", "who are you", "what are you",
                                                               "what can i ask",  "help",        "what do you know"};
    return std::ranges::any_of(kOpenings, [&](std::string_view start) { return folded.starts_with(start); }) &&
           native::split_words(folded).size() <= kGreetingWordsMax + 2;
}

std::string introduction(const AgentInfo& info) {
    std::string text = info.about.empty() ? fmt::format("I answer questions about {}.", info.source) : info.about;
    if (!info.examples.empty()) text += fmt::format(" You could ask: {}", info.examples.front());
    return text;
}

const std::string* measure_words(const native::Knowledge& knowledge, native::ColumnId id) {
    const auto& column = knowledge.schema().columns()[static_cast<std::size_t>(id)];
    const auto& keys = knowledge.schema().keys();
    const bool is_key = column.is_primary || std::ranges::any_of(keys, [&](const native::ForeignKey& key) {
                            return key.from == id || key.to == id;
                        });
    if (is_key || column.kind != native::ColumnKind::number) return nullptr;
    static const Words kNoMeasures{"id", "number", "year", "season", "month", "day", "code", "zip", "phone", "rank"};
    return any_among(native::stems(column.words), kNoMeasures) ? nullptr : &column.words;
}

/// What people mostly mean by good comes first, whatever the subject.
std::size_t salience(const std::string& words) {
    static constexpr std::array<std::string_view, 14> kSalient{"point",   "score", "win",    "rating", "goal",
                                                               "revenue", "sale",  "profit", "amount", "assist",
                                                               "average", "total", "count",  "price"};
    const auto stems = native::stems(words);
    for (std::size_t at = 0; at < kSalient.size(); ++at) {
        if (std::ranges::find(stems, kSalient[at]) != stems.end()) return at;
    }
    return kSalient.size();
}

/// The table that is asked about, and the tables that a key joins to it.
std::vector<native::TableId> tables_around(const native::Knowledge& knowledge, native::TableId table) {
    std::vector<native::TableId> tables{table};
    for (const auto& neighbour : knowledge.schema().neighbours(table)) tables.push_back(neighbour.table);
    return tables;
}

std::vector<std::string> measures_of(const native::Knowledge& knowledge, native::TableId table) {
    std::vector<std::string> measures;
    for (const auto near : tables_around(knowledge, table)) {
        for (const auto column : knowledge.schema().columns_of(near)) {
            const auto* words = measure_words(knowledge, column);
            if (words != nullptr && std::ranges::find(measures, *words) == measures.end()) measures.push_back(*words);
        }
    }
    std::vector<std::pair<std::size_t, std::size_t>> order;
    for (std::size_t at = 0; at < measures.size(); ++at) order.emplace_back(salience(measures[at]), at);
    std::ranges::sort(order);
    std::vector<std::string> best;
    for (const auto& [place, at] : order) {
        if (best.size() < kMeasuresOffered) best.push_back(measures[at]);
    }
    return best;
}

}  // namespace

std::optional<std::string> small_talk_reply(const AgentInfo& info, std::string_view question) {
    const std::string folded = text::fold(text::trim(question));
    const auto words = native::plain_words(question);
    if (asks_what_it_does(folded)) return introduction(info);
    if (words.size() > kGreetingWordsMax) return std::nullopt;
    if (all_among(words, thanks_words()) &&
        any_among(words, {"thanks", "thank", "great", "perfect", "ok", "okay", "nice", "cool", "cheers", "done"})) {
        return "You are welcome. Ask on whenever you like.";
    }
    if (all_among(words, greeting_words())) return fmt::format("Hello! {}", introduction(info));
    return std::nullopt;
}

std::optional<std::string> beyond_data(std::string_view question) {
    const auto words = native::plain_words(question);
    static const Words kFuture{"will", "predict", "prediction", "forecast", "tomorrow"};
    if (any_among(words, kFuture)) {
        return "I answer from what is recorded, and the future is not. Ask about what has happened so far.";
    }
    static const Words kOpinion{"should", "recommend", "opinion", "think", "feel", "believe"};
    if (any_among(words, kOpinion)) {
        return "That asks for a judgement that the data cannot give. Ask for the figures you would judge by.";
    }
    static const Words kMaking{"poem", "joke", "story", "song", "email", "essay"};
    if (any_among(words, kMaking)) return "I answer questions from data, and do not write texts of other kinds.";
    return std::nullopt;
}

std::vector<std::string> parts_of(std::string_view question) {
    static constexpr std::array<std::string_view, 7> kSeams{", then ", " and then ",  "; ",        "? ",
                                                            ". then ", ", and also ", " and also "};
    std::vector<std::string> parts{std::string(text::trim(question))};
    for (const std::string_view seam : kSeams) {
        std::vector<std::string> finer;
        for (const std::string& part : parts) {
            std::size_t begin = 0;
            for (std::size_t at = part.find(seam); at != std::string::npos; at = part.find(seam, begin)) {
                finer.push_back(part.substr(begin, at - begin));
                begin = at + seam.size();
            }
            finer.push_back(part.substr(begin));
        }
        parts = std::move(finer);
    }
    std::erase_if(parts, [](const std::string& part) { return native::plain_words(part).size() < 2; });
    return parts;
}

std::vector<std::string> possible_measures(const native::LinkedQuestion& question, const native::Knowledge& knowledge) {
    static const Words kVague{"best", "worst", "greatest", "better", "strongest", "weakest", "finest"};
    native::TableId about = -1;
    bool is_vague = false;
    for (std::size_t at = 0; at < question.words.size(); ++at) {
        is_vague = is_vague || kVague.contains(native::fold(question.word(at)));
    }
    for (const auto& link : question.links) {
        const bool says_measure = link.kind == native::LinkKind::column && link.score > 0.7 &&
                                  measure_words(knowledge, link.column) != nullptr;
        if (says_measure) return {};
        if (link.kind == native::LinkKind::table && about < 0 && link.score > 0.7) about = link.table;
    }
    // What else the question says may be the measure, even if nothing in the data has its name.
    if (!is_vague || about < 0 || !question.unlinked().empty() || parts_of(question.text).size() > 1) return {};
    std::vector<std::string> options;
    const std::string& thing = knowledge.schema().tables()[static_cast<std::size_t>(about)].words;
    for (const auto& measure : measures_of(knowledge, about)) {
        options.push_back(fmt::format("Which {} has the highest {}?", native::singular(thing), measure));
    }
    if (options.size() < 2) options.clear();
    return options;
}

}  // namespace quaestor::workflows::reflective
