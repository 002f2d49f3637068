#include "native/reading/facts/fact_query.hpp"

#include <algorithm>

namespace quaestor::native::facts {

/// The key of a row of the table, as rows of this one have it.
std::optional<ColumnRef> FactQuery::key_to(TableId table) const {
    const ColumnId own = view_.primary(table);
    if (table == root_) return own == 0 ? std::nullopt : std::optional(ColumnRef{own, 0});
    const auto label = reached(view_.labels(table).front());
    if (!label) return std::nullopt;
    if (label->or_via == 0 && label->via != 0 && view_.target_of(label->via) == table) return ColumnRef{label->via, 0};
    if (own == 0) return std::nullopt;
    return ColumnRef{own, label->via, label->or_via};
}

bool FactQuery::add_described() {
    return std::ranges::all_of(said_.described, [this](const DescribedMention& one) {
        const auto steps = view_.steps_to_one(root_, one.table);
        if (!steps || *steps > kFactStepsMax) return false;
        const auto key = key_to(one.table);
        if (!key) return false;
        where_.push_back({Among{Expression{*key}, false, Subquery{one.keys}}});
        tested_.push_back(key->column);
        if (!one.is_several) fixed_.push_back(one.table);
        cost_ += kFactStep * *steps;
        return true;
    });
}

/// Whether a time that was said elsewhere is one of these rows, too: of "the coach of the champion of 2023" the coach
/// in 2023, but not of "when was the champion of 2023 founded".
bool FactQuery::shares_time() const {
    if (!time_ || view_.table_of(time_->column) != root_) return false;
    const ColumnId like = *said_.shares_time;
    // What has a name has days of its own: when it was born or founded.
    if (like == 0) return view_.column(time_->column).is_primary || !view_.has_names(root_);
    return view_.column(time_->column).words == view_.column(like).words;
}

std::optional<KeyReading> FactQuery::key_reading() {
    auto read = reading();
    if (!read || entity_ < 0 || read->form.combined) return std::nullopt;
    const std::vector<Expression> shown = labels();
    const auto key = key_to(entity_);
    if (!key || shown.empty() || read->form.select.empty() || read->form.select.front() != shown.front()) {
        return std::nullopt;
    }
    Query keys = std::move(read->form);
    keys.select = {{*key}};
    keys.distinct = false;
    if (!keys.group.empty()) keys.group = keys.select;
    const ColumnId time = is_time_fixed_ && said_.time ? time_->column : 0;
    return KeyReading{{.table = entity_, .keys = std::move(keys), .time = time}, read->score};
}

}  // namespace quaestor::native::facts
