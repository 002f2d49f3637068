#include "base/task.hpp"
#include "kit.hpp"
#include "llm/llama/llama.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

namespace quaestor::retrieval {
namespace {

struct Note {
    const char* name;
    const char* text;
};

constexpr std::array kNotes{
    Note{"bread.txt",
         "Mix flour, water, salt and yeast, and knead the dough for ten minutes. Let it rise in a warm place "
         "until it has doubled. Bake it at 220 degrees until the crust is brown."},
    Note{"bicycle.txt",
         "A chain that is dry wears out quickly. Clean it with a brush, dry it with a cloth and put a drop "
         "of oil on every link. Wipe off what is too much."},
    Note{"whales.txt",
         "Blue whales are the largest animals that have ever lived. They eat krill, which they filter from "
         "the sea, and can weigh more than 150 tonnes."},
    Note{"volcano.txt",
         "When magma reaches the surface it is called lava. An eruption can be quiet, with streams of lava, "
         "or explosive, with ash that rises many kilometres."},
    Note{"orchestra.txt",
         "A symphony orchestra has strings, woodwinds, brass and percussion. The conductor gives the tempo "
         "and shapes the sound of the whole."},
    Note{"vaccine.txt",
         "A vaccine shows the immune system a harmless part of a germ. The body makes antibodies and "
         "remembers them, so that a later infection is fought quickly."},
    Note{"statement_2022-03-16.txt",
         "The Committee decided to raise the target range for the federal funds rate to 1/4 to "
         "1/2 percent and anticipates that ongoing increases will be appropriate."},
    Note{"statement_2020-03-15.txt",
         "The Committee decided to lower the target range for the federal funds rate to 0 to "
         "1/4 percent. The effects of the coronavirus will weigh on economic activity."},
    Note{"statement_2023-07-26.txt",
         "The Committee decided to raise the target range for the federal funds rate to 5-1/4 to "
         "5-1/2 percent. Inflation remains elevated. Job gains have been robust."}};

struct Question {
    const char* text;
    const char* document;  ///< empty: none of them says
};

constexpr std::array kQuestions{
    Question{"How hot must the oven be for a loaf?", "bread.txt"},
    Question{"How do I maintain my bike's drivetrain?", "bicycle.txt"},
    Question{"What do the biggest creatures of the ocean feed on?", "whales.txt"},
    Question{"What is molten rock called above ground?", "volcano.txt"},
    Question{"Who leads the musicians in a concert?", "orchestra.txt"},
    Question{"How does immunisation protect people from disease?", "vaccine.txt"},
    Question{"When did interest rates go up to between 5.25 and 5.50?", "statement_2023-07-26.txt"},
    Question{"What did the Fed do when the pandemic began?", "statement_2020-03-15.txt"},
    Question{"What was decided in March 2022?", "statement_2022-03-16.txt"},
    Question{"Who won the football world cup in 1974?", ""},
    Question{"What does a new laptop cost?", ""},
    Question{"Which river flows through Vienna?", ""}};

/// With the bundled model, which knows meanings: the questions share few words with the texts.
TEST(SearchQuality, TheDocumentThatAnswersComesFirstAndOthersAreUnlikely) {
    CorpusFolder folder;
    for (const Note& note : kNotes) folder.write(note.name, note.text);
    const auto path = llm::bundled_embedder_path();
    ASSERT_TRUE(path.has_value()) << path.error().message;
    const auto embedder = llm::open_llama_embedder({.path = *path});
    ASSERT_TRUE(embedder.has_value()) << embedder.error().message;
    const auto report = run_to_end(ingest({folder.files()}, folder.corpus(), **embedder));
    ASSERT_TRUE(report.has_value()) << report.error().message;
    const auto corpus = folder.open();
    double best_unanswerable = 0;
    double worst_answerable = 1;
    std::size_t first = 0;
    for (const Question& question : kQuestions) {
        const auto found = run_to_end(search(*corpus, **embedder, {.query = question.text, .filter = {}}));
        ASSERT_TRUE(found.has_value()) << found.error().message;
        const ChunkResult& best = found->chunks.front();
        if (*question.document == '\0') {
            best_unanswerable = std::max(best_unanswerable, best.score);
            continue;
        }
        first += best.document == question.document ? 1 : 0;
        worst_answerable = std::min(worst_answerable, best.score);
        RecordProperty(question.text, fmt::format("{} {:.2f}", best.document, best.score));
    }
    EXPECT_GE(first, 8U) << "of 9";
    EXPECT_LT(best_unanswerable, worst_answerable);
}

/// The end of a chunk that is longer than the model sees is found as well as its beginning.
TEST(SearchQuality, TheEndOfALongChunkIsFound) {
    CorpusFolder folder;
    std::string filler;
    for (int i = 0; i < 40; ++i)
        filler += "The meeting went on with reports from the regions about harvests and roads. ";
    folder.write("long.txt", filler + "Whales swim through the ocean and eat krill.");
    folder.write("short.txt", "The council talked about harvests, roads and regions in several reports.");
    const auto embedder = llm::open_llama_embedder({.path = llm::bundled_embedder_path().value()});
    ASSERT_TRUE(embedder.has_value());
    EXPECT_LE((*embedder)->text_tokens(), 510U);
    EXPECT_EQ((*embedder)->count_tokens("the whales swim"), 3U);
    ASSERT_TRUE(run_to_end(ingest({folder.files()}, folder.corpus(), **embedder)).has_value());
    const auto corpus = folder.open();
    EXPECT_GT(corpus->size().vectors, corpus->size().chunks);
    const auto found =
        run_to_end(search(*corpus, **embedder, {.query = "marine mammals and their food", .filter = {}}));
    EXPECT_EQ(found->chunks.front().document, "long.txt");
    EXPECT_GT(found->chunks.front().features.dense, 0.2);
}

}  // namespace
}  // namespace quaestor::retrieval
