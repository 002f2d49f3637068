#include "base/text.hpp"
#include "native/reading/link_finders.hpp"
#include "native/reading/link_words.hpp"
#include "native/reading/same_things.hpp"
#include "native/reading/synonyms.hpp"

#include <algorithm>
#include <map>

namespace quaestor::native {

namespace {

/// Words of a question that may be one name written together, and how long that has to be.
constexpr std::size_t kGluedWordsMax = 3;
constexpr std::size_t kGluedBytesMin = 6;
constexpr double kGluedScore = 0.95;
/// A part of a name says at most this much of it.
constexpr double kPartScore = 0.8;
/// The last word of what a description calls a column.
constexpr double kHeadScore = 0.45;
/// Beginnings that two words share when one comes from the other: "departed", "departure".
constexpr std::size_t kSharedBytesMin = 5;
constexpr std::size_t kPrefixBytesMin = 4;
constexpr std::size_t kEndingBytesMax = 4;
/// A word may be misspelt when it is at least so long, and twice when it is longer.
constexpr std::size_t kMisspeltBytesMin = 5;
constexpr std::size_t kMisspeltTwiceBytesMin = 9;

Link link_to(const NamedThing& thing, std::size_t first, std::size_t count, double score) {
    return {.first = first,
            .last = first + count - 1,
            .kind = thing.column != 0 ? LinkKind::column : LinkKind::table,
            .score = score,
            .table = thing.table,
            .column = thing.column,
            .text = {}};
}

bool is_said_at(const LinkingView& view, std::size_t first, const std::vector<std::string>& stems) {
    return !stems.empty() && first + stems.size() <= view.size() &&
           std::ranges::equal(stems, std::span(view.stemmed).subspan(first, stems.size()));
}

void link_whole_name(const LinkingView& view, const NamedThing& thing, Links& out) {
    for (std::size_t first = 0; first < view.size(); ++first) {
        if (is_said_at(view, first, thing.stems)) out.push_back(link_to(thing, first, thing.stems.size(), 1));
    }
}

/// One to kGluedWordsMax words of a question written together.
struct Glued {
    std::size_t first = 0;
    std::size_t count = 0;
    std::string text;
};
std::vector<Glued> glued_in(const LinkingView& view) {
    std::vector<Glued> out;
    for (std::size_t first = 0; first < view.size(); ++first) {
        std::string said;
        for (std::size_t count = 1; count <= kGluedWordsMax && first + count <= view.size(); ++count) {
            said += view.stemmed[first + count - 1];
            if (said.size() >= kGluedBytesMin) out.push_back({first, count, said});
        }
    }
    return out;
}

/// "airportname" for "airport name", and the other way round.
void link_glued_name(const std::vector<Glued>& glued, const NamedThing& thing, Links& out) {
    std::string name;
    for (const std::string& part : thing.stems) name += part;
    for (const auto& [first, count, said] : glued) {
        if (said == name && count != thing.stems.size()) out.push_back(link_to(thing, first, count, kGluedScore));
    }
}

/// Words that are some of a longer name: "name" of "first name".
void link_part_of_name(const LinkingView& view, const NamedThing& thing, Links& out) {
    const auto& stems = thing.stems;
    for (std::size_t first = 0; first < view.size(); ++first) {
        for (std::size_t from = 0; from < stems.size(); ++from) {
            if (first > 0 && from > 0 && view.stemmed[first - 1] == stems[from - 1]) continue;
            std::size_t count = 0;
            while (first + count < view.size() && from + count < stems.size() &&
                   view.stemmed[first + count] == stems[from + count])
                ++count;
            if (count == 0 || count == stems.size() || (count == 1 && is_filler(view.folded[first]))) continue;
            const double part = static_cast<double>(count) / static_cast<double>(stems.size());
            out.push_back(link_to(thing, first, count, kPartScore * part));
        }
    }
}

/// "singer name" for the column `name` of the table `singer`.
void link_name_with_table(const LinkingView& view, const NamedThing& thing, const std::vector<NamedThing>& things,
                          Links& out) {
    if (thing.column == 0) return;
    std::vector<std::string> both = things[static_cast<std::size_t>(thing.table)].stems;
    both.insert(both.end(), thing.stems.begin(), thing.stems.end());
    for (std::size_t first = 0; first < view.size(); ++first) {
        if (is_said_at(view, first, both)) out.push_back(link_to(thing, first, both.size(), 1));
    }
}

void link_synonyms(const LinkingView& view, Links& out) {
    for (const auto& [first, last, synonym] :
         synonyms_said(view.question.text, view.question.words, view.knowledge.synonyms())) {
        const bool is_name = synonym->table >= 0;
        out.push_back({.first = first,
                       .last = last,
                       .kind = !is_name               ? LinkKind::filler
                               : synonym->column != 0 ? LinkKind::column
                                                      : LinkKind::table,
                       .score = kSynonymScore,
                       .table = synonym->table,
                       .column = synonym->column,
                       .text = synonym->stands_for});
    }
}

/// "efficiency" where a column is called "offensive efficiency".
void link_head_of_synonym(const LinkingView& view, Links& out) {
    for (const Synonym& synonym : view.knowledge.synonyms()) {
        if (synonym.column == 0 || synonym.stems.size() < 2) continue;
        for (std::size_t at = 0; at < view.size(); ++at) {
            const bool is_said = view.stemmed[at] == synonym.stems.back() && !is_filler(view.folded[at]);
            if (is_said) out.push_back(link_to({synonym.table, synonym.column, {}, false}, at, 1, kHeadScore));
        }
    }
}

/// A word of a question and a stem in the names of columns that it may mean: "oldest" an age, "payroll" a salary.
struct Meant {
    std::size_t word = 0;
    std::string_view noun;
};
std::vector<Meant> related_in(const LinkingView& view) {
    std::vector<Meant> out;
    for (std::size_t at = 0; at < view.size(); ++at) {
        for (const RelatedWord& word : kRelatedWords) {
            if (word.said == view.stemmed[at] || word.said == view.folded[at]) out.push_back({at, word.meant});
        }
    }
    return out;
}

/// For a column that has "salary" in its name; once for each word. A text is what its last word says: a sales rep is no
/// sale.
void link_related(const std::vector<Meant>& related, const NamedThing& thing, const Schema& schema, Links& out) {
    if (thing.column == 0) return;
    const bool is_text = schema.columns()[static_cast<std::size_t>(thing.column)].kind == ColumnKind::text;
    std::size_t linked = std::string_view::npos;
    for (const auto& [word, noun] : related) {
        if (word == linked || std::ranges::find(thing.stems, noun) == thing.stems.end()) continue;
        if (is_text && thing.stems.back() != noun) continue;
        out.push_back(link_to(thing, word, 1, kGuessScore));
        linked = word;
    }
}

/// "clubs" where the table is called teams, and nothing is called club.
void link_other_noun(const LinkingView& view, const NamedThing& thing, const std::vector<NamedThing>& things,
                     Links& out) {
    if (thing.column != 0 || thing.stems.size() != 1) return;
    for (std::size_t at = 0; at < view.size(); ++at) {
        if (!are_same_things(view.stemmed[at], thing.stems.front())) continue;
        const auto is_called_so = [&](const NamedThing& other) {
            return other.stems.size() == 1 && other.stems.front() == view.stemmed[at];
        };
        if (std::ranges::none_of(things, is_called_so)) out.push_back(link_to(thing, at, 1, kSynonymScore));
    }
}

/// What the adjectives of a question measure.
std::vector<Meant> measured_in(const LinkingView& view) {
    std::vector<Meant> out;
    for (std::size_t at = 0; at < view.size(); ++at) {
        for (const auto& [adjective, noun] : kMeasuringWords) {
            if (view.folded[at] == adjective) out.push_back({at, noun});
        }
    }
    return out;
}

void link_measured(const std::vector<Meant>& measured, const NamedThing& thing, Links& out) {
    if (thing.column == 0) return;
    for (const auto& [word, noun] : measured) {
        const bool is_meant =
            noun == kAnyTime ? thing.is_time : std::ranges::find(thing.stems, noun) != thing.stems.end();
        if (is_meant) out.push_back(link_to(thing, word, 1, kGuessScore));
    }
}

/// How near a said word is to a word of a name; 0: not at all.
double nearness(const std::string& said, const std::string& name) {
    const auto shared = static_cast<std::size_t>(std::ranges::mismatch(said, name).in1 - said.begin());
    if (shared >= kPrefixBytesMin && shared == std::min(said.size(), name.size())) return kNearScore;
    if (shared >= kSharedBytesMin && std::max(said.size(), name.size()) - shared <= kEndingBytesMax) return kGuessScore;
    if (said.size() < kMisspeltBytesMin || name.size() < kMisspeltBytesMin) return 0;
    const std::size_t allowed = std::min(said.size(), name.size()) < kMisspeltTwiceBytesMin ? 1 : 2;
    if (std::max(said.size(), name.size()) - std::min(said.size(), name.size()) > allowed) return 0;
    return text::edit_distance(said, name) <= allowed ? kNearScore : 0;
}

}  // namespace

void link_names(const LinkingView& view, Links& out) {
    const auto& things = view.knowledge.named_things();
    const auto glued = glued_in(view);
    const auto measured = measured_in(view);
    const auto related = related_in(view);
    for (const NamedThing& thing : things) {
        link_whole_name(view, thing, out);
        link_glued_name(glued, thing, out);
        link_part_of_name(view, thing, out);
        link_name_with_table(view, thing, things, out);
        link_measured(measured, thing, out);
        link_related(related, thing, view.knowledge.schema(), out);
        link_other_noun(view, thing, things, out);
    }
    link_synonyms(view, out);
    link_head_of_synonym(view, out);
}

void link_near_names(const LinkingView& view, Links& out) {
    const auto& things = view.knowledge.named_things();
    std::map<std::string_view, std::vector<const NamedThing*>> by_word;
    for (const NamedThing& thing : things) {
        for (const std::string& word : thing.stems) by_word[word].push_back(&thing);
    }
    for (std::size_t at = 0; at < view.size(); ++at) {
        const std::string& said = view.stemmed[at];
        if (said.size() < kPrefixBytesMin || is_filler(view.folded[at]) || view.is_linked(at)) continue;
        for (const auto& [word, named] : by_word) {
            const double near = nearness(said, std::string(word));
            if (near == 0) continue;
            for (const NamedThing* thing : named) {
                const double part = thing->stems.size() == 1 ? 1 : kPartScore;
                out.push_back(link_to(*thing, at, 1, near * part));
            }
        }
    }
}

}  // namespace quaestor::native
