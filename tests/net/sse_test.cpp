#include "net/sse.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace quaestor::net {
namespace {

using namespace std::string_view_literals;
using testing::ElementsAre;

/// "name:data:id", or what went wrong.
std::vector<std::string> events_of(const std::vector<std::string_view>& pieces, std::size_t event_bytes_max = 1 << 20) {
    SseReader reader(event_bytes_max);
    std::vector<std::string> events;
    const auto take = [&](const SseEvent& event) { events.push_back(event.name + ":" + event.data + ":" + event.id); };
    for (const std::string_view piece : pieces) {
        if (const auto ok = reader.feed(piece, take); !ok) {
            events.emplace_back(to_string(ok.error().code));
            return events;
        }
    }
    reader.finish(take);
    return events;
}

std::vector<std::string> events_of(std::string_view stream, std::size_t event_bytes_max = 1 << 20) {
    return events_of(std::vector{stream}, event_bytes_max);
}

// The examples of the standard.
TEST(Sse, ReadsTheExamplesOfTheStandard) {
    EXPECT_THAT(events_of("data: YHOO\ndata: +2\ndata: 10\n\n"), ElementsAre("message:YHOO\n+2\n10:"));
    EXPECT_THAT(
        events_of(": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n"),
        ElementsAre("message:first event:1", "message:second event:", "message: third event:"));
    EXPECT_THAT(events_of("data\n\ndata\ndata\n\n"), ElementsAre("message::", "message:\n:"));
    EXPECT_THAT(events_of("data:test\n\ndata: test\n\n"), ElementsAre("message:test:", "message:test:"));
}

TEST(Sse, GivesNamesAndKeepsTheLastId) {
    EXPECT_THAT(events_of("event: delta\nid: 7\ndata: a\n\ndata: b\n\n"), ElementsAre("delta:a:7", "message:b:7"));
    EXPECT_THAT(events_of("id: 7\ndata: a\n\nid: x\0y\ndata: b\n\n"sv), ElementsAre("message:a:7", "message:b:7"));
}

TEST(Sse, EndsLinesInThreeWays) {
    EXPECT_THAT(events_of("data: a\r\ndata: b\r\n\r\ndata: c\rdata: d\r\rdata: e\n\n"),
                ElementsAre("message:a\nb:", "message:c\nd:", "message:e:"));
}

TEST(Sse, SkipsByteOrderMarkCommentsAndWhatItDoesNotKnow) {
    EXPECT_THAT(events_of("\xEF\xBB\xBF"
                          "data: a\n:comment\nretry: 10\nnonsense\nDATA: b\n\n"),
                ElementsAre("message:a:"));
    EXPECT_THAT(events_of("data: a\n\n\xEF\xBB\xBF"
                          "data: b\n\n"),
                ElementsAre("message:a:"));
}

TEST(Sse, TellsNoEventWithoutData) {
    EXPECT_THAT(events_of("event: ping\n\nid: 3\n\n\n\ndata: a\n\n"), ElementsAre("message:a:3"));
}

TEST(Sse, GivesTheLastEventThoughItsEmptyLineIsMissing) {
    EXPECT_THAT(events_of("data: a\n\ndata: b\n"), ElementsAre("message:a:", "message:b:"));
    EXPECT_THAT(events_of("data: a\n\ndata: b"), ElementsAre("message:a:", "message:b:"));
    EXPECT_THAT(events_of("data: a\n\nevent: x"), ElementsAre("message:a:"));
}

TEST(Sse, BoundsAnEvent) {
    EXPECT_THAT(events_of("data: 0123456789\n\ndata: 0123456789\n\n", 16),
                ElementsAre("message:0123456789:", "message:0123456789:"));
    EXPECT_THAT(events_of("data: 0123456789a\n\n", 16), ElementsAre("limit_exceeded"));
    EXPECT_THAT(events_of("data: 01234\ndata: 01234\ndata: 01234\n\n", 16), ElementsAre("limit_exceeded"));
    EXPECT_THAT(events_of(":" + std::string(100, 'x'), 16), ElementsAre("limit_exceeded"));
    EXPECT_THAT(events_of("event: " + std::string(9, 'x') + "\ndata: 123\n\n", 16), ElementsAre("limit_exceeded"));
}

TEST(Sse, ReadsAStreamLongerThanItsBound) {
    std::string stream;
    for (int i = 0; i < 100; ++i) stream += ": keep alive\ndata: x\n\n";
    EXPECT_EQ(events_of(stream, 16).size(), 100U);
}

/// A stream of parts that matter, in any order.
std::string random_stream(std::mt19937& random) {
    static const std::vector<std::string> parts{
        "data",    ":", " ", "\n",           "\r",        "\r\n", "\n\n", "event: x\n",
        "id: 4\n", "é", "x", "\xEF\xBB\xBF", "data: y\n", "😀",   ":c\n", std::string(1, '\0')};
    std::string stream;
    const std::size_t count = random() % 40;
    for (std::size_t i = 0; i < count; ++i) stream += parts[random() % parts.size()];
    return stream;
}

TEST(Sse, GivesTheSameEventsHoweverTheStreamIsCut) {
    std::mt19937 random(20260101);
    for (int round = 0; round < 2000; ++round) {
        const std::string stream = random_stream(random);
        const std::string_view all = stream;
        const std::size_t bound = round % 2 == 0 ? 1 << 20 : 12;
        const auto whole = events_of(all, bound);
        std::vector<std::string_view> bytes;
        std::vector<std::string_view> pieces;
        for (std::size_t i = 0; i < all.size(); ++i) bytes.push_back(all.substr(i, 1));
        for (std::size_t i = 0; i < all.size();) {
            pieces.push_back(all.substr(i, random() % 8));
            i += pieces.back().size();
        }
        ASSERT_EQ(events_of(bytes, bound), whole) << stream;
        ASSERT_EQ(events_of(pieces, bound), whole) << stream;
    }
}

}  // namespace
}  // namespace quaestor::net
