#include "native/answer/subjects.hpp"

#include "native/answer/extract_fit.hpp"
#include "native/words.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <utility>

namespace quaestor::native {

namespace {

using namespace std::string_view_literals;

/// Words by which a question says that it is about the rate.
constexpr auto kRateWords = "rate rates range funds hike hikes hiked hiking liftoff borrowing"sv;
/// What is done to a rate. Without the word "rate" these alone say so only where nothing else is named.
constexpr auto kChangeWords =
    "raise raised raising increase increased increases increasing lift lifted lower lowered lowering cut cuts cutting "
    "reduce reduced reduction reductions decrease decreased slash slashed hike hikes hiked hiking ease eased easing "
    "tighten "
    "tightened tightening lifting liftoff"sv;
/// What a question about the rate may say beside that and still be about nothing else.
constexpr auto kRateFillers =
    "federal fed fund target interest policy key benchmark overnight costs cost committee fomc reserve open market "
    "central "
    "officials policymakers board meeting meetings decision decisions decide decided action actions set setting level "
    "stand stood basis points point percent percentage size big large high highest low lowest peak maximum minimum "
    "many much times time often first last latest recent most again next every each list trace path compare history "
    "timeline course over through between row consecutive total get got go went reach reached end happen happened "
    "make made take took taken start started begin began stop stopped finally evolve evolved effect announce announced "
    "put push through quarter half full bring brought current currently now up down jumbo cycle actually exactly come "
    "came follow followed far "
    "unscheduled emergency pushed reason reasons tell me show give zero nothing maintain maintained keep kept hold "
    "held leave left pause paused unchanged steady skip skipped move moves moved change changed changes rise rises "
    "rose "
    "adjust adjusted adjustment step steps easing tightening two three four five difference differ thing it they them "
    "he one ones new about sunday monday tuesday wednesday thursday friday "
    "did does do is was were are has have had how what which who when where why at in on of the a an to by for from as "
    "and or its be been that this there with after before since during until than so just right according s not any"sv;
/// Rates that are others; what is only foreseen, said or wished.
constexpr auto kOtherRates =
    "unemployment jobless inflation mortgage mortgages exchange discount growth participation forecast forecasts "
    "projection projections projected median dot dots expect expected see saw repo reserves balances delinquency swap "
    "purchases holdings taper cap say said guidance signal signalled signaled promise condition conditions would will "
    "could might likely future"sv;
constexpr auto kVoteWords =
    "vote votes voted voter voters voting dissent dissents dissented dissenting dissenter dissenters unanimous "
    "unanimously unanimity oppose opposed object objected objection disagree disagreed disagreement unhappy dissatisfied ballot ranks holdout holdouts abstain abstained abstention"sv;
/// By which a question says that it is about what would be done next.
constexpr auto kGuidanceWords =
    "guidance promise promised promises pledge pledged signal signaled signalled signals hint hinted commit committed "
    "condition conditions need needed needs wait waiting waited determine determines depend depends depended require "
    "required attitude indicate indicated intend intended"sv;
constexpr auto kGuidanceFillers =
    "would will could might see saw say said economy look like lay laid out off floor future further additional more "
    "according under going before until forward likely expect expected have had something things coming"sv;
constexpr auto kVoteFillers = "against members member anyone everyone anybody person people no yes none"sv;

/// Votes on something else than policy.
constexpr std::array kOtherVotes{"ratified"sv,       "reserve balances"sv, "approved the minutes"sv, "reaffirm"sv,
                                 "selected"sv,       "elected"sv,          "primary credit"sv,       "discount rate"sv,
                                 "the minutes of"sv, "authorization"sv,    "notation vote"sv,        "rules of"sv};
constexpr std::array kNobody{"against this action: none"sv,
                             "against the action: none"sv,
                             "against: none"sv,
                             "no one dissented"sv,
                             "nobody dissented"sv,
                             "no dissent"sv,
                             "votes to zero"sv,
                             "votes to none"sv,
                             "without dissent"sv,
                             "unanimous"sv,
                             "no votes against"sv,
                             "votes to 0"sv,
                             "voters agreed"sv,
                             "voters supported"sv,
                             "to zero"sv};
constexpr std::array kAgainst{"voting against"sv, "voted against"sv, "dissent"sv,  "votes to"sv,
                              "voted no"sv,       "vote against"sv,  "objected"sv, "opposed"sv};
constexpr std::array kInFavour{"voting for"sv, "voted for"sv, "voted in favor"sv, "voted in favour"sv};

/// The words of one of the lists above.
class WordList {
public:
    explicit WordList(std::string_view listed) {
        for (std::string& word : plain_words(listed)) words_.insert(std::move(word));
    }
    [[nodiscard]] bool has(const std::string& word) const { return words_.contains(word); }
    [[nodiscard]] bool has_any(const std::vector<std::string>& words) const {
        return std::ranges::any_of(words, [&](const auto& word) { return has(word); });
    }

private:
    std::set<std::string> words_;
};

constexpr std::array kGuidance{"will be appropriate"sv,
                               "would be appropriate"sv,
                               "likely be appropriate"sv,
                               "in considering "sv,
                               "in determining the"sv,
                               "future adjustments"sv,
                               "additional adjustments"sv,
                               "future increases"sv,
                               "additional policy firming"sv,
                               "ongoing increases"sv,
                               "further gradual"sv,
                               "act as appropriate"sv,
                               "be patient"sv,
                               "carefully assess"sv,
                               "soon be appropriate"sv,
                               "extent of future"sv,
                               "timing and size"sv,
                               "timing of future"sv};

template <class List>
bool says_any(std::string_view folded, const List& parts) {
    return std::ranges::any_of(parts, [&](std::string_view part) { return folded.contains(part); });
}

/// "The tax rate": what stands before it says which.
template <class IsOfSubject>
bool names_another_rate(const std::vector<std::string>& words, IsOfSubject is_of_subject) {
    for (std::size_t at = 1; at < words.size(); ++at) {
        const bool is_rate = words[at] == "rate" || words[at] == "rates" || words[at] == "range";
        if (is_rate && !is_of_subject(words[at - 1])) return true;
    }
    return false;
}

/// All words are of the subject, but for one that only says something of it: "the vote split", "did they deliver".
template <class IsOfSubject>
bool is_about_nothing_else(const std::vector<std::string>& words, IsOfSubject is_of_subject) {
    static const WordList kBeforeNames(
        "did does do was were is are what which how why who when where the a an to of for with about on in by and or "
        "at "
        "from my your its it");
    std::size_t others = 0;
    for (std::size_t at = 0; at < words.size(); ++at) {
        if (is_of_subject(words[at])) continue;
        if (at == 0 || kBeforeNames.has(words[at - 1])) return false;
        ++others;
    }
    return others <= 1;
}

/// "Who supported the cut?", "which policymaker thought it too much?"
bool asks_who_wanted_what(const std::vector<std::string>& words) {
    static const WordList kPersons("who policymaker official member governor voter");
    static const WordList kWanted(
        "supported support backed favored favoured preferred wanted thought argued resisted sided pushed against");
    return kPersons.has_any(words) && kWanted.has_any(words);
}

/// The words before "despite the failures", "when it met": what stands behind is not what is asked.
std::vector<std::string> main_clause(std::vector<std::string> words) {
    static const WordList kWhoMet("it they he she officials policymakers");
    constexpr std::size_t kClauseMin = 3;
    static const WordList kBeside("despite outside although though while");
    for (std::size_t at = kClauseMin; at + 1 < words.size(); ++at) {
        const bool is_beside = kBeside.has(words[at]) || (words[at] == "when" && kWhoMet.has(words[at + 1]));
        if (!is_beside) continue;
        words.resize(at);
        break;
    }
    return words;
}

/// What would be done to rates, not to something else, and when.
bool asks_for_guidance(std::string_view question, const std::vector<std::string>& words) {
    static const WordList kAhead(kGuidanceWords);
    static const WordList kRate(kRateWords);
    static const WordList kChange(kChangeWords);
    const bool is_ahead = kind_of(question) == AnswerKind::condition || kAhead.has_any(words);
    return is_ahead && (kRate.has_any(words) || kChange.has_any(words));
}

bool is_numeral(const std::string& word) {
    return !word.empty() && word.front() >= '0' && word.front() <= '9';
}

}  // namespace

bool names_person(std::string_view sentence) {
    return fit_of(AnswerKind::person, sentence, {}) >= 1;
}

VoteReport vote_report_in(std::string_view sentence) {
    const std::string folded = fold(sentence);
    if (says_any(folded, kOtherVotes)) return VoteReport::none;
    if (says_any(folded, kNobody)) return VoteReport::nobody_against;
    if (says_any(folded, kAgainst)) return VoteReport::against;
    return says_any(folded, kInFavour) ? VoteReport::in_favour : VoteReport::none;
}

bool is_guidance(std::string_view sentence) {
    const std::string folded = fold(sentence);
    if (says_any(folded, kGuidance)) return true;
    return folded.contains("until") && (folded.contains("range") || folded.contains("rate"));
}

AskedSubject subject_of(std::string_view question) {
    static const WordList kRate(kRateWords);
    static const WordList kChange(kChangeWords);
    static const WordList kFillers(kRateFillers);
    static const WordList kOthers(kOtherRates);
    static const WordList kVote(kVoteWords);
    static const WordList kBesideVotes(kVoteFillers);
    const auto words = main_clause(plain_words(question));
    const bool is_vote = kVote.has_any(words) || asks_who_wanted_what(words);
    const auto is_of_subject = [&](const std::string& word) {
        const bool is_of_vote = is_vote && (kVote.has(word) || kBesideVotes.has(word));
        return is_of_vote || kRate.has(word) || kChange.has(word) || kFillers.has(word) || kFillers.has(stem(word)) ||
               is_numeral(word);
    };
    const bool is_pure = is_about_nothing_else(words, is_of_subject);
    // Who it was is said where the vote is, whatever else is told of them.
    if (is_vote) return {Subject::vote, is_pure || kind_of(question) == AnswerKind::person};
    if (asks_for_guidance(question, words)) {
        static const WordList kAhead(kGuidanceWords);
        static const WordList kBesideAhead(kGuidanceFillers);
        const auto is_of_guidance = [&](const std::string& word) {
            return is_of_subject(word) || kAhead.has(word) || kBesideAhead.has(word);
        };
        return {Subject::guidance, is_about_nothing_else(words, is_of_guidance)};
    }
    const bool names_rate = kRate.has_any(words) && !names_another_rate(words, is_of_subject);
    if (kOthers.has_any(words) || !(names_rate || (is_pure && kChange.has_any(words)))) return {};
    return {Subject::rate, is_pure};
}

bool is_about(Subject subject, std::string_view sentence) {
    if (subject == Subject::rate) return range_decision_in(sentence).has_value();
    if (subject == Subject::guidance) return is_guidance(sentence);
    return subject == Subject::vote && vote_report_in(sentence) != VoteReport::none;
}

std::string_view search_words_for(Subject subject) {
    switch (subject) {
        case Subject::rate:
            return "decided to raise, lower or maintain the target range for the federal funds rate percent";
        case Subject::vote:
            return "vote: voting for this action, voting against this action, dissented, preferred";
        case Subject::guidance:
            return "expects it will be appropriate to maintain the target range until; in determining and considering "
                   "future adjustments; will be patient; will assess incoming data";
        case Subject::none:
            break;
    }
    return "";
}

bool asks_for_step(std::string_view question) {
    static constexpr std::array kCues{"how much"sv,    "how big"sv, "how large"sv, "size of"sv,
                                      "basis point"sv, "how far"sv, "what size"sv, "percentage point"sv};
    return says_any(fold(question), kCues);
}

bool asks_for_count(std::string_view question) {
    static constexpr std::array kCues{"how often"sv, "how many times"sv, "how many meetings"sv, "number of times"sv};
    if (says_any(fold(question), kCues)) return true;
    static const WordList kEvents("hike hikes cut cuts increase increases reduction reductions raises rises moves");
    constexpr std::size_t kWordsBetween = 4;
    const auto words = plain_words(question);
    for (std::size_t at = 0; at + 1 < words.size(); ++at) {
        if (words[at] != "how" || words[at + 1] != "many") continue;
        const auto rest = std::span(words).subspan(at + 2);
        const auto near = rest.first(std::min(kWordsBetween, rest.size()));
        return std::ranges::any_of(near, [](const std::string& word) { return kEvents.has(word); });
    }
    return false;
}

std::optional<int> step_named_in(std::string_view question) {
    if (const auto points = basis_points_in(question)) return points;
    std::string folded = fold(question);
    std::ranges::replace(folded, '-', ' ');
    static constexpr std::array<std::pair<std::string_view, int>, 11> kSteps{{{"three quarter point", 75},
                                                                              {"3/4 point", 75},
                                                                              {"3/4 percentage point", 75},
                                                                              {"75 basis point", 75},
                                                                              {"50 basis point", 50},
                                                                              {"25 basis point", 25},
                                                                              {"half point", 50},
                                                                              {"half a point", 50},
                                                                              {"1/2 point", 50},
                                                                              {"quarter point", 25},
                                                                              {"full point", 100}}};
    const auto step = std::ranges::find_if(kSteps, [&](const auto& one) { return folded.contains(one.first); });
    return step == kSteps.end() ? std::nullopt : std::optional(step->second);
}

Direction rate_direction_in(std::string_view question) {
    static const WordList kUp("up rise rises rose tighten tightened tightening upward hiking liftoff");
    static const WordList kDown("down ease eased easing fall fell downward");
    const auto words = plain_words(question);
    const bool is_up = kUp.has_any(words);
    if (is_up == kDown.has_any(words)) return Direction::none;
    return is_up ? Direction::up : Direction::down;
}

Extreme extreme_of(std::string_view question) {
    static constexpr std::array kHighest{"how high"sv, "highest"sv, "peak"sv, "maximum"sv};
    static constexpr std::array kLowest{"how low"sv, "lowest"sv, "trough"sv, "minimum"sv};
    const std::string folded = fold(question);
    if (says_any(folded, kHighest)) return Extreme::highest;
    return says_any(folded, kLowest) ? Extreme::lowest : Extreme::none;
}

}  // namespace quaestor::native
