// How the mentions of a question are gathered, one kind after the other; words that are taken by one are not looked at
// by the next. Private to the fact reader.
// Threads: one for each question.
#pragma once

#include "native/reading/facts/mentions.hpp"
#include "native/reading/link_finders.hpp"
#include "native/reading/rules/cues.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native::facts {

/// The year that a word says.
[[nodiscard]] std::optional<int> year_of(std::string_view text);
[[nodiscard]] std::string new_year(int year);
/// That a link of one says: ">=".
[[nodiscard]] Comparison comparison_of(std::string_view text);

class Collector {
public:
    Collector(const LinkedQuestion& question, const Names& names, const rules::SchemaView& view)
        : question_(question), names_(names), view_(view) {
        out_.taken.assign(names.size(), false);
        out_.explained.assign(names.size(), false);
        out_.weak.assign(names.size(), false);
        for (std::size_t at = 0; at < names.size(); ++at) folded_.push_back(names.folded(at));
    }
    Mentions collect();

private:
    [[nodiscard]] bool is_in_some_name(std::size_t at) const;
    [[nodiscard]] bool is_free(std::size_t first, std::size_t last) const;
    void take(std::size_t first, std::size_t last);
    [[nodiscard]] bool says(std::size_t at, std::initializer_list<std::string_view> words) const;
    [[nodiscard]] std::size_t before(std::size_t at) const;
    void add_values();
    [[nodiscard]] bool is_value(const Link& link) const;
    [[nodiscard]] bool is_one_of_many(const Link& link) const;
    [[nodiscard]] bool is_in_date(const Link& value) const;
    void add_numbered_rows();
    void add_stock();
    [[nodiscard]] bool is_plain_word(const Link& link) const;
    [[nodiscard]] bool names_a_thing(std::size_t at) const;
    [[nodiscard]] Value value_of(const Link& link) const;
    void mark_negation(ValueMention& value);
    void add_times();
    [[nodiscard]] bool names_days() const;
    [[nodiscard]] bool is_measured(std::size_t at) const;
    void add_season();
    void add_end_of_range();
    void add_direction();
    void add_cues();
    void add_word(std::size_t at);
    void order(bool descending, std::size_t at);
    void add_cue(const rules::CueMatch& cue, std::size_t at);
    [[nodiscard]] bool opens_otherwise(std::string_view about) const;
    [[nodiscard]] std::optional<std::size_t> ratio_end(std::size_t from) const;
    void add_other_time();
    [[nodiscard]] bool says_change() const;
    void add_frequency();
    void add_present();
    [[nodiscard]] bool is_in_value(std::size_t at) const;
    [[nodiscard]] bool is_number(std::size_t at) const;
    void add_asked();
    [[nodiscard]] bool says_who_does(std::size_t at) const;
    void add_shared_words();
    void add_unknown();
    void add_average();
    void add_ordinals();
    [[nodiscard]] std::optional<OrdinalMention> ordinal_at(std::size_t at) const;
    void add_numbers();
    [[nodiscard]] bool begins_name(std::size_t at) const;
    [[nodiscard]] bool is_scale(std::size_t at) const;
    [[nodiscard]] bool is_unit(std::size_t at) const;
    void add_unit(std::size_t at);
    void set_limit(const Link& link);
    void add_number(const Link& link);
    const LinkedQuestion& question_;
    const Names& names_;
    const rules::SchemaView& view_;
    std::vector<std::string> folded_;
    std::optional<TimeMention> first_season_;  ///< of two
    Mentions out_;
};

}  // namespace quaestor::native::facts
