#include "native/beam_search.hpp"
#include "native/model/tiny_model.hpp"
#include "native/text2sql_network.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <thread>

namespace quaestor::native {
namespace {

using Branch = Text2SqlNetwork::Branch;

std::vector<FormCandidate> propose(Text2SqlModel& model, const ModelInput& input, std::size_t beam = 8) {
    auto found = model.propose(input, TinyModel::schema(), beam);
    EXPECT_TRUE(found) << found.error().describe();
    return found.value_or(std::vector<FormCandidate>());
}

void expect_same(const std::vector<FormCandidate>& left, const std::vector<FormCandidate>& right) {
    ASSERT_EQ(left.size(), right.size());
    for (std::size_t at = 0; at < left.size(); ++at) {
        EXPECT_EQ(left[at].score, right[at].score);
        EXPECT_EQ(left[at].tokens, right[at].tokens);
    }
}

TEST(Text2SqlModel, ProposesFormsOfTheGrammarBestFirst) {
    TinyModel tiny;
    const auto model = tiny.open();
    for (unsigned seed = 1; seed <= 5; ++seed) {
        const ModelInput input = TinyModel::input(seed);
        const auto found = propose(*model, input);
        ASSERT_FALSE(found.empty());
        EXPECT_LE(found.size(), 8U);
        for (std::size_t at = 0; at < found.size(); ++at) {
            if (at > 0) EXPECT_GE(found[at - 1].score, found[at].score);
            GrammarState state;
            for (const FormToken& token : found[at].tokens) ASSERT_TRUE(state.step(token));
            EXPECT_TRUE(state.is_complete());
        }
    }
}

TEST(Text2SqlModel, PointsOnlyToWhatTheInputHas) {
    TinyModel tiny;
    const auto model = tiny.open();
    const int via = keyword_id("VIA");
    const int unknown = keyword_id("V:UNK");
    for (unsigned seed = 1; seed <= 10; ++seed) {
        const ModelInput input = TinyModel::input(seed);
        for (const FormCandidate& candidate : propose(*model, input, 32)) {
            FormToken before;
            for (const FormToken& token : candidate.tokens) {
                EXPECT_NE(token, (FormToken{FormToken::Kind::keyword, unknown}));
                if (before == FormToken{FormToken::Kind::keyword, via}) {
                    EXPECT_EQ(token, (FormToken{FormToken::Kind::column, 5}));
                }
                if (token.kind == FormToken::Kind::column) EXPECT_THAT(input.columns, testing::Contains(token.value));
                if (token.kind == FormToken::Kind::table) EXPECT_THAT(input.tables, testing::Contains(token.value));
                if (token.kind == FormToken::Kind::word) EXPECT_LT(token.value, 7);
                if (token.kind == FormToken::Kind::word && before.kind == token.kind) {
                    EXPECT_GE(token.value, before.value) << "a value ends before it begins";
                }
                before = token;
            }
        }
    }
}

/// The allowed token with the highest logit, one after another.
TEST(Text2SqlModel, ABeamOfOneIsGreedy) {
    TinyModel tiny;
    const auto model = tiny.open();
    const ModelInput input = TinyModel::input();
    const auto found = propose(*model, input, 1);
    ASSERT_EQ(found.size(), 1U);
    std::vector<FormToken> before;
    GrammarState state;
    double score = 0;
    for (const FormToken& chosen : found.front().tokens) {
        const auto logits = model->next_logits(input, before);
        ASSERT_TRUE(logits);
        double sum = 0;
        double best = -1e9;
        double of_chosen = 0;
        for (std::size_t number = 0; number < logits->size(); ++number) {
            const bool is_word_before = !before.empty() && before.back().kind == FormToken::Kind::word;
            FormToken token{FormToken::Kind::keyword, static_cast<int>(number)};
            if (number >= kFormKeywords + 11) {
                token = {FormToken::Kind::table, input.tables[number - kFormKeywords - 11]};
            } else if (number >= kFormKeywords + 7) {
                token = {FormToken::Kind::column, input.columns[number - kFormKeywords - 7]};
            } else if (number >= kFormKeywords) {
                token = {FormToken::Kind::word, static_cast<int>(number - kFormKeywords)};
            }
            if (token == FormToken{FormToken::Kind::keyword, keyword_id("V:UNK")}) continue;
            if (state.allowed().keys && token != FormToken{FormToken::Kind::column, 5}) continue;
            if (state.allowed().word_ends && is_word_before && token.value < before.back().value) continue;
            if (GrammarState probe = state; !probe.step(token)) continue;
            const double logit = (*logits)[number];
            sum += std::exp(logit);
            best = std::max(best, logit);
            if (token == chosen) of_chosen = logit;
        }
        EXPECT_EQ(of_chosen, best);
        score += of_chosen - std::log(sum);
        ASSERT_TRUE(state.step(chosen));
        before.push_back(chosen);
    }
    EXPECT_NEAR(found.front().score, score, 1e-4);
}

TEST(BeamSearch, SetsNoColumnAgainstItself) {
    constexpr std::size_t kFirst = kFormKeywords + 3;
    constexpr std::size_t kSecond = kFormKeywords + 4;
    const auto is_left_out = [](const std::vector<std::string>& words) {
        std::vector<std::size_t> tokens;
        for (const std::string& word : words) {
            tokens.push_back(word == "first"    ? kFirst
                             : word == "second" ? kSecond
                                                : static_cast<std::size_t>(keyword_id(word)));
        }
        const std::size_t last = tokens.back();
        tokens.pop_back();
        return is_idle(tokens, last);
    };
    EXPECT_TRUE(is_left_out({"WHERE", "first", ">", "first"}));
    EXPECT_TRUE(is_left_out({"SELECT", "SUM", "OPEN", "first", "MUL", "first"}));
    EXPECT_TRUE(is_left_out({"SELECT", "SUM", "first", "/", "SUM", "first"}));
    EXPECT_FALSE(is_left_out({"WHERE", "first", ">", "second"}));
    EXPECT_FALSE(is_left_out({"SELECT", "first", "first"}));
    EXPECT_FALSE(is_left_out({"SELECT", "MAX", "first", "-", "MIN", "first"}));
    EXPECT_FALSE(is_left_out({"SELECT", "SUM", "first", "FILTER", "second", "=", "V:1", "CLOSE", "/", "SUM", "first"}));
    EXPECT_FALSE(is_left_out({"WHERE", "VIA", "second", "first", "=", "first"})) << "another row of the same table";
}

TEST(Text2SqlModel, ResultsDoNotDependOnThreads) {
    TinyModel tiny;
    const auto alone = tiny.open(1);
    const auto together = tiny.open(4);
    for (unsigned seed = 1; seed <= 3; ++seed) {
        expect_same(propose(*alone, TinyModel::input(seed)), propose(*together, TinyModel::input(seed)));
    }
}

TEST(Text2SqlModel, ServesCallersOfManyThreads) {
    TinyModel tiny;
    const auto model = tiny.open();
    std::vector<std::vector<FormCandidate>> expected;
    for (unsigned seed = 0; seed < 4; ++seed) expected.push_back(propose(*model, TinyModel::input(seed)));
    std::vector<std::vector<FormCandidate>> found(expected.size());
    {
        std::vector<std::jthread> callers;
        for (unsigned seed = 0; seed < 4; ++seed) {
            callers.emplace_back([&, seed] { found[seed] = propose(*model, TinyModel::input(seed)); });
        }
    }
    for (std::size_t at = 0; at < expected.size(); ++at) expect_same(found[at], expected[at]);
}

TEST(Text2SqlModel, SharesTheWeightsOfOneFile) {
    TinyModel tiny;
    const std::string path = tiny.write();
    const auto first = Text2SqlWeights::load(path);
    const auto second = Text2SqlWeights::load(path);
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->get(), second->get());
}

TEST(Text2SqlModel, StopsWhenCancelled) {
    TinyModel tiny;
    const auto model = tiny.open();
    CancelSource source;
    source.cancel(CancelReason::user_request);
    const auto found = model->propose(TinyModel::input(), TinyModel::schema(), 8, source.token());
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, Code::cancelled);
    EXPECT_FALSE(propose(*model, TinyModel::input()).empty()) << "the next question is answered";
}

TEST(Text2SqlNetwork, BranchesTogetherAreThoseOneByOne) {
    TinyModel tiny;
    const auto weights = Text2SqlWeights::load(tiny.write());
    ASSERT_TRUE(weights);
    Text2SqlNetwork together(*weights, 2);
    Text2SqlNetwork alone(*weights, 1);
    const ModelInput input = TinyModel::input();
    ASSERT_TRUE(together.read(input, {}));
    const std::size_t root = together.extend(std::array{Branch{.token = 1}});
    const std::size_t first = together.extend(std::array{Branch{root, 2}, Branch{root, kFormKeywords + 3},
                                                         Branch{root, 40}, Branch{root, 7}, Branch{root, 9}});
    together.extend(std::array{Branch{first + 4, 5}, Branch{first, 6}, Branch{first + 1, kFormKeywords + 12}});
    const std::vector<std::vector<std::size_t>> paths{{1, 9, 5}, {1, 2, 6}, {1, kFormKeywords + 3, kFormKeywords + 12}};
    for (std::size_t at = 0; at < paths.size(); ++at) {
        ASSERT_TRUE(alone.read(input, {}));
        std::size_t place = Text2SqlNetwork::kRoot;
        for (const std::size_t token : paths[at]) place = alone.extend(std::array{Branch{place, token}});
        EXPECT_THAT(together.logits(at), testing::Pointwise(testing::FloatEq(), alone.logits(0)));
    }
}

TEST(Text2SqlNetwork, RefusesInputsThatDoNotFit) {
    TinyModel tiny;
    const auto model = tiny.open();
    const auto code_of = [&](auto spoil) {
        ModelInput input = TinyModel::input();
        spoil(input);
        const auto found = model->propose(input, TinyModel::schema());
        return found ? Code::internal : found.error().code;
    };
    EXPECT_EQ(code_of([](ModelInput& input) { input.ids[3] = 12; }), Code::invalid_argument);
    EXPECT_EQ(code_of([](ModelInput& input) { input.ids[3] = -1; }), Code::invalid_argument);
    EXPECT_EQ(code_of([](ModelInput& input) { input.items[0] = 13; }), Code::invalid_argument);
    EXPECT_EQ(code_of([](ModelInput& input) { input.features.pop_back(); }), Code::invalid_argument);
    EXPECT_EQ(code_of([](ModelInput& input) { input.relations[5] = 9; }), Code::invalid_argument);
    EXPECT_EQ(code_of([](ModelInput& input) { input.tables.pop_back(); }), Code::invalid_argument);
    EXPECT_EQ(code_of([](ModelInput& input) { input = {}; }), Code::invalid_argument);
    EXPECT_EQ(code_of([](ModelInput& input) {
                  for (auto* array : {&input.ids, &input.items, &input.segments, &input.features}) array->resize(41);
              }),
              Code::limit_exceeded);
}

Code code_of_opening(const std::string& path) {
    const auto opened = Text2SqlModel::open(path);
    if (opened) return Code::internal;
    EXPECT_THAT(opened.error().message, testing::HasSubstr(path));
    EXPECT_FALSE(opened.error().hint.empty());
    return opened.error().code;
}

TEST(Text2SqlFile, ThatIsNotThereIsSaidToBeMissing) {
    EXPECT_EQ(code_of_opening("/no/such/text2sql.gguf"), Code::not_found);
}

TEST(Text2SqlFile, OfAnotherKindIsCorrupt) {
    TinyModel tiny;
    EXPECT_EQ(code_of_opening(tiny.write({.architecture = "llama"})), Code::corrupt);
    EXPECT_EQ(code_of_opening(std::filesystem::temp_directory_path()), Code::corrupt);
    const std::string path = tiny.write();
    std::ofstream(path) << "CREATE TABLE";
    EXPECT_EQ(code_of_opening(path), Code::corrupt);
    std::ofstream(path, std::ios::trunc).flush();
    EXPECT_EQ(code_of_opening(path), Code::corrupt);
}

TEST(Text2SqlFile, CutShortAnywhereIsCorrupt) {
    TinyModel tiny;
    const std::string path = tiny.write();
    for (auto size = std::filesystem::file_size(path) - 64; size > 0; size = size * 2 / 3) {
        std::filesystem::resize_file(path, size);
        EXPECT_EQ(code_of_opening(path), Code::corrupt) << size;
    }
}

TEST(Text2SqlFile, ThatIsDamagedIsFoundByItsChecksum) {
    TinyModel tiny;
    EXPECT_EQ(code_of_opening(tiny.write({.has_right_sum = false})), Code::corrupt);
    EXPECT_EQ(code_of_opening(tiny.write({.left_out = "decoder.1.norm3.bias"})), Code::corrupt);
}

TEST(Text2SqlFile, OfAnotherVersionIsUnsupported) {
    TinyModel tiny;
    EXPECT_EQ(code_of_opening(tiny.write({.format = 2})), Code::unsupported);
    TinyFile other;
    other.keywords.back() = "V:OTHER";
    EXPECT_EQ(code_of_opening(tiny.write(other)), Code::unsupported);
}

}  // namespace
}  // namespace quaestor::native
