#include "native/answer/extract_fit.hpp"

#include "native/words.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace quaestor::native {

namespace {

using namespace std::string_view_literals;
using AskedWords = std::vector<std::string>;

constexpr std::array kWhetherOpenings{"did"sv, "does"sv, "do"sv,   "is"sv,    "was"sv,    "were"sv,
                                      "are"sv, "has"sv,  "have"sv, "had"sv,   "can"sv,    "may"sv,
                                      "am"sv,  "must"sv, "will"sv, "could"sv, "should"sv, "would"sv};
constexpr std::array kMeasured{"many"sv,  "much"sv,      "long"sv,       "far"sv,  "often"sv,     "high"sv,  "large"sv,
                               "big"sv,   "low"sv,       "old"sv,        "fast"sv, "hot"sv,       "heavy"sv, "deep"sv,
                               "tall"sv,  "wide"sv,      "soon"sv,       "late"sv, "cold"sv,      "early"sv, "loud"sv,
                               "thick"sv, "expensive"sv, "frequently"sv, "warm"sv, "widespread"sv};
constexpr std::array kMeasures{
    "rate"sv,     "range"sv,    "level"sv,  "price"sv,     "amount"sv,      "number"sv,     "size"sv,  "limit"sv,
    "maximum"sv,  "minimum"sv,  "total"sv,  "fee"sv,       "cost"sv,        "percentage"sv, "share"sv, "target"sv,
    "capacity"sv, "weight"sv,   "length"sv, "height"sv,    "temperature"sv, "voltage"sv,    "speed"sv, "width"sv,
    "deadline"sv, "duration"sv, "count"sv,  "allowance"sv, "yield"sv,       "ratio"sv,      "index"sv, "value"sv};
constexpr std::array kForecasts{"forecast"sv,  "forecasts"sv, "projection"sv, "projections"sv,
                                "projected"sv, "median"sv,    "dots"sv};
constexpr std::array kReasons{"because"sv,         "due to"sv,     "in light of"sv, "reflect"sv,    "given "sv,
                              "owing to"sv,        "so that"sv,    "in order to"sv, "in view of"sv, "as a result"sv,
                              "in support"sv,      "to support"sv, "in response"sv, "cited"sv,      "since "sv,
                              "consistent with"sv, "light of"sv,   "to help"sv,     "risk"sv,       "led to"sv};
constexpr std::array kConditions{
    "until"sv,          "unless"sv,         "if "sv,          "provided that"sv, "once "sv,     "as long as"sv,
    "in determining"sv, "in considering"sv, "in assessing"sv, "depend"sv,        "condition"sv, "before "sv,
    "only when"sv,      "would require"sv,  "must "sv,        "prerequisite"sv,  "contingent"sv};
constexpr std::array kCountWords{"none"sv,    "no one"sv, "one"sv,   "two"sv,     "three"sv, "four"sv,   "five"sv,
                                 "six"sv,     "seven"sv,  "eight"sv, "nine"sv,    "ten"sv,   "twelve"sv, "unanimous"sv,
                                 "most"sv,    "many"sv,   "few"sv,   "several"sv, "some"sv,  "all"sv,    "majority"sv,
                                 "various"sv, "zero"sv,   "half"sv,  "once"sv,    "twice"sv, "daily"sv,  "hundred"sv};
constexpr std::array kSeriesCues{"change"sv,   "changed"sv, "evolve"sv,     "evolved"sv, "develop"sv,  "developed"sv,
                                 "timeline"sv, "history"sv, "trajectory"sv, "path"sv,    "progress"sv, "progressed"sv,
                                 "compare"sv,  "each"sv,    "every"sv,      "differ"sv,  "compared"sv, "over"sv};
constexpr std::array kOrderTerms{"first"sv,  "earliest"sv,  "last"sv,     "latest"sv,  "recent"sv,  "most"sv,
                                 "time"sv,   "year"sv,      "date"sv,     "day"sv,     "when"sv,    "evolv"sv,
                                 "compar"sv, "each"sv,      "everi"sv,    "timelin"sv, "histori"sv, "over"sv,
                                 "chang"sv,  "percentag"sv, "current"sv,  "meet"sv,    "did"sv,     "doe"sv,
                                 "now"sv,    "differ"sv,    "currentl"sv, "number"sv};

template <class List>
bool is_listed(const List& list, std::string_view word) {
    return std::ranges::find(list, word) != list.end();
}

bool has_word(const AskedWords& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

bool has_run(const AskedWords& words, std::string_view first, std::string_view second) {
    for (std::size_t at = 0; at + 1 < words.size(); ++at) {
        if (words[at] == first && words[at + 1] == second) return true;
    }
    return false;
}

/// "what was the target range", "what is the maximum weight": the noun before the first "of", "for", "in" or the end.
bool asks_for_measure(const AskedWords& words) {
    const auto what = std::ranges::find_if(words, [](const auto& word) { return word == "what" || word == "which"; });
    if (what == words.end()) return false;
    static constexpr std::array kEnds{"of"sv,   "for"sv, "in"sv,  "on"sv,   "at"sv,     "after"sv, "during"sv, "to"sv,
                                      "that"sv, "did"sv, "by"sv,  "when"sv, "before"sv, "from"sv,  "does"sv,   "do"sv,
                                      "per"sv,  "set"sv, "was"sv, "is"sv,   "were"sv,   "are"sv};
    std::string_view noun;
    for (auto at = what + 1; at != words.end(); ++at) {
        const bool is_opening = at == what + 1 && is_listed(kEnds, *at);
        if (is_opening) continue;
        if (is_listed(kEnds, *at)) break;
        noun = *at;
    }
    const std::string single = stem(noun);
    return is_listed(kMeasures, single);
}

/// "What would it take", "what are they waiting for", "under which conditions", "on what does it depend".
bool asks_for_condition(const AskedWords& words) {
    static constexpr std::array kNeeds{"need"sv,    "needed"sv,    "needs"sv,     "wait"sv,       "waiting"sv,
                                       "require"sv, "required"sv,  "determine"sv, "determines"sv, "guide"sv,
                                       "depend"sv,  "depends"sv,   "depended"sv,  "hinge"sv,      "prerequisite"sv,
                                       "waited"sv,  "condition"sv, "conditions"sv};
    if (!has_word(words, "what") && !has_word(words, "which")) return false;
    const bool names_condition = has_word(words, "conditions") || has_word(words, "condition");
    const bool asks_which = has_run(words, "what", "conditions") || has_run(words, "which", "conditions") ||
                            has_run(words, "what", "condition") || has_run(words, "which", "condition");
    if (names_condition && (asks_which || has_word(words, "under"))) return true;
    const bool is_ahead = has_word(words, "would") || has_word(words, "before") || has_word(words, "until") ||
                          has_word(words, "further") || has_word(words, "future");
    const bool is_needed = has_run(words, "have", "to") || has_run(words, "had", "to") || has_run(words, "it", "take");
    return is_ahead &&
           (is_needed || std::ranges::any_of(words, [](const auto& word) { return is_listed(kNeeds, word); }));
}

std::optional<AnswerKind> kind_by_asking_word(const AskedWords& words) {
    static constexpr std::size_t kOpening = 8;
    for (std::size_t at = 0; at < std::min(words.size(), kOpening); ++at) {
        const std::string& word = words[at];
        const std::string_view next = at + 1 < words.size() ? std::string_view(words[at + 1]) : ""sv;
        if (word == "who" || word == "whom" || word == "whose") return AnswerKind::person;
        if (word == "when") return AnswerKind::date;
        if (word == "why") return AnswerKind::reason;
        if (word == "how") return is_listed(kMeasured, next) ? AnswerKind::number : AnswerKind::statement;
        if (word != "what" && word != "which") continue;
        if (next == "date" || next == "day" || next == "year" || next == "meeting" || next == "month") {
            return AnswerKind::date;
        }
        if (next == "reason" || next == "reasons" || next == "caused" || next == "led") return AnswerKind::reason;
        if (next == "member" || next == "members" || next == "person" || next == "people" || next == "policymaker" ||
            next == "official" || next == "governor" || next == "president")
            return AnswerKind::person;
        return asks_for_measure(words) ? AnswerKind::number : AnswerKind::statement;
    }
    return std::nullopt;
}

bool is_capital(char c) {
    return c >= 'A' && c <= 'Z';
}

/// Capitalised words that are no part of a person's name.
constexpr std::array kNoPersons{"The"sv,   "Committee"sv, "Federal"sv, "Reserve"sv, "Board"sv,      "Bank"sv,
                                "Open"sv,  "Market"sv,    "New"sv,     "York"sv,    "Voting"sv,     "In"sv,
                                "At"sv,    "All"sv,       "United"sv,  "States"sv,  "Treasury"sv,   "On"sv,
                                "Chair"sv, "This"sv,      "A"sv,       "An"sv,      "Committee's"sv};

/// Two capitalised words in a row, the first of which does not open the sentence by chance: "Esther L. George".
bool has_person(std::string_view sentence) {
    std::size_t run = 0;
    std::size_t begin = 0;
    while (begin < sentence.size()) {
        const std::size_t end = std::min(sentence.find(' ', begin), sentence.size());
        const auto word = sentence.substr(begin, end - begin);
        run = !word.empty() && is_capital(word.front()) && !is_listed(kNoPersons, word) ? run + 1 : 0;
        if (run >= 2) return true;
        if (!word.empty() && !word.ends_with('.') && (word.ends_with(',') || word.ends_with(';'))) run = 0;
        begin = end + 1;
    }
    return false;
}

/// A number that is neither a year nor the day of a month: "8.4 percent", not "the December 12-13 meeting".
bool holds_figure(std::string_view text) {
    static constexpr std::array kMonths{"january"sv,   "february"sv, "march"sv,    "april"sv,
                                        "may"sv,       "june"sv,     "july"sv,     "august"sv,
                                        "september"sv, "october"sv,  "november"sv, "december"sv};
    constexpr std::size_t kYearDigits = 4;
    const AskedWords words = plain_words(text);
    bool is_of_day = false;
    for (const std::string& word : words) {
        const bool is_number = word.front() >= '0' && word.front() <= '9';
        const bool is_year = word.size() == kYearDigits && (word.starts_with("19") || word.starts_with("20"));
        if (is_number && !is_of_day && !is_year) return true;
        is_of_day = is_listed(kMonths, word) || (is_of_day && is_number);
    }
    return false;
}

bool holds_digit(std::string_view text) {
    return std::ranges::any_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

template <class List>
bool has_any(std::string_view folded, const List& parts) {
    return std::ranges::any_of(parts, [&](std::string_view part) { return folded.contains(part); });
}

bool has_number_word(const std::string& folded) {
    const auto words = plain_words(folded);
    return std::ranges::any_of(words, [](const std::string& word) { return is_listed(kCountWords, word); });
}

}  // namespace

AnswerKind kind_of(std::string_view question) {
    const AskedWords words = plain_words(question);
    if (words.empty()) return AnswerKind::statement;
    if (is_listed(kWhetherOpenings, words.front())) return AnswerKind::whether;
    if (has_word(words, "reason") || has_word(words, "reasons")) return AnswerKind::reason;
    const AnswerKind kind = kind_by_asking_word(words).value_or(AnswerKind::statement);
    if (kind == AnswerKind::statement && asks_for_condition(words)) return AnswerKind::condition;
    // Forecasts are numbers, however one asks for them.
    const bool is_forecast = std::ranges::any_of(words, [](const auto& word) { return is_listed(kForecasts, word); });
    return kind == AnswerKind::statement && is_forecast ? AnswerKind::number : kind;
}

namespace {

/// "Did the outlook get better between …", "was it higher than in …"
bool compares_times(const AskedWords& words) {
    static constexpr std::array kComparing{"better"sv,  "worse"sv,    "improve"sv,  "improved"sv, "deteriorate"sv,
                                           "worsen"sv,  "worsened"sv, "shift"sv,    "shifted"sv,  "change"sv,
                                           "changed"sv, "differ"sv,   "brighten"sv, "darken"sv};
    const bool has_two = has_word(words, "between") || has_word(words, "than") || has_word(words, "from") ||
                         has_word(words, "since") || has_word(words, "versus");
    return has_two && std::ranges::any_of(words, [](const auto& word) { return is_listed(kComparing, word); });
}

}  // namespace

AnswerOrder order_of(std::string_view question) {
    const AskedWords words = plain_words(question);
    if (has_word(words, "first") || has_word(words, "earliest")) return AnswerOrder::first;
    if (has_run(words, "last", "time") || has_word(words, "latest") || has_run(words, "most", "recent") ||
        has_run(words, "most", "recently") || has_word(words, "last")) {
        return AnswerOrder::last;
    }
    if (is_listed(kWhetherOpenings, words.empty() ? ""sv : std::string_view(words.front())) && compares_times(words)) {
        return AnswerOrder::series;
    }
    const bool asks_how = has_word(words, "how") || has_word(words, "compare") || has_word(words, "list");
    const bool is_series = std::ranges::any_of(words, [](const auto& word) { return is_listed(kSeriesCues, word); });
    if ((asks_how && is_series) || has_run(words, "over", "time") || has_word(words, "timeline")) {
        return AnswerOrder::series;
    }
    return AnswerOrder::best;
}

bool is_order_word(const std::string& term) {
    return is_listed(kOrderTerms, term);
}

bool is_about_sayings(std::string_view question) {
    static constexpr std::array kSayings{
        "say"sv,       "said"sv,      "talk"sv, "talked"sv, "mention"sv,   "mentioned"sv,  "comment"sv, "signal"sv,
        "signaled"sv,  "signalled"sv, "hint"sv, "hinted"sv, "promise"sv,   "think"sv,      "thought"sv, "discuss"sv,
        "discussed"sv, "want"sv,      "need"sv, "needed"sv, "condition"sv, "conditions"sv, "would"sv};
    const AskedWords words = plain_words(question);
    return std::ranges::any_of(words, [](const std::string& word) { return is_listed(kSayings, word); });
}

namespace {

constexpr std::array kBeginnings{"begin"sv,   "begins"sv,   "began"sv,    "begun"sv,  "beginning"sv, "start"sv,
                                 "started"sv, "starting"sv, "commence"sv, "launch"sv, "launched"sv,  "initiated"sv};
constexpr std::array kEndings{"end"sv,     "ends"sv,     "ended"sv,     "ending"sv, "stop"sv,
                              "stopped"sv, "conclude"sv, "concluded"sv, "cease"sv,  "ceased"sv,
                              "finish"sv,  "finished"sv, "halt"sv,      "halted"sv, "discontinue"sv};

}  // namespace

Phase phase_of(std::string_view question) {
    const AskedWords words = plain_words(question);
    const auto has = [&](const auto& list) {
        return std::ranges::any_of(words, [&](const std::string& word) { return is_listed(list, word); });
    };
    const bool begins = has(kBeginnings);
    const bool ends = has(kEndings) || has_run(words, "no", "longer");
    if (begins == ends) return Phase::none;
    return begins ? Phase::begin : Phase::end;
}

bool speaks_of_other_phase(Phase phase, std::string_view sentence) {
    const Phase other = phase == Phase::none ? Phase::none : phase_of(sentence);
    return other != Phase::none && other != phase;
}

bool is_supposed(std::string_view sentence) {
    static constexpr std::array kCues{"would"sv,    "could"sv,   "might"sv,  "may"sv,       "if"sv,
                                      "should"sv,   "soon"sv,    "likely"sv, "preferred"sv, "wanted"sv,
                                      "favoured"sv, "favored"sv, "until"sv,  "expects"sv,   "anticipates"sv};
    const AskedWords words = plain_words(sentence);
    return std::ranges::any_of(words, [](const std::string& word) { return is_listed(kCues, word); });
}

namespace {

/// Nearly all words are capitalised, and there is no end: those who were present.
bool is_list_of_names(std::string_view sentence) {
    constexpr std::size_t kNamesMin = 8;
    if (sentence.ends_with('.') || sentence.contains(" | ")) return false;
    std::size_t words = 0;
    std::size_t capitals = 0;
    for (std::size_t begin = 0; begin < sentence.size();) {
        const std::size_t end = std::min(sentence.find_first_of(" \n", begin), sentence.size());
        if (end > begin) {
            ++words;
            capitals += is_capital(sentence[begin]) ? 1 : 0;
        }
        begin = end + 1;
    }
    return words >= kNamesMin && capitals * 10 >= words * 8;
}

}  // namespace

bool is_title(std::string_view sentence) {
    constexpr std::size_t kTitleWordsMax = 12;
    // Names below each other, as lists of those who were present.
    constexpr std::size_t kListLineBytes = 45;
    const auto line_ends = static_cast<std::size_t>(std::ranges::count(sentence, '\n'));
    if (line_ends >= 3 && sentence.size() < (line_ends + 1) * kListLineBytes && !sentence.contains("- ")) return true;
    if (is_list_of_names(sentence)) return true;
    const bool has_end = sentence.ends_with('.') || sentence.ends_with('!') || sentence.ends_with('?') ||
                         sentence.ends_with(';') || sentence.ends_with('"') || sentence.ends_with(')');
    const bool is_item =
        sentence.starts_with("- ") || sentence.starts_with("* ") || sentence.contains(" | ") || sentence.contains(": ");
    return !has_end && !is_item && plain_words(sentence).size() <= kTitleWordsMax;
}

double fit_of(AnswerKind kind, std::string_view sentence, std::string_view context) {
    const std::string folded = fold(sentence);
    switch (kind) {
        case AnswerKind::number:
            if (holds_figure(sentence)) return 1;
            if (has_number_word(folded)) return 0.8;
            return holds_digit(sentence) ? 0.5 : 0.1;
        case AnswerKind::person:
            return has_person(sentence) ? 1 : has_number_word(folded) ? 0.7 : 0.4;
        case AnswerKind::date:
            if (holds_digit(sentence)) return 1;
            return holds_digit(context) ? 0.6 : 0.3;
        case AnswerKind::reason:
            return has_any(folded, kReasons) ? 1 : 0.5;
        case AnswerKind::condition:
            return has_any(folded, kConditions) ? 1 : 0.5;
        case AnswerKind::whether:
        case AnswerKind::statement:
            break;
    }
    return 0.7;
}

}  // namespace quaestor::native
