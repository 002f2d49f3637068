#include "native/reading/facts/names.hpp"

#include "base/text.hpp"
#include "native/reading/link_finders.hpp"
#include "native/reading/link_words.hpp"
#include "native/reading/same_things.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace quaestor::native::facts {

namespace {

constexpr double kRelated = 0.85;
constexpr double kSameRoot = 0.7;
/// What a glossary or a description calls a column, beside its name.
constexpr double kDescribed = 0.9;
constexpr std::size_t kRootBytesMin = 4;
constexpr double kMisspelt = 0.8;
constexpr std::size_t kCueBytesMin = 6;
constexpr std::size_t kMisspeltBytesMin = 4;
/// "averaged 20 points" says "points per game" nearly as well.
constexpr double kImplied = 0.9;
/// Words that lie apart from the others of their phrase.
constexpr double kApart = 0.85;
constexpr std::size_t kGapMax = 2;
/// A table that is called by the last word of its name only.
constexpr double kLastWordOfTable = 0.6;
/// A table by another noun for the same: "country" for nations.
constexpr double kOtherNoun = 0.95;

/// Without the endings of verbs and of those who do: "scored", "scoring" and "scorer" are "scor".
std::string root_of(const std::string& stem) {
    for (const std::string_view ending : {"ing", "ers", "er", "ed", "e"}) {
        if (stem.ends_with(ending) && stem.size() - ending.size() >= kRootBytesMin) {
            return stem.substr(0, stem.size() - ending.size());
        }
    }
    return stem;
}

std::vector<std::string> stems_of(std::string_view text) {
    std::vector<std::string> out;
    for (const auto& [begin, end] : split_words(text)) {
        const std::string word = fold(text.substr(begin, end - begin));
        const bool is_mark = word.size() == 1 && std::ranges::find(std::string_view("-_/.'\""), word[0]) !=
                                                     std::string_view("-_/.'\"").end();
        if (!is_mark) out.push_back(link_stem(word));
    }
    return out;
}

/// A letter more, less, other, or two the other way round; the first is rarely wrong.
bool is_misspelt(const std::string& said, const std::string& word) {
    if (word.size() < kMisspeltBytesMin || said.front() != word.front()) return false;
    const bool is_turned = said.size() == word.size() && std::ranges::is_permutation(said, word);
    return is_turned || text::edit_distance(said, word) <= 1;
}

/// "avrage": a word that says what to do, with a letter wrong.
std::string well_spelt(std::string word) {
    constexpr auto kSpelt = std::to_array<std::string_view>(
        {"average", "between", "greatest", "highest", "largest", "lowest", "percentage", "smallest", "youngest"});
    if (word.size() < kCueBytesMin) return word;
    const auto found =
        std::ranges::find_if(kSpelt, [&](std::string_view spelt) { return text::edit_distance(word, spelt) == 1; });
    return found == kSpelt.end() ? word : std::string(*found);
}

bool is_average(std::string_view word) {
    return word == "average" || word == "averaged" || word == "averages" || word == "averaging" || word == "avg" ||
           word == "mean";
}

}  // namespace

Names::Names(const rules::SchemaView& view, const LinkedQuestion& question) : view_(view) {
    for (std::size_t at = 0; at < question.words.size(); ++at) {
        folded_.push_back(well_spelt(fold(question.word(at))));
        says_average_ |= is_average(folded_.back());
        const std::string said = link_stem(folded_.back());
        Meanings meanings{{said, 1}};
        for (const auto& [word, meant] : kRelatedWords) {
            if (word == said || word == folded_.back()) meanings.emplace_back(meant, kRelated);
        }
        for (const auto& [adjective, noun] : kMeasuringWords) {
            if (adjective == folded_.back() && noun != kAnyTime && noun != "name" && !adjective.starts_with("high"))
                meanings.emplace_back(noun, kRelated);
        }
        const bool is_compared = folded_.back() == "higher" && at > 0 && folded_[at - 1] == "much";
        if (is_compared) meanings.emplace_back("height", kRelated);
        words_.push_back(std::move(meanings));
    }
    const Schema& schema = view.schema();
    add_near_words();
    settle_ends();
    for (const SchemaTable& table : schema.tables()) of_table_.push_back(stems_of(table.words));
    phrases_.resize(schema.columns().size());
    about_.resize(schema.columns().size());
    for (std::size_t at = 1; at < schema.columns().size(); ++at) add_column(static_cast<ColumnId>(at));
    for (const Synonym& synonym : view.knowledge().synonyms()) {
        if (synonym.column == 0 || synonym.stems.empty()) continue;
        phrases_[static_cast<std::size_t>(synonym.column)].push_back({synonym.stems, kDescribed});
    }
}

void Names::put(std::size_t word, std::string_view said) {
    folded_[word] = said;
    words_[word] = {{link_stem(folded_[word]), 1}};
}

/// "away from home" and "on the road" are said of one end, not of two.
void Names::settle_ends() {
    for (std::size_t at = 0; at + 2 < folded_.size(); ++at) {
        const bool is_away = folded_[at] == "away" && folded_[at + 1] == "from" && folded_[at + 2] == "home";
        const bool is_road = folded_[at] == "on" && folded_[at + 1] == "the" && folded_[at + 2] == "road";
        if (is_away) put(at + 2, "the");
        if (is_road) put(at + 2, "away");
    }
}

/// "rebunds": the one word of names that is nearly so.
void Names::add_near_words() {
    std::set<std::string> known;
    for (const SchemaTable& table : view_.schema().tables()) {
        for (std::string& stem : stems_of(table.words)) known.insert(std::move(stem));
    }
    for (const SchemaColumn& column : view_.schema().columns()) {
        for (std::string& stem : stems_of(column.words)) known.insert(std::move(stem));
    }
    for (std::size_t at = 0; at < words_.size(); ++at) {
        const std::string said = words_[at].front().first;
        const bool is_open = said.size() >= kMisspeltBytesMin && words_[at].size() == 1 && !known.contains(said) &&
                             !is_filler(folded_[at]);
        if (!is_open) continue;
        std::vector<std::string> near;
        for (const std::string& word : known) {
            if (is_misspelt(said, word)) near.push_back(word);
        }
        if (near.size() == 1) words_[at] = {{near.front(), kMisspelt}};
    }
}

void Names::add_column(ColumnId column) {
    const auto at = static_cast<std::size_t>(column);
    const SchemaColumn& named = view_.column(column);
    auto stems = stems_of(named.words);
    if (stems.empty()) return;
    std::set<std::string> about(stems.begin(), stems.end());
    for (const std::string& stem : about) ++count_[stem];
    const bool is_stock = about.contains("hand") || about.contains("inventory");
    phrases_[at].push_back({std::move(stems), 1});
    if (is_stock) phrases_[at].push_back({{"stock"}, kDescribed});
    for (const std::string& stem : stems_of(view_.knowledge().described(column).description)) about.insert(stem);
    about_[at].assign(about.begin(), about.end());
}

double Names::weight_of(const std::string& stem) const {
    if (stem == "per" || is_filler(stem)) return 0.3;
    const auto found = count_.find(stem);
    const double columns = found == count_.end() ? 1 : found->second;
    return 1 / (1 + std::log(columns));
}

double Names::strength(std::size_t word, const std::string& stem) const {
    double best = 0;
    for (const auto& [meant, surely] : words_[word]) {
        if (meant == stem) best = std::max(best, surely);
    }
    if (best > 0) return best;
    const std::string& said = words_[word].front().first;
    const std::string root = root_of(said);
    if (root.size() >= kRootBytesMin && root == root_of(stem)) return kSameRoot;
    // "championship" for "champion".
    const bool is_longer = said.size() > stem.size() && stem.size() > kRootBytesMin + 1 && said.starts_with(stem);
    return is_longer ? kSameRoot : 0;
}

Said Names::said(ColumnId column, const std::vector<bool>& taken, std::string_view unsaid) const {
    Said best;
    for (const SaidAs& phrase : phrases_[static_cast<std::size_t>(column)]) {
        double all = 0;
        double found = 0;
        Said said;
        std::size_t last = 0;
        bool is_heavy = false;
        bool is_implied = false;
        for (const std::string& stem : phrase.stems) {
            if (stem == unsaid) continue;
            const double weight = weight_of(stem);
            all += weight;
            is_implied |= says_average_ && stem == "per";
            double strongest = 0;
            std::size_t where = 0;
            for (std::size_t at = 0; at < words_.size(); ++at) {
                if (taken[at] || std::ranges::find(said.words, at) != said.words.end()) continue;
                const double strong = strength(at, stem);
                const bool is_near = !said.words.empty() && at > last && at - last <= kGapMax;
                const double here = strong * (said.words.empty() || is_near ? 1 : kApart);
                if (here > strongest) {
                    strongest = here;
                    where = at;
                }
            }
            if (strongest == 0 && is_implied) found += weight * kImplied;
            if (strongest == 0) continue;
            found += weight * strongest;
            is_heavy |= stem != "per" && !is_filler(stem);
            last = where;
            said.words.push_back(where);
        }
        said.score = all == 0 || !is_heavy ? 0 : phrase.weight * found / all;
        std::ranges::sort(said.words);
        if (said.score > best.score) best = std::move(said);
    }
    return best;
}

double Names::names_table(std::size_t word, TableId table) const {
    const auto& stems = of_table_[static_cast<std::size_t>(table)];
    if (stems.empty()) return 0;
    const bool is_one_word = stems.size() == 1;
    if (words_[word].front().first == stems.back()) return is_one_word ? 1 : kLastWordOfTable;
    return is_one_word && are_same_things(words_[word].front().first, stems.back()) ? kOtherNoun : 0;
}

bool Names::is_described(ColumnId column, std::size_t word) const {
    return std::ranges::any_of(about_[static_cast<std::size_t>(column)],
                               [&](const std::string& stem) { return strength(word, stem) > 0; });
}

bool Names::is_about(ColumnId column, std::size_t word) const {
    return is_described(column, word) || has_in_name(view_.table_of(column), word);
}

bool Names::is_in_name(ColumnId column, std::size_t word) const {
    const auto& phrases = phrases_[static_cast<std::size_t>(column)];
    return !phrases.empty() && std::ranges::any_of(phrases.front().stems,
                                                   [&](const std::string& stem) { return strength(word, stem) > 0; });
}

bool Names::has_in_name(TableId table, std::size_t word) const {
    return std::ranges::any_of(of_table_[static_cast<std::size_t>(table)],
                               [&](const std::string& stem) { return strength(word, stem) > 0; });
}

}  // namespace quaestor::native::facts
