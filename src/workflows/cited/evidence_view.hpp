// The evidence of one question, for whoever puts an answer together from it: sentences picked from it, and sentences
// written down with their marks. Private to the workflow; borrows its input.
// Threads: one.
#pragma once

#include "workflows/cited/librarian.hpp"
#include "workflows/cited/prompts.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::workflows::cited {

/// How far behind the best a sentence may be.
inline constexpr double kNearBest = 0.05;    ///< and be preferred for being newer
inline constexpr double kAlsoSaid = 0.10;    ///< and be said as well
inline constexpr double kOfTheSame = 0.22;   ///< and be its like of another day
inline constexpr double kOfNamedTime = 0.4;  ///< and be the best of a time that was named beside others
inline constexpr std::size_t kSentencesSaid = 3;
inline constexpr std::string_view kNotSo = "That is not what the documents say:\n\n";

class EvidenceView {
public:
    using Sentences = std::vector<EvidenceSentence>;
    using Wanted = std::function<bool(const EvidenceSentence&)>;

    EvidenceView(const Librarian& librarian, const SynthesizeAnswer::Input& input);

    [[nodiscard]] const SynthesizeAnswer::Passage& passage(const EvidenceSentence& sentence) const {
        return input.passages[static_cast<std::size_t>(sentence.chunk)];
    }
    [[nodiscard]] const std::string& date(const EvidenceSentence& sentence) const { return passage(sentence).date; }
    /// What it is put in order by: its day or, without one, its document; and how that is shown.
    [[nodiscard]] const std::string& day_of(const EvidenceSentence& sentence) const;
    [[nodiscard]] std::string name_of_day(const EvidenceSentence& sentence) const;
    [[nodiscard]] std::string_view words(const EvidenceSentence& sentence) const;
    [[nodiscard]] double top() const { return input.evidence.front().score; }
    [[nodiscard]] bool has_time() const { return !input.dates.periods.empty(); }
    /// The question compares days, or follows something through them.
    [[nodiscard]] bool compares() const;
    /// "How often", "how many times".
    [[nodiscard]] bool asks_how_often() const;

    /// Without a named time, the newest of those that say it about as well.
    [[nodiscard]] const EvidenceSentence& best() const;
    /// A sentence and what else the same day's documents say to the question.
    [[nodiscard]] Sentences chosen(const EvidenceSentence& best) const;
    /// A sentence with those beside it that it cannot be understood or is not complete without.
    [[nodiscard]] Sentences with_neighbours(const EvidenceSentence& sentence) const;
    /// The same with the one before it, if it speaks of "these risks".
    [[nodiscard]] Sentences with_what_it_means(const EvidenceSentence& sentence) const;
    /// A sentence and the next one of its paragraph.
    [[nodiscard]] Sentences with_next(const EvidenceSentence& sentence) const;
    /// The best wanted sentence of each day, in the order of time; none that is far behind the best of all.
    [[nodiscard]] Sentences by_day(double behind, const Wanted& is_wanted) const;
    [[nodiscard]] Sentences by_day(double behind) const;
    [[nodiscard]] bool are_alike(const EvidenceSentence& left, const EvidenceSentence& right) const;

    /// A sentence in Markdown with its mark.
    [[nodiscard]] std::string cited(const EvidenceSentence& sentence) const;
    /// One after the other, the day before the first where the question does not say which.
    [[nodiscard]] std::string in_short(const Sentences& sentences) const;
    [[nodiscard]] std::string with_day(const Sentences& sentences) const;
    /// Paragraphs, or a table from three on.
    [[nodiscard]] std::string series(const Sentences& sentences) const;

    const SynthesizeAnswer::Input& input;
    const native::AskedQuestion asked;

private:
    [[nodiscard]] bool says_all(const EvidenceSentence& sentence) const;
    /// A sentence and one more of its passage that says it as well.
    [[nodiscard]] Sentences row_of(const EvidenceSentence& sentence) const;
    [[nodiscard]] std::string joined(const Sentences& sentences, bool with_date) const;

    const Librarian& librarian_;
};

/// What was done to the rate, from sentences that say where it was set; empty where no such sentence was found.
[[nodiscard]] std::string rate_answer(const EvidenceView& view);
/// What was decided then, where the question takes a rise or a cut for granted that was none; else empty.
[[nodiscard]] std::string rate_correction(const EvidenceView& view);
/// Who voted how; empty where no sentence reports a vote.
[[nodiscard]] std::string vote_answer(const EvidenceView& view);

}  // namespace quaestor::workflows::cited
