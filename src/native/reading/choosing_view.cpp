#include "native/reading/choosing_view.hpp"

#include "native/characters.hpp"
#include "native/reading/link_finders.hpp"

#include <algorithm>

namespace quaestor::native {

namespace {

bool is_name(LinkKind kind) {
    return kind == LinkKind::table || kind == LinkKind::column;
}

bool overlap(std::size_t first, std::size_t last, std::size_t other_first, std::size_t other_last) {
    return first <= other_last && other_first <= last;
}

/// One for each span of words, with all that it may be.
void add_span(std::vector<SaidSpan>& spans, const Link& link) {
    auto found = std::ranges::find_if(
        spans, [&](const SaidSpan& span) { return span.first == link.first && span.last == link.last; });
    if (found == spans.end()) found = spans.insert(spans.end(), {link.first, link.last, {}, {}, {}});
    if (link.kind == LinkKind::table) found->tables.insert(link.table);
    if (link.column != 0) found->columns.insert(link.column);
    if (!link.text.empty()) found->texts.push_back(link.text);
}

/// A span within a longer one says nothing of its own.
void keep_longest(std::vector<SaidSpan>& spans) {
    const std::vector<SaidSpan> all = spans;
    std::erase_if(spans, [&all](const SaidSpan& span) {
        return std::ranges::any_of(all, [&span](const SaidSpan& other) {
            return other.first <= span.first && span.last <= other.last &&
                   other.last - other.first > span.last - span.first;
        });
    });
}

bool is_within_any(const SaidSpan& span, const std::vector<SaidSpan>& others) {
    return std::ranges::any_of(
        others, [&](const SaidSpan& other) { return overlap(span.first, span.last, other.first, other.last); });
}

bool has_content_at(const LinkedQuestion& question, std::size_t at, const std::string& folded) {
    std::size_t begin = 0;
    const std::string_view word = question.word(at);
    return !word.empty() && is_word_point(next_point(word, begin)) && !is_filler(folded) && !is_stop_word(folded);
}

}  // namespace

QuestionView::QuestionView(const LinkedQuestion& linked, const Knowledge& known) : question(linked), knowledge(known) {
    std::vector<bool> is_linked(linked.words.size());
    for (std::size_t at = 0; at < linked.words.size(); ++at) {
        folded.push_back(fold(linked.word(at)));
        has_content.push_back(has_content_at(linked, at, folded.back()));
    }
    for (const Link& link : linked.links) {
        if (link.kind != LinkKind::filler) {
            for (std::size_t at = link.first; at <= link.last && at < is_linked.size(); ++at) is_linked[at] = true;
        }
        const bool is_sure = link.score >= kSureScore;
        if (is_name(link.kind) && is_sure) add_span(names, link);
        if (link.kind == LinkKind::column) {
            column_scores[link.column] = std::max(column_scores[link.column], link.score);
        }
        if (link.kind == LinkKind::table) table_scores[link.table] = std::max(table_scores[link.table], link.score);
        if (link.kind == LinkKind::value) {
            value_columns.insert(link.column);
            add_span(is_sure ? values : likely_values, link);
        }
        if ((link.kind == LinkKind::number || link.kind == LinkKind::date) && is_sure) add_span(numbers, link);
    }
    for (auto* spans : {&values, &likely_values, &numbers, &names}) keep_longest(*spans);
    std::erase_if(values, [this](const SaidSpan& span) { return is_within_any(span, names); });
    std::erase_if(likely_values,
                  [this](const SaidSpan& span) { return is_within_any(span, names) || is_within_any(span, values); });
    std::erase_if(numbers, [this](const SaidSpan& span) { return is_within_any(span, values); });
    for (std::size_t at = 0; at < folded.size(); ++at) unlinked += has_content[at] && !is_linked[at] ? 1 : 0;

    asks_count = says(LinkKind::aggregate, "count");
    const bool is_grouped = says(LinkKind::group);
    asks_number = !is_grouped && (asks_count || starts_with("average") || starts_with("total") ||
                                  (starts_with("how") && has_word("much")) || says(LinkKind::share));
    asks_when = has_word("when");
    asks_names = has_word("who") || has_word("which") || has_word("list") || has_word("name") || has_word("names");
    asks_one = says(LinkKind::order) && !says(LinkKind::limit) && !is_grouped && numbers.empty();
    says_distinct = has_word("distinct") || has_word("different") || has_word("unique") || has_word("once");
}

bool QuestionView::says(LinkKind kind, std::string_view text) const {
    return std::ranges::any_of(question.links, [&](const Link& link) {
        return link.kind == kind && link.score >= kSaidScore && (text.empty() || link.text == text);
    });
}

bool QuestionView::has_word(std::string_view word) const {
    return std::ranges::find(folded, word) != folded.end();
}

CandidateView::CandidateView(const QuestionView& asked, const Candidate& judged)
    : question(asked), candidate(judged), form(profile_of(judged.proposal.form, asked.knowledge.schema())) {
    if (judged.result) key = rows_key(*judged.result);
    const auto count = [this](std::string_view parser, double score) {
        auto& best = parser == kTrainedParser   ? trained_score
                     : parser == kFactParser    ? fact_score
                     : parser == kAmendedParser ? amended_score
                                                : rule_score;
        best = std::max(best.value_or(score), score);
    };
    count(judged.proposal.parser, judged.proposal.score);
    for (const Support& support : judged.supports) count(support.parser, support.score);
}

bool CandidateView::uses(const SaidSpan& span) const {
    const bool has_words = std::ranges::any_of(
        form.words, [&](const Words& words) { return overlap(span.first, span.last, words.first, words.last); });
    if (has_words) return true;
    return std::ranges::any_of(candidate.written.values, [&](const UsedValue& value) {
        return std::ranges::any_of(span.texts, [&](const std::string& text) {
            return value.written.text == text || value.said == text || value.written.text.contains(text);
        });
    });
}

double CandidateView::count_unused(const std::vector<SaidSpan>& spans) const {
    return static_cast<double>(std::ranges::count_if(spans, [this](const SaidSpan& span) { return !uses(span); }));
}

bool CandidateView::is_extreme() const {
    return form.is_limited || form.aggregate(Aggregate::min) + form.aggregate(Aggregate::max) > 0;
}

bool CandidateView::has_comparison() const {
    const int orders = form.comparisons[static_cast<std::size_t>(Comparison::greater)] +
                       form.comparisons[static_cast<std::size_t>(Comparison::less)] +
                       form.comparisons[static_cast<std::size_t>(Comparison::greater_equal)] +
                       form.comparisons[static_cast<std::size_t>(Comparison::less_equal)];
    return orders + form.ranges > 0;
}

bool CandidateView::accounts_for(const Link& link) const {
    switch (link.kind) {
        case LinkKind::table:
            return form.tables.contains(link.table);
        case LinkKind::column:
            return form.columns.contains(link.column);
        case LinkKind::value:
        case LinkKind::number:
        case LinkKind::date:
            return uses({link.first, link.last, {}, {}, {link.text}});
        case LinkKind::aggregate:
            if (link.text == "count") return form.aggregate(Aggregate::count) > 0;
            if (link.text == "avg") return form.aggregate(Aggregate::avg) > 0;
            if (link.text == "sum") return form.aggregate(Aggregate::sum) + form.aggregate(Aggregate::count) > 0;
            return is_extreme();
        case LinkKind::comparison:
            return has_comparison() || form.negations > 0;
        case LinkKind::order:
            return form.is_ordered() || is_extreme();
        case LinkKind::limit:
            return form.is_limited;
        case LinkKind::group:
            return form.is_grouped;
        case LinkKind::negation:
            return form.negations > 0;
        case LinkKind::share:
            return form.shares > 0;
        case LinkKind::change:
            return form.differences + form.windows > 0;
        case LinkKind::filler:
            return false;
    }
    return false;
}

double CandidateView::coverage() const {
    std::vector<double> covered(question.folded.size());
    const auto cover = [&covered](std::size_t first, std::size_t last, double score) {
        for (std::size_t at = first; at <= last && at < covered.size(); ++at)
            covered[at] = std::max(covered[at], score);
    };
    for (const Words& words : form.words) cover(words.first, words.last, 1);
    for (const Link& link : question.question.links) {
        if (accounts_for(link)) cover(link.first, link.last, link.score);
    }
    double sum = 0;
    double count = 0;
    for (std::size_t at = 0; at < covered.size(); ++at) {
        if (!question.has_content[at]) continue;
        sum += covered[at];
        ++count;
    }
    return count == 0 ? 1 : sum / count;
}

}  // namespace quaestor::native
