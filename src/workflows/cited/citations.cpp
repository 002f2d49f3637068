#include "workflows/cited/citations.hpp"

#include "base/text.hpp"
#include "native/answer/grounding.hpp"
#include "native/answer/subjects.hpp"
#include "retrieval/sentences.hpp"
#include "retrieval/terms.hpp"
#include "workflows/cited/nodes.hpp"
#include "workflows/cited/searching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <span>

namespace quaestor::workflows::cited {

namespace {

using native::Direction;
using retrieval::ChunkResult;

constexpr std::size_t kSentencesMax = 200;
constexpr std::size_t kCitationsPerSentence = 8;
/// Share of a sentence's words that its passage must have, unless it is near in meaning and has at least the lower one.
constexpr double kWordsEnough = 0.7;
constexpr double kWordsLeast = 0.4;
constexpr double kMeaningEnough = 0.6;
/// A passage that was not cited must say it more clearly.
constexpr double kWordsElsewhere = 0.8;
/// A sentence of fewer words claims nothing: "Yes."
constexpr std::size_t kClaimTermsMin = 2;

struct Marks {
    std::vector<std::int64_t> numbers;
    std::size_t end = 0;
};

/// "[1]", "[1][2]" or "[1, 2]" at a place; nothing else in brackets.
std::optional<Marks> marks_at(std::string_view text, std::size_t at) {
    Marks marks;
    std::size_t next = at;
    while (next < text.size() && text[next] == '[') {
        const std::size_t close = text.find(']', next);
        if (close == std::string_view::npos) break;
        std::vector<std::int64_t> numbers;
        bool is_list = true;
        for (std::size_t begin = next + 1; begin <= close && is_list;) {
            const std::size_t end = std::min(text.find(',', begin), close);
            const auto item = text::trim(text.substr(begin, end - begin));
            std::int64_t number = 0;
            const auto [stop, problem] = std::from_chars(item.data(), item.data() + item.size(), number);
            is_list = problem == std::errc() && stop == item.data() + item.size() && number > 0;
            numbers.push_back(number);
            begin = end + 1;
        }
        if (!is_list) break;
        marks.numbers.insert(marks.numbers.end(), numbers.begin(), numbers.end());
        next = marks.end = close + 1;
        while (next < text.size() && text[next] == ' ' && next + 1 < text.size() && text[next + 1] == '[') ++next;
    }
    if (marks.numbers.empty()) return std::nullopt;
    return marks;
}

void add_numbers(std::vector<std::int64_t>& there, const std::vector<std::int64_t>& more) {
    for (const auto number : more) {
        const bool is_known = std::ranges::find(there, number) != there.end();
        if (!is_known && there.size() < kCitationsPerSentence) there.push_back(number);
    }
}

/// Takes the marks out of a piece of an answer; those before its first word belong to the sentence before.
CitedSentence without_marks(std::string_view piece, CitedSentence* before) {
    CitedSentence sentence;
    for (std::size_t at = 0; at < piece.size();) {
        const bool is_escaped = at > 0 && piece[at - 1] == '\\';
        const auto marks = is_escaped ? std::nullopt : marks_at(piece, at);
        if (!marks) {
            sentence.text += piece[at++];
            continue;
        }
        const bool is_leading = text::trim(sentence.text).empty() && before != nullptr;
        add_numbers(is_leading ? before->passages : sentence.passages, marks->numbers);
        while (sentence.text.ends_with(' ')) sentence.text.pop_back();
        at = marks->end;
    }
    sentence.text = std::string(text::trim(sentence.text));
    return sentence;
}

void add_line(std::string_view line, std::vector<CitedSentence>& out) {
    const std::size_t first = out.size();
    const bool is_whole = text::trim(line).starts_with('|');
    std::vector<retrieval::Span> spans{{0, line.size()}};
    if (!is_whole) spans = retrieval::sentences_of(line);
    for (const auto& span : spans) {
        if (out.size() >= kSentencesMax) return;
        CitedSentence sentence = without_marks(span.of(line), out.size() > first ? &out.back() : nullptr);
        if (sentence.text.empty()) continue;
        sentence.ending = " ";
        out.push_back(std::move(sentence));
    }
    if (out.size() > first) out.back().ending = "\n";
}

/// What a passage says, with what its document says about it.
std::string evidence_text(const ChunkResult& chunk) {
    return native::with_decimals(context_of_chunk(chunk) + "\n" + chunk.text);
}

std::string excerpt_of(std::string_view text) {
    std::string excerpt;
    for (const char c : text) {
        const bool is_space = c == ' ' || c == '\n' || c == '\t';
        if (!is_space || (!excerpt.empty() && excerpt.back() != ' ')) excerpt += is_space ? ' ' : c;
    }
    return text::shorten(excerpt, kExcerptLength);
}

/// The heads of tables, which claim nothing.
bool is_table_frame(const CitedSentence& sentence, const CitedSentence* next) {
    const auto is_rule = [](std::string_view text) {
        return text.starts_with('|') && text.find_first_not_of(" |:-") == std::string_view::npos;
    };
    return is_rule(sentence.text) || (next != nullptr && sentence.text.starts_with('|') && is_rule(next->text));
}

class Validation {
public:
    Validation(const Librarian& librarian, const std::vector<ChunkResult>& chunks, CancelToken cancel)
        : librarian_(librarian), chunks_(chunks), cancel_(std::move(cancel)) {
        for (const auto& chunk : chunks) texts_.push_back(evidence_text(chunk));
    }

    Task<Result<ValidatedAnswer>> run(std::string draft) {
        const auto sentences = cited_sentences(draft);
        ValidatedAnswer out;
        for (std::size_t at = 0; at < sentences.size(); ++at) {
            const CitedSentence& sentence = sentences[at];
            const bool is_frame = is_table_frame(sentence, at + 1 < sentences.size() ? &sentences[at + 1] : nullptr);
            if (is_frame || claims_nothing(sentence) || introduces(sentences, at)) {
                out.answer += sentence.text + sentence.ending;
                continue;
            }
            ++out.checked;
            auto supporting = co_await supporting_passages(sentence);
            if (!supporting) co_return fail(supporting.error());
            if (supporting->empty()) {
                out.left_out.push_back(sentence.text);
                if (sentence.ending == "\n" && out.answer.ends_with(' ')) out.answer.back() = '\n';
                continue;
            }
            out.answer += with_marks(sentence, *supporting, out.citations) + sentence.ending;
        }
        out.answer = std::string(text::trim(out.answer));
        if (out.citations.empty()) out.answer.clear();
        co_return out;
    }

private:
    [[nodiscard]] bool claims_nothing(const CitedSentence& sentence) const {
        return sentence.passages.empty() && retrieval::terms_of(sentence.text).size() < kClaimTermsMin;
    }

    /// "That is not what the documents say:", "3 times:" before as many sentences.
    [[nodiscard]] static bool introduces(const std::vector<CitedSentence>& sentences, std::size_t at) {
        constexpr std::size_t kIntroductionWordsMax = 12;
        const CitedSentence& sentence = sentences[at];
        const auto words = text::words(sentence.text);
        if (!sentence.text.ends_with(':') || !sentence.passages.empty() || words.size() > kIntroductionWordsMax) {
            return false;
        }
        const auto claims = native::check_grounding(sentence.text, {}).untraced();
        const auto following =
            std::ranges::count_if(sentences.begin() + static_cast<std::ptrdiff_t>(at) + 1, sentences.end(),
                                  [](const auto& one) { return !one.passages.empty(); });
        if (claims.empty() || (claims.size() == 1 && words.front() == std::to_string(following))) return true;
        return is_difference(sentence.text, std::span(sentences).subspan(at + 1));
    }

    /// "By 75 basis points:" before two sentences whose ranges are so far apart.
    [[nodiscard]] static bool is_difference(std::string_view text, std::span<const CitedSentence> following) {
        const auto points = native::basis_points_in(text);
        std::vector<double> lows;
        for (const auto& sentence : following) {
            if (const auto decision = native::range_decision_in(sentence.text)) lows.push_back(decision->low);
        }
        return points && lows.size() == 2 && std::lround(std::abs(lows[1] - lows[0]) * 100) == *points;
    }

    /// Those cited that support it; else one that was not cited and clearly does, of the day that was.
    Task<Result<std::vector<std::size_t>>> supporting_passages(const CitedSentence& sentence) {
        std::vector<std::size_t> supporting;
        std::optional<std::string> day;
        for (const auto number : sentence.passages) {
            if (number > static_cast<std::int64_t>(chunks_.size())) continue;
            const auto at = static_cast<std::size_t>(number - 1);
            day = chunks_[at].date;
            const auto is_supported = co_await supports(at, sentence.text);
            if (!is_supported) co_return fail(is_supported.error());
            if (*is_supported) supporting.push_back(at);
        }
        if (!supporting.empty()) co_return supporting;
        double most = kWordsElsewhere;
        for (std::size_t at = 0; at < chunks_.size(); ++at) {
            const double words = librarian_.extractor().support(native::with_decimals(sentence.text), texts_[at]);
            if (day && chunks_[at].date != *day) continue;
            if (words < most || !is_said_at_once(at, sentence.text) || contradicts(at, sentence.text)) continue;
            if (words > most || supporting.empty()) supporting = {at};
            most = words;
        }
        co_return supporting;
    }

    Task<Result<bool>> supports(std::size_t at, std::string_view sentence) {
        if (!is_grounded(at, sentence) || contradicts(at, sentence)) co_return false;
        const double words = librarian_.extractor().support(native::with_decimals(sentence), texts_[at]);
        if (words >= kWordsEnough) co_return true;
        if (words < kWordsLeast) co_return false;
        const auto best = best_sentence(at, sentence);
        const auto vectors = co_await librarian_.embedder().embed(
            {std::string(sentence), std::string(best.of(chunks_[at].text))}, cancel_);
        if (!vectors) co_return fail(vectors.error());
        co_return static_cast<double>(llm::cosine((*vectors)[0], (*vectors)[1])) >= kMeaningEnough;
    }

    [[nodiscard]] bool is_grounded(std::size_t at, std::string_view sentence) const {
        native::Evidence evidence;
        evidence.passages = {texts_[at]};
        return native::check_grounding(native::with_decimals(sentence), evidence).untraced().empty();
    }

    /// All its numbers and names stand in one sentence of the passage, and not here one and there one.
    [[nodiscard]] bool is_said_at_once(std::size_t at, std::string_view sentence) const {
        const std::string said = native::with_decimals(context_of_chunk(chunks_[at]) + "\n" +
                                                       std::string(best_sentence(at, sentence).of(chunks_[at].text)));
        native::Evidence evidence;
        evidence.passages = {said};
        return native::check_grounding(native::with_decimals(sentence), evidence).untraced().empty();
    }

    /// Says that something went up where the passage says that it went down.
    [[nodiscard]] bool contradicts(std::size_t at, std::string_view sentence) const {
        const auto& extractor = librarian_.extractor();
        const auto claim = extractor.read(sentence);
        const Direction claimed = extractor.direction_in(claim, sentence);
        const Direction said = extractor.direction_in(claim, best_sentence(at, sentence).of(chunks_[at].text));
        return claimed != Direction::none && said != Direction::none && claimed != said;
    }

    /// The place in a passage that says most of a sentence.
    [[nodiscard]] retrieval::Span best_sentence(std::size_t at, std::string_view claim) const {
        const std::string& text = chunks_[at].text;
        retrieval::Span best{0, text.size()};
        double most = -1;
        for (const auto& span : retrieval::sentences_of(text)) {
            const double words =
                librarian_.extractor().support(native::with_decimals(claim), native::with_decimals(span.of(text)));
            if (words > most) best = span;
            most = std::max(most, words);
        }
        return best;
    }

    std::string with_marks(const CitedSentence& sentence, const std::vector<std::size_t>& passages,
                           std::vector<Citation>& citations) {
        std::string marks;
        for (const std::size_t at : passages) {
            const auto known = numbers_.try_emplace(at, static_cast<std::int64_t>(numbers_.size()) + 1);
            if (known.second) citations.push_back(citation_for(at, known.first->second, sentence.text));
            marks += fmt::format("[{}]", known.first->second);
        }
        // Inside the last cell of a row.
        const bool is_row = sentence.text.starts_with('|') && sentence.text.ends_with('|');
        if (!is_row) return sentence.text + " " + marks;
        std::string row(text::trim(std::string_view(sentence.text).substr(0, sentence.text.size() - 1)));
        return row + " " + marks + " |";
    }

    [[nodiscard]] Citation citation_for(std::size_t at, std::int64_t number, std::string_view sentence) const {
        const ChunkResult& chunk = chunks_[at];
        const auto place = best_sentence(at, sentence);
        return {.n = number,
                .document = chunk.document,
                .date = chunk.date,
                .section = chunk.section,
                .chunk_id = chunk.chunk_id,
                .start = static_cast<std::int64_t>(chunk.start + place.begin),
                .end = static_cast<std::int64_t>(chunk.start + place.end),
                .excerpt = excerpt_of(place.of(chunk.text)),
                .score = chunk.score};
    }

    const Librarian& librarian_;
    const std::vector<ChunkResult>& chunks_;
    CancelToken cancel_;
    std::vector<std::string> texts_;
    std::map<std::size_t, std::int64_t> numbers_;
};

}  // namespace

std::vector<CitedSentence> cited_sentences(std::string_view answer) {
    std::vector<CitedSentence> sentences;
    for (const auto& line : text::lines(answer)) {
        if (text::trim(line).empty()) {
            if (!sentences.empty()) sentences.back().ending = "\n\n";
        } else {
            add_line(line, sentences);
        }
    }
    return sentences;
}

Task<Result<ValidatedAnswer>> validate(const Librarian& librarian, std::string draft, std::vector<ChunkResult> chunks,
                                       CancelToken cancel) {
    Validation validation(librarian, chunks, std::move(cancel));
    co_return co_await validation.run(std::move(draft));
}

Node validate_citations(Librarian& librarian, const State& state, graph::Context& context) {
    auto validated = co_await validate(librarian, state.draft, state.retrieved_chunks, context.cancel());
    if (!validated) co_return validated.error();
    graph::Update<State> update;
    update.set<&State::answer>(std::move(validated->answer)).set<&State::citations>(std::move(validated->citations));
    co_return update.set<&State::left_out>(std::move(validated->left_out)).set<&State::checked>(validated->checked);
}

}  // namespace quaestor::workflows::cited
