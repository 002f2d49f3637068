// Words that stand for each other in questions and documents, and words that say which way something went. Data of
// word_groups.inc, in the stems of whoever searches. Private to native/answer.
// Threads: immutable once made.
#pragma once

#include "native/answer/extract.hpp"

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace quaestor::native {

class WordGroups {
public:
    explicit WordGroups(const TermReader& terms);

    /// The other phrases of all groups that have a phrase whose terms are all among `asked`, for the term at `place`.
    [[nodiscard]] std::vector<Phrase> alike(const std::vector<std::string>& asked, std::size_t place) const;
    /// The other phrases of its groups, as they are written.
    [[nodiscard]] std::vector<std::string> written_alike(const std::string& term) const;
    [[nodiscard]] Direction direction_of(const std::string& term) const;
    /// Words by which something is asked and not what is asked: "describe", "mention".
    [[nodiscard]] bool is_asking(const std::string& term) const { return asking_.contains(term); }
    /// "decision", "outcome", "committee": a question of these words alone wants to know what happened.
    [[nodiscard]] bool is_overview(const std::string& term) const { return overview_.contains(term); }
    /// "fed", "officials": who acts in all documents, and so says little.
    [[nodiscard]] bool is_body(const std::string& term) const { return bodies_.contains(term); }
    /// "decided", "voted": what follows was done, not only talked about.
    [[nodiscard]] bool is_deciding(const std::string& term) const { return deciding_.contains(term); }

private:
    std::vector<std::vector<Phrase>> groups_;
    std::vector<std::vector<std::string>> written_;                        ///< beside groups_
    std::unordered_map<std::string, std::vector<std::size_t>> groups_of_;  ///< by each term of a group
    std::unordered_map<std::string, Direction> directions_;
    std::set<std::string> asking_;
    std::set<std::string> overview_;
    std::set<std::string> bodies_;
    std::set<std::string> deciding_;
};

}  // namespace quaestor::native
