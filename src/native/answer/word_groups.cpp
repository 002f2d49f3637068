#include "native/answer/word_groups.hpp"

#include <algorithm>
#include <array>

namespace quaestor::native {

namespace {

using namespace std::string_view_literals;

constexpr std::array kGroups{
#include "native/answer/word_groups.inc"
};

constexpr auto kUp = "raise raised raising increase increased hike hiked lift lifted boost boosted"sv;
constexpr auto kDown =
    "lower lowered lowering cut cuts cutting reduce reduced reduction decrease decreased slash slashed trim"sv;
constexpr auto kSame =
    "maintain maintained keep kept hold held leave left retain pause paused unchanged steady skip remained stayed"sv;
constexpr auto kOverview =
    "decide decided decision decisions action actions outcome result results summarize summary overview move moves "
    "event "
    "out policy back again measure measures emergency taken fed committee fomc board members officials policymakers meeting meetings company they"sv;
constexpr auto kAsking =
    "say said says tell told mention mentioned describe described describes explain explained state stated according "
    "give gave given please know happen happened document documents show shows find talk discuss discussed "
    "much many kind sort there thing things anything something regarding concerning attribute attributed view views "
    "characterize characterized exactly called made make take took get got go went come came use used set right "
    "reason reasons cause caused think thought believe speak spoke another although finally really actually again back "
    "still even ever topic subject both same other come want wanted try tell please summarize list compare trace "
    "description descriptions depiction language wording wordings word words phrase phrasing characterization "
    "characterisation characterise tone message "
    "remark remarks comment comments commented assess assessment assessments opinion opinions stance attitude position "
    "anyone anybody everyone everybody someone somebody nobody none instead rather else otherwise already yet always "
    "never sometimes usually often soon later earlier once twice though although however therefore because while "
    "whether either neither each every several some few most more less least enough quite very too just only also "
    "almost nearly about around roughly exactly certain certainly probably perhaps maybe clearly simply "
    "myself yourself themselves himself herself itself own us him her his hers ours mine yours theirs "
    "across along among behind beside besides beyond despite except inside near onto outside per regarding throughout "
    "toward towards under unlike upon versus via within without shall cannot let lets like look looked looking "
    "way ways place matter matters issue aspect detail details information question answer "
    "attention remain play role part term terms specifically particularly especially mainly overall general generally "
    "indeed currently recently eventually suddenly apparently admit admitted acknowledge acknowledged note noted notes "
    "next following then subsequently afterwards thereafter do did done "
    "sentence two single singled lay laid bring brought table briefing going "
    "refer referred mean means meant seem seemed become became appear appeared"sv;
constexpr auto kBodies = "fed federal reserve committee fomc board officials policymakers"sv;
constexpr auto kDeciding = "decided decision voted agreed approved action resolved directed adopted"sv;

std::vector<std::string_view> split_at(std::string_view text, char mark) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(mark, begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

bool has_all(const std::vector<std::string>& terms, const Phrase& phrase) {
    return std::ranges::all_of(phrase,
                               [&](const std::string& word) { return std::ranges::find(terms, word) != terms.end(); });
}

}  // namespace

WordGroups::WordGroups(const TermReader& terms) {
    for (const std::string_view line : kGroups) {
        std::vector<Phrase> group;
        std::vector<std::string> written;
        for (const std::string_view phrase : split_at(line, '|')) {
            Phrase read = terms(phrase);
            if (read.empty() || std::ranges::find(group, read) != group.end()) continue;
            for (const std::string& term : read) groups_of_[term].push_back(groups_.size());
            group.push_back(std::move(read));
            written.emplace_back(phrase);
        }
        groups_.push_back(std::move(group));
        written_.push_back(std::move(written));
    }
    const auto direct = [&](std::string_view words, Direction direction) {
        for (const std::string& term : terms(words)) directions_.emplace(term, direction);
    };
    direct(kUp, Direction::up);
    direct(kDown, Direction::down);
    direct(kSame, Direction::same);
    for (std::string& term : terms(kAsking)) asking_.insert(std::move(term));
    for (std::string& term : terms(kOverview)) overview_.insert(std::move(term));
    for (std::string& term : terms(kBodies)) bodies_.insert(std::move(term));
    for (std::string& term : terms(kDeciding)) deciding_.insert(std::move(term));
}

std::vector<Phrase> WordGroups::alike(const std::vector<std::string>& asked, std::size_t place) const {
    std::vector<Phrase> phrases;
    const auto found = groups_of_.find(asked[place]);
    if (found == groups_of_.end()) return phrases;
    for (const std::size_t at : found->second) {
        const auto& group = groups_[at];
        const bool is_meant = std::ranges::any_of(group, [&](const Phrase& phrase) {
            return std::ranges::find(phrase, asked[place]) != phrase.end() && has_all(asked, phrase);
        });
        if (!is_meant) continue;
        for (const Phrase& phrase : group) {
            const bool is_known = has_all(asked, phrase) || std::ranges::find(phrases, phrase) != phrases.end();
            if (!is_known) phrases.push_back(phrase);
        }
    }
    return phrases;
}

std::vector<std::string> WordGroups::written_alike(const std::string& term) const {
    std::vector<std::string> others;
    const auto found = groups_of_.find(term);
    if (found == groups_of_.end()) return others;
    for (const std::size_t at : found->second) {
        const auto& group = groups_[at];
        if (std::ranges::find(group, Phrase{term}) == group.end()) continue;
        for (std::size_t i = 0; i < group.size(); ++i) {
            if (group[i] != Phrase{term}) others.push_back(written_[at][i]);
        }
    }
    return others;
}

Direction WordGroups::direction_of(const std::string& term) const {
    const auto found = directions_.find(term);
    return found == directions_.end() ? Direction::none : found->second;
}

}  // namespace quaestor::native
