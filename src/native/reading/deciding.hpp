// What to do with candidates that were chosen between: answer, ask which was meant, or say what was not understood.
// Private to native/.
// Threads: those of the source.
#pragma once

#include "native/reading/candidates.hpp"

namespace quaestor::native {

/// Readings whose probabilities differ by less than this are asked about.
inline constexpr double kCloseProbability = 0.1;
/// Readings or values that a person is asked to choose from.
inline constexpr std::size_t kOptionsMax = 3;

class Judge {
public:
    Judge(data::Source& source, const Knowledge& knowledge, const ChoiceModel& choice, CancelToken cancel)
        : source_(source), knowledge_(knowledge), choice_(choice), cancel_(std::move(cancel)) {}

    /// `candidates` are in the order of choose().
    Task<Result<Understanding>> decide(LinkedQuestion question, std::vector<Candidate> candidates) const;

private:
    Task<Result<std::vector<MissingValue>>> settle_values(std::vector<Candidate>& candidates) const;
    Task<Result<std::vector<Candidate>>> differing_joins(const std::vector<Candidate>& candidates,
                                                         const LinkedQuestion& question) const;

    data::Source& source_;
    const Knowledge& knowledge_;
    const ChoiceModel& choice_;
    CancelToken cancel_;
};

}  // namespace quaestor::native
