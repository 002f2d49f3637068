#include "kit.hpp"
#include "retrieval/corpus_writer.hpp"
#include "retrieval/files.hpp"
#include "retrieval/manifest.hpp"
#include "retrieval/segment.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace quaestor::retrieval {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string bytes_of_file(const fs::path& file) {
    std::ostringstream out;
    out << std::ifstream(file, std::ios::binary).rdbuf();
    return out.str();
}

void write_bytes(const fs::path& file, std::string_view bytes) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

class CorpusTest : public testing::Test {
protected:
    CorpusTest() {
        for (int i = 0; i < 12; ++i) {
            folder_.write(fmt::format("note_{:02}.txt", i),
                          fmt::format("Note {} is about apples. It says that the number is {}.", i, 1000 + i));
        }
        EXPECT_TRUE(folder_.ingest().has_value());
    }
    [[nodiscard]] fs::path segment_file() const {
        for (const auto& entry : fs::directory_iterator(folder_.corpus())) {
            if (entry.path().extension() == ".index") return entry.path();
        }
        throw std::runtime_error("no segment");
    }
    CorpusFolder folder_;
};

TEST_F(CorpusTest, OpensWithItsDocumentsAndTheirTexts) {
    const auto corpus = folder_.open();
    EXPECT_EQ(corpus->size().documents, 12U);
    EXPECT_EQ(corpus->size().chunks, 12U);
    EXPECT_EQ(corpus->embedder(), "hashing");
    const auto documents = corpus->documents();
    ASSERT_EQ(documents.size(), 12U);
    EXPECT_EQ(documents[3].name, "note_03.txt");
    EXPECT_EQ(corpus->text_of("note_03.txt").value(), "Note 3 is about apples. It says that the number is 1003.");
    EXPECT_EQ(corpus->text_of("none.txt").error().code, Code::not_found);
}

TEST_F(CorpusTest, OneThatIsNotThereSaysHowToMakeIt) {
    const auto corpus = Corpus::open(folder_.files() / "nowhere");
    ASSERT_FALSE(corpus.has_value());
    EXPECT_EQ(corpus.error().code, Code::not_found);
    EXPECT_THAT(corpus.error().hint, HasSubstr("quaestor ingest"));
}

TEST_F(CorpusTest, AnyFlippedByteOfTheIndexIsSeenOrHarmless) {
    const fs::path file = segment_file();
    const std::string good = bytes_of_file(file);
    std::size_t seen = 0;
    std::size_t looked = 0;
    for (std::size_t at = 0; at < good.size(); at += 61) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 0x10);
        write_bytes(file, bad);
        ++looked;
        const auto corpus = Corpus::open(folder_.corpus());
        if (corpus) {
            // Between the parts, or in a text, which is checked when it is read.
            for (const auto& document : (*corpus)->documents()) {
                const auto text = (*corpus)->text_of(document.name);
                if (!text) EXPECT_EQ(text.error().code, Code::corrupt);
            }
            continue;
        }
        ++seen;
        if (at < 8 || at >= 12) EXPECT_EQ(corpus.error().code, Code::corrupt) << at;
        EXPECT_THAT(corpus.error().hint, HasSubstr("--rebuild"));
    }
    EXPECT_GT(seen * 10, looked * 8);
}

TEST_F(CorpusTest, ATruncatedIndexIsSeen) {
    const fs::path file = segment_file();
    const std::string good = bytes_of_file(file);
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{7}, std::size_t{100}, good.size() / 2, good.size() - 1}) {
        write_bytes(file, std::string_view(good).substr(0, size));
        const auto corpus = Corpus::open(folder_.corpus());
        ASSERT_FALSE(corpus.has_value()) << size;
        EXPECT_EQ(corpus.error().code, Code::corrupt);
    }
}

TEST_F(CorpusTest, ADamagedTextIsSeenWhenItIsRead) {
    const fs::path file = segment_file();
    std::string bytes = bytes_of_file(file);
    const auto at = bytes.find("number is 1005");
    ASSERT_NE(at, std::string::npos);
    bytes[at] = 'N';
    write_bytes(file, bytes);
    const auto corpus = folder_.open();
    EXPECT_EQ(corpus->text_of("note_05.txt").error().code, Code::corrupt);
    EXPECT_TRUE(corpus->text_of("note_06.txt").has_value());
    const auto report = run_to_end(search(*corpus, folder_.embedder(), {.query = "the number is 1005", .filter = {}}));
    ASSERT_FALSE(report.has_value());
    EXPECT_EQ(report.error().code, Code::corrupt);
}

TEST_F(CorpusTest, AMissingFileOfTheIndexIsSeen) {
    fs::remove(segment_file());
    EXPECT_EQ(Corpus::open(folder_.corpus()).error().code, Code::corrupt);
}

TEST_F(CorpusTest, ADamagedListOfContentsIsSeen) {
    const fs::path file = folder_.corpus() / "corpus.json";
    const std::string good = bytes_of_file(file);
    for (std::size_t at = 0; at < good.size(); at += 3) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 1);
        write_bytes(file, bad);
        const auto corpus = Corpus::open(folder_.corpus());
        ASSERT_FALSE(corpus.has_value()) << at;
        EXPECT_TRUE(corpus.error().code == Code::corrupt || corpus.error().code == Code::unsupported);
    }
    write_bytes(file, "");
    EXPECT_EQ(Corpus::open(folder_.corpus()).error().code, Code::corrupt);
}

TEST_F(CorpusTest, OfAnotherFormatIsRefusedWithTheWayOut) {
    const fs::path file = folder_.corpus() / "corpus.json";
    write_bytes(file, R"({"format":0,"embedder":"hashing"})");
    const auto corpus = Corpus::open(folder_.corpus());
    ASSERT_FALSE(corpus.has_value());
    EXPECT_EQ(corpus.error().code, Code::unsupported);
    EXPECT_THAT(corpus.error().message, HasSubstr("format 0"));
    EXPECT_THAT(corpus.error().hint, HasSubstr("--rebuild"));
    EXPECT_EQ(folder_.ingest().error().code, Code::unsupported);
    EXPECT_TRUE(folder_.ingest({.rebuild = true}).has_value());
    EXPECT_EQ(folder_.open()->size().documents, 12U);
}

TEST_F(CorpusTest, IsBuiltAgainFromWhatItWasMadeOf) {
    write_bytes(segment_file(), "damaged");
    EXPECT_EQ(folder_.ingest().error().code, Code::corrupt);
    const auto report = run_to_end(ingest({}, folder_.corpus(), folder_.embedder(), {.rebuild = true}));
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_EQ(report->added, 12U);
    EXPECT_EQ(folder_.open()->size().documents, 12U);
}

TEST_F(CorpusTest, WhatIsOpenDoesNotChange) {
    const auto before = folder_.open();
    folder_.write("note_99.txt", "A new note about pears.");
    folder_.erase("note_00.txt");
    EXPECT_TRUE(folder_.ingest({.rebuild = true}).has_value());
    EXPECT_EQ(before->size().documents, 12U);
    EXPECT_TRUE(before->text_of("note_00.txt").has_value());
    EXPECT_EQ(folder_.open()->size().documents, 12U);
    EXPECT_TRUE(folder_.open()->text_of("note_99.txt").has_value());
}

TEST_F(CorpusTest, ManySegmentsAreMergedAndFindTheSame) {
    for (int i = 0; i < 20; ++i) {
        folder_.write(fmt::format("more_{:02}.txt", i), fmt::format("More words of kind {} about oranges.", i));
        ASSERT_TRUE(folder_.ingest().has_value());
    }
    EXPECT_LE(folder_.open()->size().segments, 5U);
    EXPECT_EQ(folder_.open()->size().documents, 32U);
    EXPECT_EQ(folder_.found("note about apples with the number 1007").front(), "note_07.txt");
    EXPECT_EQ(folder_.found("words of kind 13 about oranges").front(), "more_13.txt");
}

TEST_F(CorpusTest, RemovedDocumentsAreGoneAlsoAfterMerging) {
    for (int i = 0; i < 6; ++i) folder_.erase(fmt::format("note_{:02}.txt", i));
    const auto report = folder_.ingest();
    ASSERT_TRUE(report.has_value());
    EXPECT_EQ(report->removed, 6U);
    EXPECT_EQ(report->unchanged, 6U);
    const auto names = folder_.found("note about apples with the number 1003");
    EXPECT_THAT(names, testing::Not(testing::Contains("note_03.txt")));
    EXPECT_EQ(names.size(), 6U);
}

TEST_F(CorpusTest, TwoCannotChangeItAtTheSameTime) {
    const auto writer = CorpusWriter::open(folder_.corpus(), {.embedder = "hashing", .chunking = {.window = 472}});
    ASSERT_TRUE(writer.has_value()) << writer.error().message;
    EXPECT_EQ(folder_.ingest().error().code, Code::conflict);
    EXPECT_EQ(folder_.open()->size().documents, 12U);
}

TEST_F(CorpusTest, OfAnotherEmbedderIsNotMixed) {
    const auto other = llm::hashing_embedder(64);
    folder_.write("new.txt", "Something new.");
    const auto writer = CorpusWriter::open(folder_.corpus(), {.embedder = "minilm", .chunking = {.window = 472}});
    ASSERT_FALSE(writer.has_value());
    EXPECT_EQ(writer.error().code, Code::conflict);
    const auto report = run_to_end(search(*folder_.open(), *other, {.query = "apples", .filter = {}}));
    ASSERT_FALSE(report.has_value());
    EXPECT_EQ(report.error().code, Code::conflict);
}

TEST_F(CorpusTest, KeepsItsCalibration) {
    const Relevance fitted{-3, 4, 1, 2};
    ASSERT_TRUE(store_relevance(folder_.corpus(), fitted).has_value());
    EXPECT_EQ(folder_.open()->relevance(), fitted);
    folder_.write("new.txt", "Something new.");
    ASSERT_TRUE(folder_.ingest().has_value());
    ASSERT_TRUE(folder_.ingest({.rebuild = true}).has_value());
    EXPECT_EQ(folder_.open()->relevance(), fitted);
}

TEST(CorpusNames, AreSafeAsNamesOfFolders) {
    EXPECT_TRUE(is_corpus_name("fomc"));
    EXPECT_TRUE(is_corpus_name("my_notes-2.0"));
    for (const char* bad : {"", "..", ".hidden", "a/b", "a b", "a:b", "ä"}) EXPECT_FALSE(is_corpus_name(bad)) << bad;
    EXPECT_FALSE(is_corpus_name(std::string(65, 'a')));
}

}  // namespace
}  // namespace quaestor::retrieval
