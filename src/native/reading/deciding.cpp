#include "native/reading/deciding.hpp"

#include "native/reading/choosing_view.hpp"
#include "native/reading/form_edits.hpp"
#include "native/reading/left_out.hpp"
#include "native/reading/rules/schema_view.hpp"
#include "native/reading/shared_names.hpp"
#include "native/reading/wording.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

namespace quaestor::native {

namespace {

/// A column is said when some word stands for it at least so well.
constexpr double kSaidColumn = 0.3;
constexpr std::string_view kWasItMeant = "Is this what you mean?";
constexpr std::string_view kWhichWasMeant = "This can be read in more than one way. Which do you mean?";

std::string column_words(ColumnId column, const Schema& schema) {
    if (column == 0) return "value";
    return schema.columns()[static_cast<std::size_t>(column)].words;
}

/// Spellings that were not said like that; a plural or another case goes without saying.
void add_spellings(const std::vector<UsedValue>& values, const Schema& schema, std::vector<std::string>& out) {
    for (const UsedValue& value : values) {
        if (value.written.certainty != Spelling::Certainty::likely) continue;
        if (stems(value.said) == stems(value.written.text)) continue;
        out.push_back(fmt::format("\"{}\" is taken to mean the {} \"{}\"", value.said,
                                  column_words(value.column, schema), value.written.text));
    }
}

std::vector<Reading> readings_of(std::vector<Candidate> candidates, const LinkedQuestion& question,
                                 const Knowledge& knowledge) {
    const Spoken spoken = spoken_in(question, knowledge);
    const bool is_cut = !question.words.empty() && question.words.back().end < question.text.size();
    std::vector<Reading> readings;
    for (Candidate& candidate : candidates) {
        Reading reading{.sql = std::move(candidate.written.sql),
                        .score = candidate.proposal.score,
                        .probability = candidate.probability,
                        .parser = candidate.proposal.parser,
                        .form = std::move(candidate.proposal.form),
                        .logical_form = {},
                        .explanation = {},
                        .values = std::move(candidate.written.values),
                        .assumptions = std::move(candidate.proposal.assumptions),
                        .result = std::move(candidate.result),
                        .features = candidate.features};
        reading.logical_form = form_line(reading.form, knowledge.schema(), spoken);
        reading.explanation = in_words(reading.form, knowledge.schema(), spoken);
        add_spellings(reading.values, knowledge.schema(), reading.assumptions);
        if (is_cut) reading.assumptions.push_back(fmt::format("only the first {} words were read", kWordsMax));
        readings.push_back(std::move(reading));
    }
    return readings;
}

bool differ(const std::optional<data::ResultSet>& left, const std::optional<data::ResultSet>& right) {
    return !left || !right || !same_rows(*left, *right);
}

/// Words that nothing was linked to and that no value of the reading holds either, and times that it leaves out.
std::vector<std::string> words_left(const LinkedQuestion& question, const std::vector<Candidate>& candidates,
                                    const Knowledge& knowledge) {
    std::vector<std::string> left = question.unlinked();
    if (candidates.empty()) return left;
    std::erase_if(left, [&](const std::string& words) {
        return std::ranges::any_of(candidates.front().written.values, [&](const UsedValue& value) {
            return value.said.contains(words) || words.contains(value.said);
        });
    });
    for (std::string& time : times_left(candidates.front().proposal.form, question, knowledge))
        left.push_back(std::move(time));
    return left;
}

/// The best candidate, and of those after it that can be meant the first of each different result.
std::vector<const Candidate*> different_readings(const std::vector<Candidate>& candidates, const Knowledge& knowledge) {
    std::vector<const Candidate*> readings;
    for (const Candidate& candidate : candidates) {
        const bool is_new = std::ranges::all_of(
            readings, [&](const Candidate* other) { return differ(other->result, candidate.result); });
        if (readings.empty() || (is_new && !surely_misses_values(candidate, knowledge))) readings.push_back(&candidate);
    }
    return readings;
}

/// Offers readings to choose from, each in words of its own.
void offer(const std::vector<const Candidate*>& candidates, const Knowledge& knowledge, Understanding& out) {
    for (const Candidate* candidate : candidates) {
        if (out.options.size() == kOptionsMax) return;
        auto words = in_words(candidate->proposal.form, knowledge.schema(), spoken_in(out.question, knowledge));
        if (std::ranges::find(out.options, words) != out.options.end()) continue;
        out.options.push_back(std::move(words));
        out.option_sql.push_back(candidate->written.sql);
    }
}

/// Whether it shows the rows themselves, by what they are called, by their keys or by everything: "all customers from
/// Spain". A column that was asked for is something else.
bool shows_things(const Query& form, const QuestionView& asked, const rules::SchemaView& view) {
    return !form.select.empty() && std::ranges::all_of(form.select, [&](const Expression& shown) {
        const auto* ref = std::get_if<ColumnRef>(&shown.node);
        if (ref == nullptr || ref->column == 0) return ref != nullptr;
        const auto said = asked.column_scores.find(ref->column);
        const bool is_said = said != asked.column_scores.end() && said->second >= kSaidColumn;
        const SchemaColumn& column = view.column(ref->column);
        return (!is_said && column.kind == ColumnKind::text) || view.is_key(ref->column) || column.is_primary;
    });
}

bool are_of_same_rows(const Query& left, const Query& right, const Schema& schema) {
    return left.where == right.where && left.order == right.order && left.limit == right.limit && left.group.empty() &&
           right.group.empty() && !left.combined && !right.combined &&
           profile_of(left, schema).tables == profile_of(right, schema).tables;
}

/// Whether names, keys or everything of the same rows are shown makes no difference that is worth a question: such
/// readings are taken out, and what is returned is how sure all of them together are.
double take_together(std::vector<const Candidate*>& readings, const LinkedQuestion& question,
                     const Knowledge& knowledge) {
    const rules::SchemaView view(knowledge);
    const QuestionView asked(question, knowledge);
    const Query& best = readings.front()->proposal.form;
    double certainty = readings.front()->probability;
    if (!shows_things(best, asked, view)) return certainty;
    std::erase_if(readings, [&](const Candidate* reading) {
        const Query& form = reading->proposal.form;
        const bool is_same = reading != readings.front() && shows_things(form, asked, view) &&
                             are_of_same_rows(best, form, knowledge.schema());
        if (is_same) certainty += reading->probability;
        return is_same;
    });
    return std::min(certainty, 1.0);
}

/// Whether one of those that would be offered is meant, though none of them is sure.
bool is_sure_together(const std::vector<const Candidate*>& readings, double offers_from) {
    double sum = 0;
    for (const Candidate* reading : readings | std::views::take(kOptionsMax)) sum += reading->probability;
    return readings.size() > 1 && sum >= offers_from;
}

/// Asks which of the readings is meant.
void ask_which(const std::vector<const Candidate*>& readings, const Knowledge& knowledge, Understanding& out) {
    offer(readings, knowledge, out);
    out.ask = out.options.size() > 1 ? kWhichWasMeant : kWasItMeant;
    out.decision = Decision::ask;
}

std::string_view text_of(const Value& value, const LinkedQuestion& question) {
    if (const auto* constant = std::get_if<Constant>(&value)) return constant->text;
    const auto [first, last] = std::get<Words>(value);
    return question.span(first, last);
}

/// Says which values are not there; asks where others are near.
void object_to_values(const std::vector<MissingValue>& missing, const Candidate& best, double answers_from,
                      const Knowledge& knowledge, Understanding& out) {
    for (const MissingValue& value : missing) {
        if (std::ranges::find(out.not_understood, value.said) == out.not_understood.end()) {
            out.not_understood.push_back(value.said);
        }
    }
    const auto offered =
        std::ranges::find_if(missing, [](const MissingValue& value) { return !value.nearest.empty(); });
    if (offered == missing.end()) {
        // That nothing is like that is an answer, where all there is is known.
        const bool is_known = std::ranges::all_of(
            missing, [&](const MissingValue& value) { return knowledge.knows_every_value(value.column); });
        if (is_known && best.probability >= answers_from && out.not_understood.size() == missing.size()) {
            out.decision = Decision::answer;
        }
        return;
    }
    out.decision = Decision::ask;
    out.near_values = offered->nearest;
    const std::size_t count = std::min(out.near_values.size(), kOptionsMax);
    out.ask = fmt::format("There is no {} \"{}\". Did you mean one of these: {}?",
                          column_words(offered->column, knowledge.schema()), offered->said,
                          fmt::join(out.near_values.begin(), out.near_values.begin() + static_cast<long>(count), ", "));
    for (std::size_t at = 0; at < count; ++at) {
        const Query meant = with_values_replaced(best.proposal.form, [&](const Value& value) {
            return text_of(value, out.question) == offered->said ? Value(Constant{out.near_values[at]}) : value;
        });
        const Spoken spoken = spoken_in(out.question, knowledge);
        const auto written = write_sql(meant, knowledge.schema(), knowledge.dialect(), spoken);
        if (!written) continue;
        out.options.push_back(in_words(meant, knowledge.schema(), spoken));
        out.option_sql.push_back(written->sql);
    }
}

/// Asks which of the rows is meant that have the name.
void ask_whose(const SharedName& shared, const Candidate& best, const Knowledge& knowledge, Understanding& out) {
    const Schema& schema = knowledge.schema();
    const auto& table = schema.tables()[static_cast<std::size_t>(schema.table_of(shared.column))];
    for (const std::string& name : shared.names) {
        const Query meant = about_one(best.proposal.form, shared, name, out.question);
        const Spoken spoken = spoken_in(out.question, knowledge);
        const auto written = write_sql(meant, schema, knowledge.dialect(), spoken);
        if (!written) continue;
        out.options.push_back(in_words(meant, schema, spoken));
        out.option_sql.push_back(written->sql);
    }
    if (out.options.size() < 2) return;
    out.decision = Decision::ask;
    out.ask = fmt::format("There is more than one {} with the {} \"{}\". Which do you mean?", table.words,
                          column_words(shared.column, schema), shared.said);
}

/// Whether it leaves out a time or a share that was said, or shows only what nobody asked for while words were not
/// understood: a weight for "shoe size".
bool is_guess(const Candidate& best, const LinkedQuestion& question, const Knowledge& knowledge) {
    if (leaves_out_something(best.proposal.form, question, knowledge)) return true;
    const QuestionView asked(question, knowledge);
    if (asked.unlinked == 0) return false;
    const rules::SchemaView view(knowledge);
    bool has_unsaid = false;
    for (const Expression& item : best.proposal.form.select) {
        const auto* aggregate = std::get_if<AggregateOf>(&item.node);
        const auto* column = std::get_if<ColumnRef>(aggregate != nullptr ? &aggregate->of->node : &item.node);
        if (column == nullptr || column->column == 0) return false;
        const auto labels = view.labels(view.table_of(column->column));
        if (std::ranges::find(labels, column->column) != labels.end()) return false;
        const auto said = asked.column_scores.find(column->column);
        if (said != asked.column_scores.end() && said->second >= kSaidColumn) return false;
        has_unsaid = true;
    }
    return has_unsaid;
}

/// Whether it says "best" of something and no more ("the best player", not "the best paid player"), or a superlative
/// of nothing at all ("the biggest one").
bool is_bare_superlative(const QuestionView& asked) {
    const auto is_linked = [&asked](LinkKind kind, std::size_t at) {
        return std::ranges::any_of(asked.question.links, [&](const Link& link) {
            return link.kind == kind && link.first <= at && at <= link.last && link.score >= kSaidScore;
        });
    };
    bool says_best = false;
    bool is_of_table = false;
    std::size_t others = 0;
    for (std::size_t at = 0; at < asked.folded.size(); ++at) {
        if (asked.folded[at] == "best" || asked.folded[at] == "worst") {
            says_best = true;
            is_of_table = is_of_table || is_linked(LinkKind::table, at + 1);
        } else if (asked.has_content[at] && !is_linked(LinkKind::order, at)) {
            ++others;
        }
    }
    return others == 0 || (says_best && (others == 1 || is_of_table));
}

/// Whether it goes by a measure that nobody named: the best player by what?
bool is_vague(const Candidate& best, const LinkedQuestion& question, const Knowledge& knowledge) {
    const QuestionView asked(question, knowledge);
    if (best.proposal.form.order.empty() || !is_bare_superlative(asked)) return false;
    return std::ranges::none_of(best.proposal.form.order, [&](const OrderBy& order) {
        const auto* aggregate = std::get_if<AggregateOf>(&order.by.node);
        const auto* column = std::get_if<ColumnRef>(aggregate != nullptr ? &aggregate->of->node : &order.by.node);
        const auto said = column == nullptr ? asked.column_scores.end() : asked.column_scores.find(column->column);
        return said != asked.column_scores.end() && said->second >= kSaidColumn;
    });
}

/// Whether a candidate finds what another one misses: the same words as a value that is there.
bool finds_all(const Candidate& candidate, const std::vector<MissingValue>& missing) {
    return std::ranges::all_of(missing, [&](const MissingValue& absent) {
        return std::ranges::any_of(candidate.written.values, [&](const UsedValue& value) {
            return value.said == absent.said && value.written.certainty != Spelling::Certainty::unknown;
        });
    });
}

}  // namespace

/// What the best candidate compares with and the database does not have. Where another candidate finds the same words
/// in another column, that one is what was meant, and becomes the best.
Task<Result<std::vector<MissingValue>>> Judge::settle_values(std::vector<Candidate>& candidates) const {
    auto missing = co_await missing_values(source_, knowledge_, candidates.front(), cancel_);
    if (!missing || missing->empty()) co_return missing;
    const auto better =
        std::ranges::find_if(candidates, [&](const Candidate& candidate) { return finds_all(candidate, *missing); });
    if (better == candidates.end()) co_return missing;
    std::rotate(candidates.begin(), better, better + 1);
    co_return co_await missing_values(source_, knowledge_, candidates.front(), cancel_);
}

/// The best candidate over other keys, where nobody proposed that and it makes a difference.
Task<Result<std::vector<Candidate>>> Judge::differing_joins(const std::vector<Candidate>& candidates,
                                                            const LinkedQuestion& question) const {
    auto others = other_joins(candidates.front(), question, knowledge_);
    std::erase_if(others, [&](const Candidate& other) {
        return std::ranges::any_of(candidates, [&](const Candidate& c) { return c.written.sql == other.written.sql; });
    });
    if (auto ran = co_await preview(source_, others, cancel_); !ran) co_return fail(ran.error());
    std::erase_if(others, [&](const Candidate& other) { return !differ(candidates.front().result, other.result); });
    co_return others;
}

Task<Result<Understanding>> Judge::decide(LinkedQuestion question, std::vector<Candidate> candidates) const {
    Understanding out;
    out.question = std::move(question);
    out.not_understood = words_left(out.question, candidates, knowledge_);
    if (candidates.empty()) co_return out;
    auto missing = co_await settle_values(candidates);
    if (!missing) co_return fail(missing.error());
    auto others = co_await differing_joins(candidates, out.question);
    if (!others) co_return fail(others.error());

    const Candidate& best = candidates.front();
    const auto shared = co_await shared_name(source_, knowledge_, best, cancel_);
    if (!shared) co_return fail(shared.error());
    auto meant = different_readings(candidates, knowledge_);
    const double certainty = take_together(meant, out.question, knowledge_);
    const bool is_close = meant.size() > 1 && certainty - meant[1]->probability < kCloseProbability;
    if (!missing->empty()) {
        object_to_values(*missing, best, choice_.answers_from(), knowledge_, out);
        for (const MissingValue& value : *missing) {
            candidates.front().proposal.assumptions.push_back(
                fmt::format("there is no {} \"{}\"", column_words(value.column, knowledge_.schema()), value.said));
        }
    } else if (is_guess(best, out.question, knowledge_)) {
        out.decision = Decision::decline;
    } else if (certainty < choice_.asks_from()) {
        if (is_sure_together(meant, choice_.offers_from())) ask_which(meant, knowledge_, out);
    } else if (shared->has_value()) {
        ask_whose(**shared, best, knowledge_, out);
    } else if (certainty < choice_.answers_from() || is_close || !others->empty() ||
               is_vague(best, out.question, knowledge_)) {
        auto place = meant.begin() + 1;
        for (const Candidate& other : *others) place = meant.insert(place, &other) + 1;
        ask_which(meant, knowledge_, out);
    } else {
        out.decision = Decision::answer;
    }
    for (Candidate& other : *others) candidates.push_back(std::move(other));
    out.readings = readings_of(std::move(candidates), out.question, knowledge_);
    co_return out;
}

}  // namespace quaestor::native
