#include "native/answer/tracer.hpp"
#include "native/characters.hpp"
#include "native/words.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace quaestor::native {

namespace {

struct CueWords {
    Cue cue;
    std::vector<std::string_view> stems;
};

const std::vector<CueWords>& cue_words() {
    static const std::vector<CueWords> kWords{
        {Cue::counting, {"there",  "here", "row",   "result", "record", "entry",    "entrie", "found",  "match",
                         "matche", "all",  "count", "number", "top",    "first",    "list",   "listed", "share",
                         "tied",   "tie",  "these", "total",  "of",     "returned", "shown"}},
        {Cue::different, {"different", "distinct", "unique"}},
        {Cue::comparing,
         {"more",      "les",       "less",     "fewer",     "higher",  "lower",   "difference", "gap",
          "ahead",     "behind",    "margin",   "than",      "lead",    "rose",    "fell",       "grew",
          "increase",  "increased", "decrease", "decreased", "change",  "changed", "up",         "down",
          "gain",      "gained",    "lost",     "loss",      "dropped", "drop",    "improved",   "growth",
          "declined",  "decline",   "exceed",   "went",      "differ",  "above",   "below",      "edge",
          "outscored", "rise",      "fall",     "between",   "apart",   "older",   "younger",    "taller",
          "shorter",   "longer",    "larger",   "smaller",   "bigger",  "better",  "worse"}},
        {Cue::falling,
         {"fell", "decrease", "decreased", "down", "lost", "loss", "losse", "dropped", "drop", "declined", "decline",
          "minu", "minus", "negative", "deficit", "fall", "below", "behind"}},
        {Cue::multiplying,
         {"time", "ratio", "per", "twice", "double", "triple", "half", "percent", "percentage", "fraction", "a"}},
        {Cue::summing, {"total", "sum", "combined", "together", "altogether", "overall", "all"}},
        {Cue::averaging, {"average", "mean", "avg", "typical", "typically", "averaged", "averaging"}},
        {Cue::sharing, {"share", "of", "percent", "percentage", "account", "accounted", "proportion", "part"}},
        {Cue::extreme,
         {"highest", "lowest",   "most",    "least",    "best",    "worst",    "largest", "smallest", "greatest",
          "fewest",  "maximum",  "minimum", "max",      "min",     "top",      "peak",    "oldest",   "youngest",
          "longest", "shortest", "latest",  "earliest", "biggest", "lead",     "led",     "leader",   "from",
          "range",   "between",  "first",   "last",     "tallest", "heaviest", "record"}},
        {Cue::ranking, {"rank",     "ranked", "ranking", "place",   "placed",   "position", "highest", "lowest",
                        "most",     "best",   "worst",   "largest", "smallest", "greatest", "fewest",  "finish",
                        "finished", "spot",   "came",    "least",   "oldest",   "youngest"}}};
    return kWords;
}

/// A name that would stand for any row, or a word that only looks like one.
bool can_name(const KnownText& text, std::size_t word_count) {
    const bool has_letter = std::ranges::any_of(text.words, [](char c) { return !is_digit(c) && c != ' '; });
    return has_letter && text.words.size() > 1 && (word_count > 1 || !is_stop_word(text.words));
}

std::vector<RowPlace> rows_of(const KnownText& text) {
    std::vector<RowPlace> rows;
    for (const CellPlace& cell : text.cells) rows.push_back({cell.result, cell.row});
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlanks = " *_\t";
    const std::size_t begin = text.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

bool is_spoken_year(const Mark& mark) {
    return mark.kind == Mark::Kind::number && mark.is_bare && mark.end - mark.begin == 4 && mark.value >= 1000 &&
           mark.value < 3000;
}

bool tells_time(const IndexedColumn& column) {
    constexpr auto kStems = std::to_array<std::string_view>({"year", "season", "date", "day", "month", "decade"});
    return !column.days.empty() || std::ranges::any_of(column.stems, [&](const std::string& stem) {
        return std::ranges::find(kStems, stem) != kStems.end();
    });
}

}  // namespace

SentenceContext Tracer::context_of(std::size_t sentence, Rows& shown) const {
    const MarkedSentence& place = answer_.sentences[sentence];
    SentenceContext context{.words = folded_words(answer_.plain, place.begin, place.end)};
    std::vector<std::string> stems;
    for (const FoldedWord& word : context.words) stems.push_back(stem(word.text));
    for (const auto& [cue, words] : cue_words()) {
        const bool is_there = std::ranges::any_of(
            stems, [&words](const std::string& one) { return std::ranges::find(words, one) != words.end(); });
        if (is_there) context.cues.set(static_cast<std::size_t>(cue));
    }
    for (const IndexedColumn& column : index_.columns()) {
        const bool is_mentioned = std::ranges::any_of(column.stems, [&](const std::string& part) {
            return !is_stop_word(part) && std::ranges::find(stems, part) != stems.end();
        });
        if (is_mentioned) context.columns.push_back(&column);
    }
    add_named_texts(sentence, context);
    if (place.kind == MarkedSentence::Kind::table_row) {
        if (place.table_line == 1) shown.clear();
        add_table_row(sentence, shown, context);
    } else {
        add_named_times(sentence, context);
    }
    return context;
}

void Tracer::add_named_texts(std::size_t sentence, SentenceContext& context) const {
    std::vector<std::pair<NamedRows, Rows>> found;
    for (std::size_t at = 0; at < context.words.size(); ++at) {
        std::size_t last = at;
        const KnownText* text = index_.longest_at(context.words, at, last);
        if (text == nullptr || !can_name(*text, last - at + 1)) continue;
        found.push_back(
            {{.begin = context.words[at].begin, .end = context.words[last].end, .cell = text->cells.front()},
             rows_of(*text)});
        at = last;
    }
    for (const Mark& mark : answer_.marks) {
        if (mark.sentence != sentence || mark.kind != Mark::Kind::name) continue;
        const bool is_known = std::ranges::any_of(
            found, [&mark](const auto& one) { return one.first.begin < mark.end && mark.begin < one.first.end; });
        if (is_known) continue;
        std::string key;
        for (const FoldedWord& word : folded_words(answer_.plain, mark.begin, mark.end))
            key += (key.empty() ? "" : " ") + word.text;
        Rows rows;
        const auto texts = index_.containing(key);
        for (const KnownText* text : texts) std::ranges::copy(rows_of(*text), std::back_inserter(rows));
        std::ranges::sort(rows);
        if (!rows.empty())
            found.push_back(
                {{.begin = mark.begin, .end = mark.end, .cell = texts.front()->cells.front()}, std::move(rows)});
    }
    std::ranges::sort(found, {}, [](const auto& one) { return one.first.begin; });
    add_groups(std::move(found), context);
}

void Tracer::add_groups(std::vector<std::pair<NamedRows, Rows>> found, SentenceContext& context) const {
    for (auto& [named, rows] : found) {
        if (rows.size() > kPairRowsMax) continue;
        Rows both;
        if (!context.groups.empty())
            std::ranges::set_intersection(context.groups.back(), rows, std::back_inserter(both));
        if (both.empty()) {
            context.groups.push_back(std::move(rows));
        } else {
            context.groups.back() = std::move(both);
        }
        named.group = context.groups.size() - 1;
        context.named.push_back(named);
    }
    context.rows.clear();
    for (const Rows& group : context.groups) context.rows.insert(context.rows.end(), group.begin(), group.end());
    std::ranges::sort(context.rows);
    context.rows.erase(std::unique(context.rows.begin(), context.rows.end()), context.rows.end());
}

Tracer::Rows Tracer::rows_of_time(const Mark& mark) const {
    Rows rows;
    for (const IndexedColumn& column : index_.columns()) {
        if (!tells_time(column)) continue;
        for (std::size_t row = 0; row < column.days.size(); ++row) {
            const int day = column.days[row];
            const bool is_date = mark.kind == Mark::Kind::date && (mark.year == 0 || day / 10'000 == mark.year) &&
                                 (mark.month == 0 || day / 100 % 100 == mark.month) &&
                                 (mark.day == 0 || day % 100 == mark.day);
            if (day != 0 && (is_date || (is_spoken_year(mark) && day / 10'000 == static_cast<int>(mark.value))))
                rows.push_back({column.result, row});
        }
        const bool is_number = mark.kind == Mark::Kind::number && column.days.empty();
        for (std::size_t row = 0; is_number && row < column.numbers.size(); ++row) {
            if (column.has_number(row) && column.numbers[row] == mark.value) rows.push_back({column.result, row});
        }
    }
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

/// "in 2019", "on May 3, 2023", "in month 5".
void Tracer::add_named_times(std::size_t sentence, SentenceContext& context) const {
    constexpr auto kBefore =
        std::to_array<std::string_view>({"in", "on", "from", "since", "of", "for", "to", "during", "until", "between",
                                         "year", "season", "month", "quarter"});
    std::vector<std::pair<NamedRows, Rows>> found;
    for (const Mark& mark : answer_.marks) {
        if (mark.sentence != sentence) continue;
        const auto behind =
            std::ranges::find_if(context.words, [&mark](const FoldedWord& word) { return word.begin >= mark.begin; });
        if (behind == context.words.begin()) continue;
        const std::string& word = std::prev(behind)->text;
        const bool is_part = mark.is_bare && (word == "month" || word == "quarter" || word == "year");
        if (std::ranges::find(kBefore, word) == kBefore.end()) continue;
        if (mark.kind == Mark::Kind::literal) {
            std::string key;
            for (const FoldedWord& part : folded_words(answer_.plain, mark.begin, mark.end))
                key += (key.empty() ? "" : " ") + part.text;
            Rows rows;
            for (const KnownText* text : index_.containing(key)) {
                if (text->words == key) rows = rows_of(*text);
            }
            if (!rows.empty())
                found.push_back({{.begin = mark.begin, .end = mark.end, .is_time = true}, std::move(rows)});
        } else if (mark.kind == Mark::Kind::date || is_spoken_year(mark) || is_part) {
            Rows rows = rows_of_time(mark);
            if (!rows.empty())
                found.push_back({{.begin = mark.begin, .end = mark.end, .is_time = true}, std::move(rows)});
        }
    }
    add_groups(std::move(found), context);
}

const Tracer::Rows* Tracer::pinned_rows(const Mark& mark, const SentenceContext& context) const {
    constexpr auto kLinks =
        std::to_array<std::string_view>({"", ":", "(", "–", "—", "-", "has", "had", "with", "at", "with a", "scored"});
    constexpr auto kJoiners = std::to_array<std::string_view>({"and", ",", "&", "or", ", and"});
    const NamedRows* name = nullptr;
    const NamedRows* before = nullptr;
    for (const NamedRows& one : context.named) {
        if (one.end > mark.begin || one.is_time) continue;
        before = name;
        name = &one;
    }
    if (name == nullptr) return nullptr;
    const std::string_view plain = answer_.plain;
    if (std::ranges::find(kLinks, trimmed(plain.substr(name->end, mark.begin - name->end))) == kLinks.end())
        return nullptr;
    const bool is_joined =
        before != nullptr && before->end <= name->begin &&
        std::ranges::find(kJoiners, trimmed(plain.substr(before->end, name->begin - before->end))) != kJoiners.end();
    return is_joined ? nullptr : &context.groups[name->group];
}

/// Whether a cell of the line shows the cell of a row.
bool Tracer::shows(const Mark& mark, const IndexedColumn& column, std::size_t row) const {
    if (mark.kind == Mark::Kind::number) return column.has_number(row) && fits(mark, column.numbers[row]);
    if (mark.kind == Mark::Kind::date) {
        return row < column.days.size() && column.days[row] == mark.year * 10'000 + mark.month * 100 + mark.day;
    }
    const data::ResultColumn& cells = index_.results()[column.result]->columns[column.column];
    return column.count == 0 && row < cells.size() && cells.text(row).find(slice(mark)) != std::string::npos;
}

/// The row of a result that a line of a table shows: that to which most of its marks belong.
void Tracer::add_table_row(std::size_t sentence, Rows& shown, SentenceContext& context) const {
    const MarkedSentence& line = answer_.sentences[sentence];
    std::vector<std::pair<const Mark*, std::size_t>> marks;
    for (const Mark& mark : answer_.marks) {
        if (mark.sentence != sentence) continue;
        const auto behind = std::ranges::upper_bound(line.cell_begins, mark.begin);
        marks.emplace_back(&mark, static_cast<std::size_t>(behind - line.cell_begins.begin()) - 1);
    }
    Rows candidates;
    if (!context.groups.empty()) candidates = context.groups.front();
    for (std::size_t result = 0; candidates.empty() && result < index_.results().size(); ++result) {
        const std::size_t rows = std::min(index_.results()[result]->row_count, 5 * kPairRowsMax);
        for (std::size_t row = 0; row < rows; ++row) candidates.push_back({result, row});
    }
    std::optional<RowPlace> best;
    std::ptrdiff_t most = -1;
    for (const RowPlace& row : candidates) {
        if (std::ranges::find(shown, row) != shown.end()) continue;
        const auto columns = index_.columns_of(row.result);
        const auto matches = std::ranges::count_if(marks, [&](const auto& one) {
            return one.second < columns.size() && shows(*one.first, columns[one.second], row.row);
        });
        if (matches <= most) continue;
        most = matches;
        best = row;
        if (static_cast<std::size_t>(most) == marks.size()) break;
    }
    if (!best) best = candidates.empty() ? RowPlace{} : candidates.front();
    if (candidates.empty()) return;
    shown.push_back(*best);
    context.groups = {{*best}};
    context.rows = {*best};
    for (NamedRows& named : context.named) named.group = 0;
}

}  // namespace quaestor::native
