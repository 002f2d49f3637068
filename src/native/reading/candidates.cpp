#include "native/reading/candidates.hpp"

#include "native/joins.hpp"
#include "native/reading/form_edits.hpp"
#include "resilience/deadline.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>

#include <algorithm>

namespace quaestor::native {

namespace {

/// Candidates that run at the same time, and how long all of them may take.
constexpr std::size_t kPreviewsAtOnce = 2;
constexpr std::chrono::milliseconds kPreviewsTime{6'000};
constexpr std::size_t kPreviewBytes = std::size_t{4} << 20;
constexpr std::size_t kOtherJoinsMax = 2;

/// A database that is out of order, rather than a statement it does not like.
bool is_out_of_order(const Error& error) {
    return error.code == Code::unavailable || error.code == Code::corrupt;
}

/// It may be right all the same: it only took too much.
bool is_undecided(const Error& error) {
    return error.code == Code::timeout || error.code == Code::limit_exceeded;
}

class Previewer {
public:
    Previewer(data::Source& source, std::vector<Candidate>& candidates, CancelToken cancel)
        : source_(source),
          candidates_(candidates),
          cancel_(std::move(cancel)),
          deadline_(Deadline::after(system_clock(), kPreviewsTime)) {}

    Task<> run() {
        while (next_ < candidates_.size() && !fault_ && !cancel_.cancelled()) {
            Candidate& candidate = candidates_[next_++];
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_.left(system_clock()));
            if (left.count() == 0) co_return;
            const data::QueryLimits limits{
                .rows = kPreviewRows, .bytes = kPreviewBytes, .timeout = std::min(kPreviewTime, left)};
            auto result = co_await source_.query(candidate.written.sql, limits, cancel_);
            if (result) {
                candidate.result = std::move(*result);
            } else {
                if (is_out_of_order(result.error())) fault_ = result.error();
                candidate.failure = std::move(result.error());
            }
        }
    }

    /// The first fault of the database, or the cancellation.
    [[nodiscard]] Result<> outcome() const {
        if (cancel_.cancelled()) return fail(cancel_.error());
        if (fault_) return fail(*fault_);
        const auto is_internal = [](const Candidate& candidate) {
            return candidate.failure && candidate.failure->code == Code::internal;
        };
        if (!candidates_.empty() && std::ranges::all_of(candidates_, is_internal)) {
            return fail(*candidates_.front().failure);
        }
        return {};
    }

private:
    data::Source& source_;
    std::vector<Candidate>& candidates_;
    CancelToken cancel_;
    Deadline deadline_;
    std::size_t next_ = 0;
    std::optional<Error> fault_;
};

std::optional<Candidate> written_candidate(Proposal proposal, const LinkedQuestion& question,
                                           const Knowledge& knowledge) {
    auto written = write_sql(proposal.form, knowledge.schema(), knowledge.dialect(), spoken_in(question, knowledge));
    if (!written) return std::nullopt;
    return Candidate{
        .proposal = std::move(proposal), .supports = {}, .written = std::move(*written), .result = {}, .failure = {}};
}

bool has_sql(const std::vector<Candidate>& candidates, const std::string& sql) {
    return std::ranges::any_of(candidates, [&sql](const Candidate& each) { return each.written.sql == sql; });
}

}  // namespace

Spoken spoken_in(const LinkedQuestion& question, const Knowledge& knowledge) {
    return {.question = question.text, .words = question.words, .values = &knowledge.values()};
}

std::vector<Candidate> written_candidates(std::vector<std::vector<Proposal>> lists, const LinkedQuestion& question,
                                          const Knowledge& knowledge) {
    std::vector<Candidate> candidates;
    const auto longest = std::ranges::max(lists, {}, &std::vector<Proposal>::size).size();
    for (std::size_t rank = 0; rank < longest; ++rank) {
        for (auto& list : lists) {
            if (rank >= list.size()) continue;
            auto candidate = written_candidate(std::move(list[rank]), question, knowledge);
            if (!candidate) continue;
            const auto same = std::ranges::find_if(
                candidates, [&](const Candidate& each) { return each.written.sql == candidate->written.sql; });
            if (same != candidates.end()) {
                same->supports.push_back({candidate->proposal.parser, candidate->proposal.score});
                continue;
            }
            candidates.push_back(std::move(*candidate));
            if (candidates.size() == kCandidatesMax) return candidates;
        }
    }
    return candidates;
}

Task<Result<>> preview(data::Source& source, std::vector<Candidate>& candidates, const CancelToken& cancel) {
    Previewer previewer(source, candidates, cancel);
    const auto executor = co_await asio::this_coro::executor;
    const auto run = [&] { return asio::co_spawn(executor, previewer.run(), asio::deferred); };
    std::vector<decltype(run())> runs;
    for (std::size_t count = 0; count < kPreviewsAtOnce; ++count) runs.push_back(run());
    auto [order, thrown] = co_await asio::experimental::make_parallel_group(std::move(runs))
                               .async_wait(asio::experimental::wait_for_all(), asio::use_awaitable);
    for (const auto& error : thrown) {
        if (error) std::rethrow_exception(error);
    }
    if (auto outcome = previewer.outcome(); !outcome) co_return fail(outcome.error());
    std::erase_if(candidates, [](const Candidate& each) { return each.failure && !is_undecided(*each.failure); });
    co_return Result<>();
}

std::vector<Candidate> other_joins(const Candidate& candidate, const LinkedQuestion& question,
                                   const Knowledge& knowledge) {
    const Schema& schema = knowledge.schema();
    const Query& form = candidate.proposal.form;
    const auto plan = join_plan(schema, columns_in(form), form.tables);
    if (!plan) return {};
    std::vector<Candidate> others;
    for (const ForeignKey& key : other_ways(schema, *plan)) {
        const TableId target = schema.table_of(key.to);
        Proposal other = candidate.proposal;
        std::erase(other.form.tables, target);
        other.form = with_columns_replaced(std::move(other.form), [&](const ColumnRef& ref) {
            const bool is_meant = ref.column != 0 && ref.via == 0 && schema.table_of(ref.column) == target;
            return is_meant ? ColumnRef{ref.column, key.from} : ref;
        });
        auto written = written_candidate(std::move(other), question, knowledge);
        if (!written || written->written.sql == candidate.written.sql || has_sql(others, written->written.sql))
            continue;
        others.push_back(std::move(*written));
        if (others.size() == kOtherJoinsMax) break;
    }
    return others;
}

}  // namespace quaestor::native
