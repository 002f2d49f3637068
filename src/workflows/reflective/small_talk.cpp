#include "workflows/reflective/small_talk.hpp"

#include "base/text.hpp"
#include "native/reading/restating.hpp"
#include "native/reading/wording_nouns.hpp"
#include "workflows/common/small_talk.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

namespace quaestor::workflows::reflective {

namespace {

/// Of anything that a question back lets a person choose from.
constexpr std::size_t kOptionsOffered = 3;

constexpr std::string_view kNoTexts = "I answer questions from data, and do not write texts of other kinds.";
constexpr double kSureLink = 0.7;

using Words = WordSet;

bool is_sure_of_data(const native::Link& link) {
    const bool is_data = link.kind == native::LinkKind::table || link.kind == native::LinkKind::column ||
                         link.kind == native::LinkKind::value;
    return is_data && link.score > kSureLink;
}

/// One of the words, where it means nothing in the data.
bool says_besides_data(const native::LinkedQuestion& question, const Words& words) {
    for (std::size_t at = 0; at < question.words.size(); ++at) {
        const bool is_data = std::ranges::any_of(question.links, [&](const native::Link& link) {
            return link.first <= at && at <= link.last && is_sure_of_data(link);
        });
        if (!is_data && words.contains(native::fold(question.word(at)))) return true;
    }
    return false;
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
    static constexpr std::array<std::string_view, 14> kSalient{"win",     "point", "score",  "rating", "goal",
                                                               "revenue", "sale",  "profit", "amount", "assist",
                                                               "average", "total", "count",  "price"};
    const auto stems = native::stems(words);
    for (std::size_t at = 0; at < kSalient.size(); ++at) {
        if (std::ranges::find(stems, kSalient[at]) != stems.end()) return at;
    }
    return kSalient.size();
}

/// The table that is asked about, and the tables that a key joins to it; those with few rows first, for they sum up.
std::vector<native::TableId> tables_around(const native::Knowledge& knowledge, native::TableId table) {
    std::vector<native::TableId> tables{table};
    for (const auto& neighbour : knowledge.schema().neighbours(table)) tables.push_back(neighbour.table);
    std::ranges::sort(
        tables, {}, [&](native::TableId id) { return std::pair(knowledge.described_table(id).rows.value_or(0), id); });
    return tables;
}

/// The most salient measures, no two of one kind: points per game stand for points too.
std::vector<std::string> measures_of(const native::Knowledge& knowledge, native::TableId table) {
    std::map<std::size_t, std::string> by_kind;
    for (const auto near : tables_around(knowledge, table)) {
        for (const auto column : knowledge.schema().columns_of(near)) {
            const auto* words = measure_words(knowledge, column);
            if (words != nullptr) by_kind.try_emplace(salience(*words), *words);
        }
    }
    std::vector<std::string> best;
    for (const auto& [kind, words] : by_kind) {
        if (best.size() < kOptionsOffered) best.push_back(words);
    }
    return best;
}

/// The names of the table that most others refer to; 0 when none has names.
native::ColumnId names_of_most(const native::Knowledge& knowledge) {
    const auto& schema = knowledge.schema();
    std::pair<std::ptrdiff_t, native::ColumnId> best{0, 0};
    for (std::size_t at = 1; at < schema.columns().size(); ++at) {
        const auto& column = schema.columns()[at];
        const bool is_name = column.kind == native::ColumnKind::text &&
                             (column.words == "name" || column.words == "full name" || column.words == "title");
        const auto references = std::ranges::count_if(
            schema.keys(), [&](const native::ForeignKey& key) { return schema.table_of(key.to) == column.table; });
        if (is_name && references > best.first) best = {references, static_cast<native::ColumnId>(at)};
    }
    return best.second;
}

}  // namespace

bool asks_for_reasons(std::string_view question) {
    static const Words known{"why", "is",  "that",   "this", "so",  "it",   "do",  "you",   "say",  "how",  "come",
                             "was", "the", "answer", "know", "did", "find", "get", "where", "does", "from", "out"};
    static const Words openings{"why", "how", "where"};
    const auto words = native::plain_words(question);
    return consists_of(words, known, {"why", "know", "find", "get", "from"}) && openings.contains(words.front());
}

std::optional<std::string> beyond_data(const native::LinkedQuestion& question) {
    static const Words kWriting{"alter", "create", "delete", "drop", "erase", "insert", "remove", "truncate", "update"};
    if (!question.words.empty() && kWriting.contains(native::fold(question.word(0)))) {
        return "I only read: nothing in the data is ever changed. Ask what you want to know about it.";
    }
    static const Words kFuture{"will", "predict", "prediction", "forecast", "tomorrow"};
    if (says_besides_data(question, kFuture)) {
        return "I answer from what is recorded, and the future is not. Ask about what has happened so far.";
    }
    static const Words kOpinion{"should", "recommend", "opinion", "think", "feel", "believe"};
    if (says_besides_data(question, kOpinion)) {
        return "That asks for a judgement that the data cannot give. Ask for the figures you would judge by.";
    }
    static const Words kMaking{"write", "compose", "sing", "tell"};
    static const Words kTexts{"poem", "joke", "story", "song", "email", "essay", "letter", "limerick"};
    if (says_besides_data(question, kMaking) && says_besides_data(question, kTexts)) return std::string(kNoTexts);
    return std::nullopt;
}

std::optional<std::string> reply_to(const AgentInfo& info, Intent intent) {
    switch (intent) {
        case Intent::greeting:
            return fmt::format("Hello! {}", introduction(info));
        case Intent::thanks:
            return std::string(kWelcome);
        case Intent::out_of_scope:
            return fmt::format("That is nothing that I can look up. {}", introduction(info));
        case Intent::data_question:
        case Intent::document_question:
        case Intent::unclear:
            break;
    }
    return std::nullopt;
}

bool is_about_data(const native::LinkedQuestion& question) {
    return std::ranges::any_of(question.links, is_sure_of_data);
}

namespace {

/// "Who scored most and who assisted most?": what begins anew with a word that asks.
void split_before_questions(std::vector<std::string>& parts) {
    static constexpr std::array<std::string_view, 5> kOpenings{" and who ", " and which ", " and what ",
                                                               " and how many ", " and how much "};
    constexpr std::string_view kAnd = " and ";
    for (std::size_t part = 0; part < parts.size(); ++part) {
        for (const std::string_view opening : kOpenings) {
            const std::size_t at = parts[part].find(opening);
            if (at == std::string::npos) continue;
            const std::string rest = parts[part].substr(at + kAnd.size());
            parts[part].resize(at);
            parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(part) + 1, rest);
        }
    }
}

/// "First find the team …": that it comes first is no part of it.
std::string without_first(std::string part) {
    static constexpr std::array<std::string_view, 2> kFirst{"first, ", "first "};
    static const Words kVerbs{"find",      "get",  "list",  "show", "tell", "identify",
                              "determine", "what", "which", "who",  "how"};
    for (const std::string_view first : kFirst) {
        if (!native::fold(part).starts_with(first)) continue;
        const std::string rest = part.substr(first.size());
        const auto words = native::plain_words(rest);
        return !words.empty() && kVerbs.contains(words.front()) ? rest : part;
    }
    return part;
}

}  // namespace

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
    split_before_questions(parts);
    if (parts.size() > 1) parts.front() = without_first(std::move(parts.front()));
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

std::vector<std::string> possible_persons(const native::LinkedQuestion& question, const native::Knowledge& knowledge) {
    if (!native::points_back(question)) return {};
    const native::ColumnId names = names_of_most(knowledge);
    if (names == 0) return {};
    const auto& samples = knowledge.described(names).samples;
    const std::size_t count = std::min(samples.size(), kOptionsOffered);
    if (count < 2) return {};
    return native::with_each_name(question, std::span(samples).first(count));
}

}  // namespace quaestor::workflows::reflective
