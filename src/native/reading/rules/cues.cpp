#include "native/reading/rules/cues.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>
#include <vector>

namespace quaestor::native::rules {

namespace {

struct Phrases {
    Cue cue;
    std::string_view detail;
    std::string_view list;  ///< parted by |
};

constexpr auto kPhrases = std::to_array<Phrases>({
    {Cue::filler, "",
     "the|a|an|of|all|any|some|please|me|us|we|our|there|in|at|on|for|into|during|within|among|across|about|as|its|"
     "their|his|her|they|he|she|it|i|you|can|could|would|like|want|need|to know|then|so|just|ones|one of|?|.|!|;|:|'|"
     "\"|(|)|’|' s|’ s|%|$|s|been|being|each other|in order|in terms of|according to|respectively|altogether|made by|"
     "played by|out|up|also known as|named|called|only one|data|records|information|cm|kg|km|meters|metres|dollars|"
     "euros|usd|eur|pounds|grams|years old|miles|kilometers|kilometres|worth"},
    {Cue::filler, "",
     "score|scored|scores|scoring|play|played|plays|make|made|makes|place|placed|get|got|gets|live|lives|"
     "lived|come|comes|came|exist|exists|take|took|takes|work|works|worked|belong|belongs|go|goes|went|receive|"
     "received|record|recorded|register|registered|sell|sold|buy|bought|hold|holds|held|happen|happened|appear|"
     "appeared|occur|occurred|use|used|offer|offered|contain|contains|run|runs|ran|own|owns|owned|serve|"
     "served|teach|teaches|taught|give rise|fly|flew|consist|start|started|begin|began|end|ended|"
     "located|based|born|going|coming|living|working|playing|fly|flew|flown|carry|carried|carries|write|writes|"
     "wrote|written|drive|drove|driven|see|saw|seen|treat|treated"},
    {Cue::ask, "",
     "which|what|what is|what are|what was|what were|what's|whats|list|show|show me|give|give me|find|tell|tell me|"
     "display|return|get me|name all|list all|when|where|how|calculate|compute|determine|i want to see|let me see|see"},
    {Cue::who, "", "who|whom"},
    {Cue::verb, "",
     "is|are|was|were|be|did|does|do|has|have|had|contribute|contributes|makes up|make up|account|accounts"},
    {Cue::relative, "", "that|whose|with|having|where the|who have|who has|who had|that have|that has|that had"},
    {Cue::how_many, "", "how many|how often"},
    {Cue::how_much, "", "how much"},
    {Cue::how_many_more, "",
     "how many more|how much more|how many fewer|how much less|how much higher|how much lower|by how much|"
     "how much taller|how much older|how much longer|how much bigger|how much larger|how much heavier|"
     "how much more expensive"},
    {Cue::exists, "",
     "is there|are there any|are there|is there any|is there a|do we have any|were there any|was there|was there a|"
     "do we have|does anyone|did anyone|has anyone|does any|did any"},
    {Cue::count, "", "number of|the number of|count|count of|count the|total number of|numbers of|amount of times|#"},
    {Cue::sum, "", "total|sum|sum of|combined|overall|in sum|totals|add up"},
    {Cue::average, "", "average|mean|avg|on average|typical|averages"},
    {Cue::maximum, "", "maximum|max"},
    {Cue::minimum, "", "minimum|min"},
    {Cue::distinct, "", "different|distinct|unique|kinds of|types of"},
    {Cue::most, "", "most|the most|most often|greatest number of|highest number of|largest number of|most frequent"},
    {Cue::least, "", "fewest|least|the least|lowest number of|smallest number of|least often"},
    {Cue::highest, "", "highest|largest|biggest|greatest|high|best|record high"},
    {Cue::lowest, "", "lowest|smallest|worst|poorest"},
    {Cue::about, "age- birth+ born+ founded+ established+ built+ opened+ year+ date+", "oldest"},
    {Cue::about, "age+ birth- born- founded- established- built- year- date-", "youngest"},
    {Cue::about, "date- time- year- day- season-", "latest|newest|most recent|last"},
    {Cue::about, "date+ time+ year+ day+ season+", "earliest"},
    {Cue::about, "height-", "tallest"},
    {Cue::about, "weight-", "heaviest"},
    {Cue::about, "weight+", "lightest"},
    {Cue::about, "price- cost- fee- fare- rate-", "most expensive|priciest|dearest"},
    {Cue::about, "price+ cost+ fee+ fare+ rate+", "cheapest|least expensive"},
    {Cue::about, "length- duration- distance- minute- page- runtime-", "longest"},
    {Cue::about, "length+ duration+ distance+ height+ minute+ page+ runtime+", "shortest"},
    {Cue::about, "salary- wage- pay- income-", "best paid|highest paid"},
    {Cue::about, "speed- velocity-", "fastest"},
    {Cue::about, "speed+ velocity+", "slowest"},
    {Cue::top, "", "top|first|leading"},
    {Cue::bottom, "", "bottom"},
    {Cue::nth, "2", "second|2nd"},
    {Cue::nth, "3", "third|3rd"},
    {Cue::nth, "4", "fourth|4th"},
    {Cue::nth, "5", "fifth|5th"},
    {Cue::ties, "", "ties|with ties|including ties|include ties|keep ties|ties included|tied|count ties"},
    {Cue::more_than, "",
     "more than|greater than|higher than|larger than|bigger than|over|above|exceeding|exceeds|exceed|in excess of|"
     "bigger|>|is more than|beyond"},
    {Cue::more_than, "height", "taller than"},
    {Cue::more_than, "age", "older than"},
    {Cue::more_than, "weight", "heavier than"},
    {Cue::more_than, "length duration distance", "longer than"},
    {Cue::less_than, "height length duration distance", "shorter than"},
    {Cue::less_than, "age", "younger than"},
    {Cue::less_than, "price cost fee fare", "cheaper than|less expensive than"},
    {Cue::more_than, "price cost fee fare", "more expensive than"},
    {Cue::less_than, "weight", "lighter than"},
    {Cue::at_least, "", "at least|no less than|no fewer than|a minimum of|minimum of|> =|not less than"},
    {Cue::less_than, "", "less than|fewer than|lower than|smaller than|under|below|<"},
    {Cue::at_most, "", "at most|no more than|a maximum of|maximum of|up to|not more than|< ="},
    {Cue::exactly, "", "exactly|equal to|precisely|equals|="},
    {Cue::or_more, "", "or more|or above|or higher|or over|and more|and above|plus"},
    {Cue::or_less, "", "or less|or fewer|or below|or lower|or under"},
    {Cue::since, "", "since|starting|starting in|from … on|as of|beginning in"},
    {Cue::after, "", "after|later than|following"},
    {Cue::before, "", "before|earlier than|prior to"},
    {Cue::until, "", "until|till|through|up until|by the end of"},
    {Cue::between, "", "between|ranging from"},
    {Cue::from, "", "from"},
    {Cue::to, "", "to"},
    {Cue::than, "", "than|than in|than those|than for|than did|than there were|than there are"},
    {Cue::both, "", "both"},
    {Cue::conjunction, "", "and|&|as well as|and the"},
    {Cue::disjunction, "", "or|either"},
    {Cue::comma, "", ","},
    {Cue::negation, "",
     "not|isn't|aren't|wasn't|other than|except|except for|excluding|but not|apart from|don't|doesn't|didn't|isn ' t|"
     "aren ' t|wasn ' t|weren ' t|non|outside|outside of"},
    {Cue::never, "",
     "never|without|without any|with no|no|have no|has no|that have no|who have no|have not|has not|do not have|"
     "does not have|don ' t have|doesn ' t have|did not have|have never|has never|had no|who never|that never|"
     "did not|do not|does not|didn ' t|don ' t|doesn ' t|hasn ' t|haven ' t|do not have any|have not had any|"
     "that do not have any|who do not have any|lack|lacking"},
    {Cue::group, "",
     "per|for each|for every|each|every|in each|in every|by each|of each|for each of the|grouped by|group by|"
     "broken down by|break down by|split by|for all the|does each|did each|do each|has each|from each|at each"},
    {Cue::by, "", "by"},
    {Cue::sort, "",
     "sorted by|sort by|ordered by|order by|in order of|sort that by|ranked by|sorted|sort|order that by|"
     "sort them by|order them by|sort it by|arranged by"},
    {Cue::ascending, "",
     "ascending|in ascending order|ascending order|from low to high|lowest first|smallest first|"
     "earliest first|oldest first|fewest first|from lowest to highest|alphabetically"},
    {Cue::descending, "",
     "descending|in descending order|descending order|from high to low|highest first|largest first|"
     "most first|latest first|newest first|from highest to lowest|from most to fewest|biggest first|"
     "in descending order of|from most to least"},
    {Cue::share, "",
     "share|share of|percentage|percentage of|proportion|proportion of|fraction|fraction of|what percent of|"
     "percent of|percent|portion of|what share of|what percentage of|per cent of|% of|in what share of"},
    {Cue::ratio, "", "ratio|ratio of|the ratio of|ratio between"},
    {Cue::difference, "",
     "difference|difference in|difference between|differ|gap between|differences between|gap in|differ between"},
    {Cue::compare, "", "compare|comparison of|comparing|contrast|side by side"},
    {Cue::versus, "", "versus|vs|against|compared|v|compared to|compared with"},
    {Cue::change, "",
     "change|changed|changes|change in|change of|development of|how did|evolve|evolved|increase|decrease|increased|"
     "decreased|rise|fall|drop|difference from|difference to|"
     "difference compared to"},
    {Cue::change, "year", "year over year|year on year|from year to year|year to year"},
    {Cue::change, "quarter", "quarter over quarter|from quarter to quarter"},
    {Cue::change, "month", "month over month|month on month|from month to month|month to month"},
    {Cue::change, "day", "day over day|from day to day|day to day"},
    {Cue::previous, "year", "the year before|year before"},
    {Cue::previous, "month", "the month before|month before"},
    {Cue::growth, "",
     "growth|grow|grew|grown|growth rate|growth of|growth in|percentage change|percent change|percentage growth|"
     "change in percent|rate of change|percentage change in|percentage growth of|percentage change of|per cent change|"
     "relative change"},
    {Cue::previous, "",
     "previous|the previous|prior|preceding|the one before|one before|"
     "compared to the previous|compared with the previous|from the previous|over the previous|to the previous|"
     "against the previous|than the previous|from one|versus the previous|vs the previous"},
    {Cue::running, "",
     "running total|running total of|running sum|running sum of|cumulative|cumulated|running|cumulative total|"
     "cumulative total of|cumulative sum|cumulative sum of|cumulative number of|running count|running count of|"
     "accumulated|running number of"},
    {Cue::rank, "", "rank|ranking|ranks|ranking of|rankings|rank of|rank the|standings of"},
    {Cue::percent, "", "in percent|in per cent|as a percentage|in %|as percentage|in percentage"},
    {Cue::time_unit, "year", "year|years|calendar year"},
    {Cue::time_unit, "quarter", "quarter|quarters"},
    {Cue::time_unit, "month", "month|months|calendar month"},
    {Cue::time_unit, "day", "day|days|date"},
    {Cue::time_unit, "weekday", "weekday|day of the week|weekdays|day of week"},
    {Cue::time_adverb, "year", "yearly|annual|annually"},
    {Cue::time_adverb, "quarter", "quarterly"},
    {Cue::time_adverb, "month", "monthly"},
    {Cue::time_adverb, "day", "daily"},
    {Cue::over_time, "",
     "over time|over the years|through time|by time|chronologically|in chronological order|"
     "over the course of time|sorted by time"},
    {Cue::single, "", "in a single|in one|single|ever|in a|in any|in any one|on a single|in any single"},
    {Cue::in_total, "", "in total|in all|all together|all in all|a total of|total of"},
    {Cue::times, "", "times"},
    {Cue::latest, "",
     "last season|latest season|most recent season|this season|current season|last available|"
     "latest available|most recent year|latest year"},
    {Cue::addition, "",
     "how about|what about|and what about|also|and how about|and for|and in|same for|the same for|"
     "now|ok|okay|again|do the same for|same"},
    {Cue::only, "",
     "only|just for|only those|only the|restrict to|limit to|limited to|filter by|filter to|"
     "restricted to"},
    {Cue::instead, "", "instead|instead of that|rather"},
    {Cue::pronoun, "",
     "them|those|these|that one|of them|of those|of these|which of them|which of those|"
     "which of these|which ones|who of them|that list|this|it|the same ones"},
    {Cue::reverse, "",
     "the other way round|other way round|the other way around|other way around|in reverse|reversed|"
     "reverse order|in reverse order|the opposite|reverse|reverse that|reverse it|flip that"},
});

struct Phrase {
    std::vector<std::string_view> words;
    Cue cue;
    std::string_view detail;
};
using Lexicon = std::unordered_map<std::string_view, std::vector<Phrase>>;

std::vector<std::string_view> split(std::string_view text, char mark) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(mark), text.size());
        if (end > 0) parts.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

/// By first word, the longest phrase first.
const Lexicon& lexicon() {
    static const Lexicon kLexicon = [] {
        Lexicon made;
        for (const auto& [cue, detail, list] : kPhrases) {
            for (const std::string_view phrase : split(list, '|')) {
                std::vector<std::string_view> words = split(phrase, ' ');
                auto& bucket = made[words.front()];
                bucket.push_back({std::move(words), cue, detail});
            }
        }
        for (auto& [word, bucket] : made) {
            std::ranges::sort(bucket, std::greater(), [](const Phrase& one) { return one.words.size(); });
        }
        return made;
    }();
    return kLexicon;
}

}  // namespace

std::optional<CueMatch> cue_at(std::span<const std::string> words, std::size_t at) {
    const auto bucket = lexicon().find(words[at]);
    if (bucket == lexicon().end()) return std::nullopt;
    for (const Phrase& phrase : bucket->second) {
        if (at + phrase.words.size() > words.size()) continue;
        if (!std::ranges::equal(phrase.words, words.subspan(at, phrase.words.size()))) continue;
        return CueMatch{phrase.cue, phrase.words.size(), phrase.detail};
    }
    return std::nullopt;
}

bool is_event_word(std::span<const std::string> words, std::size_t at) {
    constexpr auto kNext = std::to_array<std::string_view>(
        {"in",     "on",    "at",   "by",   "for",   "from", "to",    "with", "since", "after", "before", "between",
         "during", "until", "more", "less", "fewer", "over", "under", "?",    ".",     "as",    "the"});
    const std::string& word = words[at];
    const bool is_participle =
        word.size() > 4 && (word.ends_with("ed") || word.ends_with("ing") || word.ends_with("en"));
    if (!is_participle) return false;
    return at + 1 == words.size() || std::ranges::find(kNext, words[at + 1]) != kNext.end();
}

}  // namespace quaestor::native::rules
