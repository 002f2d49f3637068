#include "native/model_input.hpp"

#include "native/characters.hpp"
#include "native/relations.hpp"
#include "native/spoken_values.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <utility>

namespace quaestor::native {

namespace {

/// Columns are left out until a text has no more pieces and columns; what is still longer is cut off.
constexpr std::size_t kPiecesWanted = 500;
constexpr std::size_t kColumnsWanted = 110;
constexpr std::size_t kColumnsKept = 4;
constexpr std::size_t kPiecesMax = 512;
/// Of more tables only the likeliest are shown: all together would leave no room for columns. Training knows no schema
/// with more.
constexpr std::size_t kTablesMax = 40;
constexpr std::size_t kValuesShown = 2;
constexpr std::size_t kValuePointsShown = 40;

/// Pieces around the question, the columns and the values, as the limit was counted in training.
constexpr std::size_t kFramePieces = 12;
constexpr std::size_t kPiecesPerTable = 2;
constexpr std::size_t kPiecesPerColumn = 1;
constexpr std::size_t kPiecesPerValue = 2;

/// Features of pieces besides the kinds of columns, 1 to 5.
enum Feature {
    no_feature = 0,
    primary_key = 6,   ///< added to the kind
    foreign_key = 12,  ///< added to the kind
    weak_word = 18,
    table_name = 19,
    value_word = 20,
    shown_value = 21,
    number_word = 22,
    date_word = 23,
};

/// How likely a question is about a column.
enum Likelihood { unlikely, key, said, has_value };

enum ItemKind { word_item, column_item, table_item };
enum Segment { question_segment, schema_segment };
constexpr int kNoItem = -1;

class InputBuilder {
public:
    InputBuilder(std::string_view question, const std::vector<WordSpan>& words, const Schema& schema,
                 const std::vector<ValueHit>& hits, const WordPiece& pieces)
        : schema_(schema), pieces_(pieces), is_key_(schema.columns().size()) {
        for (const auto& [begin, end] : std::span(words).first(std::min(words.size(), kWordsMax))) {
            texts_.push_back(question.substr(begin, end - begin));
            stems_.push_back(stem(fold(texts_.back())));
        }
        for (const auto& hit : hits)
            if (hit.last < texts_.size() && hit.column > 0 && index(hit.column) < schema.columns().size())
                hits_.push_back(hit);
        for (const auto& [from, to] : schema.keys()) is_key_[index(from)] = is_key_[index(to)] = true;
        for (const auto& column : schema.columns()) column_pieces_.push_back(pieces.pieces_of(column.words));
        for (const auto& table : schema.tables()) table_pieces_.push_back(pieces.pieces_of(table.words));
        likelihood_ = likelihood_of_columns();
    }

    ModelInput build() && {
        keep_what_fits();
        out_.words = texts_.size();
        out_.kinds.assign(texts_.size(), word_item);
        out_.kinds.insert(out_.kinds.end(), out_.columns.size(), column_item);
        out_.kinds.insert(out_.kinds.end(), out_.tables.size(), table_item);
        put_question();
        put_schema();
        for (auto* const array : {&out_.ids, &out_.items, &out_.segments, &out_.features})
            array->resize(std::min(array->size(), kPiecesMax));
        out_.relations = relations_of(
            {.word_stems = stems_, .columns = out_.columns, .tables = out_.tables, .hits = hits_}, schema_);
        return std::move(out_);
    }

private:
    static std::size_t index(int id) { return static_cast<std::size_t>(id); }

    /// The least likely columns are left out first, and of equals the last ones.
    void keep_what_fits() {
        out_.tables = likeliest_tables();
        std::vector<ColumnId> ranked;
        for (const TableId table : out_.tables)
            ranked.insert(ranked.end(), schema_.columns_of(table).begin(), schema_.columns_of(table).end());
        std::size_t size = pieces_wanted(ranked);
        const auto fits = [&] {
            return ranked.size() <= kColumnsKept || (size <= kPiecesWanted && ranked.size() <= kColumnsWanted);
        };
        if (!fits())
            std::ranges::sort(ranked, {}, [this](ColumnId id) { return std::pair(-likelihood_[index(id)], id); });
        while (!fits())
            for (std::size_t dropped = std::max<std::size_t>(1, ranked.size() / 10); dropped > 0; --dropped) {
                size -= column_pieces_[index(ranked.back())].size() + kPiecesPerColumn;
                ranked.pop_back();
            }

        out_.columns.push_back(0);
        const std::set<ColumnId> kept(ranked.begin(), ranked.end());
        for (const TableId table : out_.tables)
            std::ranges::copy_if(schema_.columns_of(table), std::back_inserter(out_.columns),
                                 [&](ColumnId column) { return kept.contains(column); });
    }

    [[nodiscard]] std::vector<TableId> likeliest_tables() const {
        std::vector<TableId> tables(schema_.tables().size());
        std::iota(tables.begin(), tables.end(), 0);
        if (tables.size() <= kTablesMax) return tables;

        std::vector<int> likelihood;
        for (const TableId table : tables) {
            int best = is_said(schema_.tables()[index(table)].words) ? said : unlikely;
            for (const ColumnId column : schema_.columns_of(table)) best = std::max(best, likelihood_[index(column)]);
            likelihood.push_back(best);
        }
        std::ranges::sort(tables, {}, [&](TableId table) { return std::pair(-likelihood[index(table)], table); });
        tables.resize(kTablesMax);
        std::ranges::sort(tables);
        return tables;
    }

    [[nodiscard]] std::size_t pieces_wanted(const std::vector<ColumnId>& columns) const {
        std::size_t size = kFramePieces;
        for (const auto text : texts_) size += pieces_.pieces_of(text).size();
        for (const TableId table : out_.tables) size += table_pieces_[index(table)].size() + kPiecesPerTable;
        for (const ColumnId column : columns) size += column_pieces_[index(column)].size() + kPiecesPerColumn;
        for (const auto& hit : hits_) size += shown(hit.value).size() + kPiecesPerValue;
        return size;
    }

    [[nodiscard]] bool is_said(std::string_view name) const {
        return std::ranges::any_of(stems(name), [this](const auto& word) {
            return !is_stop_word(word) && std::ranges::find(stems_, word) != stems_.end();
        });
    }

    [[nodiscard]] std::vector<int> likelihood_of_columns() const {
        std::vector<int> likelihood;
        for (const auto& column : schema_.columns()) {
            const bool is_key = column.is_primary || is_key_[likelihood.size()];
            likelihood.push_back(is_said(column.words) ? said : is_key ? key : unlikely);
        }
        for (const auto& hit : hits_) likelihood[index(hit.column)] = has_value;
        return likelihood;
    }

    [[nodiscard]] std::vector<int> shown(std::string_view value) const {
        return pieces_.pieces_of(first_points(value, kValuePointsShown));
    }

    void put(const std::vector<int>& ids, int item, Segment segment, int feature) {
        for (const int id : ids) put(id, item, segment, feature);
    }
    void put(int id, int item, Segment segment, int feature) {
        out_.ids.push_back(id);
        out_.items.push_back(item);
        out_.segments.push_back(segment);
        out_.features.push_back(feature);
    }
    void put_mark(std::string_view mark, Segment segment) { put(pieces_.id_of(mark), kNoItem, segment, no_feature); }

    /// [CLS] word … [SEP]
    void put_question() {
        std::vector<int> features;
        for (const auto text : texts_) features.push_back(look_feature(text));
        for (const bool is_sure : {false, true})
            for (const auto& hit : hits_)
                for (std::size_t word = hit.first; word <= hit.last; ++word)
                    if (hit.is_sure == is_sure) features[word] = is_sure ? value_word : weak_word;

        put_mark("[CLS]", question_segment);
        for (std::size_t word = 0; word < texts_.size(); ++word)
            put(pieces_.pieces_of(texts_[word]), static_cast<int>(word), question_segment, features[word]);
        put_mark("[SEP]", question_segment);
    }

    static int look_feature(std::string_view word) {
        switch (look_of(word)) {
            case WordLook::date:
                return date_word;
            case WordLook::number:
                return number_word;
            case WordLook::plain:
                break;
        }
        return no_feature;
    }

    /// * [SEP] table : column ( value ) , column , [SEP] table …
    void put_schema() {
        auto item = static_cast<int>(texts_.size());
        put(pieces_.id_of("*"), item++, schema_segment, no_feature);
        put_mark("[SEP]", schema_segment);
        const auto values = values_shown();
        auto column = out_.columns.begin() + 1;
        for (std::size_t at = 0; at < out_.tables.size(); ++at) {
            const auto table_place = static_cast<int>(texts_.size() + out_.columns.size() + at);
            put(table_pieces_[index(out_.tables[at])], table_place, schema_segment, table_name);
            put_mark(":", schema_segment);
            for (; column != out_.columns.end() && schema_.table_of(*column) == out_.tables[at]; ++column)
                put_column(*column, item++, values);
            put_mark("[SEP]", schema_segment);
        }
    }

    using ValuesShown = std::map<ColumnId, std::vector<std::string_view>>;

    [[nodiscard]] ValuesShown values_shown() const {
        ValuesShown values;
        for (const auto& hit : hits_) {
            auto& shown = values[hit.column];
            if (shown.size() < kValuesShown && std::ranges::find(shown, hit.value) == shown.end())
                shown.emplace_back(hit.value);
        }
        return values;
    }

    void put_column(ColumnId id, int item, const ValuesShown& values) {
        const SchemaColumn& column = schema_.columns()[index(id)];
        const int role = column.is_primary ? primary_key : is_key_[index(id)] ? foreign_key : 0;
        const int feature = static_cast<int>(column.kind) + 1 + role;
        const auto& name = column_pieces_[index(id)];
        put(name.empty() ? std::vector{pieces_.id_of("[UNK]")} : name, item, schema_segment, feature);
        if (const auto found = values.find(id); found != values.end())
            for (const auto value : found->second) {
                put(pieces_.id_of("("), item, schema_segment, shown_value);
                put(shown(value), item, schema_segment, shown_value);
                put(pieces_.id_of(")"), item, schema_segment, shown_value);
            }
        put_mark(",", schema_segment);
    }

    const Schema& schema_;
    const WordPiece& pieces_;
    std::vector<bool> is_key_;  ///< by column: a foreign key, or the target of one
    std::vector<std::string_view> texts_;
    std::vector<std::string> stems_;
    std::vector<ValueHit> hits_;
    std::vector<int> likelihood_;  ///< by column
    std::vector<std::vector<int>> column_pieces_;
    std::vector<std::vector<int>> table_pieces_;
    ModelInput out_;
};

}  // namespace

ModelInput model_input(std::string_view question, const std::vector<WordSpan>& words, const Schema& schema,
                       const std::vector<ValueHit>& hits, const WordPiece& pieces) {
    return InputBuilder(question, words, schema, hits, pieces).build();
}

}  // namespace quaestor::native
