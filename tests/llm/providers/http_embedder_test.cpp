#include "kit/http_server.hpp"
#include "llm/embedder.hpp"
#include "llm/providers/request_check.hpp"
#include "net/http_client.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace quaestor::llm {
namespace {

using test::Kind;
using test::ReceivedRequest;
using test::Reply;

/// A server of embeddings: a text's vector is its length and 1, so that tests can tell texts by their vectors.
class HttpEmbedderTest : public testing::Test {
protected:
    HttpEmbedderTest() : server_([this](const ReceivedRequest& request) { return answer_(request); }) {}

    Result<Embeddings> embed(std::vector<std::string> texts) { return run_to_end(embedder().embed(std::move(texts))); }

    Embedder& embedder() {
        if (!embedder_)
            embedder_ = http_embedder({.name = "openai/embed",
                                       .base_url = server_.url("/v1"),
                                       .model = "embed-small",
                                       .key = test::kFakeKey,
                                       .batch = 2},
                                      client_);
        return *embedder_;
    }

    static std::vector<std::string> inputs_of(const ReceivedRequest& request) {
        const json::value body = test::posted(request, "/v1/embeddings", "authorization", "Bearer " + test::kFakeKey);
        const auto& object = test::object_with(
            body, "body", {{"model", Kind::text}, {"input", Kind::list}, {"encoding_format", Kind::text}});
        EXPECT_EQ(object.at("model"), "embed-small");
        EXPECT_EQ(object.at("encoding_format"), "float");
        return test::texts_in(object, "input");
    }

    /// Rows in reverse, each with its index.
    static Reply vectors_for(const ReceivedRequest& request) {
        const auto texts = inputs_of(request);
        json::array data;
        for (std::size_t at = texts.size(); at-- > 0;) {
            json::array vector;
            vector.emplace_back(texts[at].size());
            vector.emplace_back(1);
            data.push_back({{"object", "embedding"}, {"index", at}, {"embedding", std::move(vector)}});
        }
        return Reply::json(to_text({{"object", "list"}, {"data", std::move(data)}, {"model", "embed-small"}}));
    }

    std::function<Reply(const ReceivedRequest&)> answer_ = vectors_for;
    test::HttpServer server_;
    net::HttpClient client_;
    std::unique_ptr<Embedder> embedder_;
};

TEST_F(HttpEmbedderTest, RowsAreInTheOrderOfTheTextsWhateverTheServersOrder) {
    EXPECT_EQ(embedder().dimensions(), 0U);
    const auto rows = embed({"a", "bb", "ccc", "dddd", "eeeee"});
    ASSERT_TRUE(rows) << rows.error().describe();
    EXPECT_EQ(embedder().dimensions(), 2U);
    ASSERT_EQ(rows->size(), 5U);
    for (std::size_t at = 0; at < 5; ++at) {
        EXPECT_NEAR((*rows)[at][0] / (*rows)[at][1], static_cast<double>(at + 1), 1e-5);
        EXPECT_NEAR(std::hypot((*rows)[at][0], (*rows)[at][1]), 1, 1e-6);
    }
    EXPECT_EQ(server_.requests().size(), 3U) << "two texts in a request";
}

TEST_F(HttpEmbedderTest, NoTextsAskNobody) {
    const auto rows = embed({});
    ASSERT_TRUE(rows);
    EXPECT_EQ(rows->size(), 0U);
    EXPECT_EQ(server_.connections(), 0U);
}

TEST_F(HttpEmbedderTest, EmptyTextsAreSentAsASpaceAndLongOnesCutBetweenCharacters) {
    std::string longest = "x";
    for (int i = 0; i < 10'000; ++i) longest += "é";
    std::vector<std::string> sent;
    answer_ = [&](const ReceivedRequest& request) {
        sent = inputs_of(request);
        return vectors_for(request);
    };
    ASSERT_TRUE(embed({"", longest}));
    EXPECT_EQ(sent.at(0), " ");
    EXPECT_EQ(sent.at(1).size(), 16'383U);
    EXPECT_TRUE(longest.starts_with(sent.at(1)));
}

TEST_F(HttpEmbedderTest, FaultsOfTheProviderAreTold) {
    answer_ = [](const ReceivedRequest&) {
        return Reply::json(R"({"error":{"message":"Incorrect API key","code":"invalid_api_key"}})", 401);
    };
    const auto rows = embed({"a"});
    ASSERT_FALSE(rows);
    EXPECT_EQ(rows.error().code, Code::permission_denied);
    EXPECT_TRUE(rows.error().hint.contains("OPENAI_API_KEY"));
}

TEST_F(HttpEmbedderTest, RepliesThatMakeNoSenseAreRefused) {
    for (const std::string body :
         {"<html>", "{}", R"({"data":[]})", R"({"data":[{"index":0}]})", R"({"data":[7]})",
          R"({"data":[{"index":0,"embedding":[]}]})", R"({"data":[{"index":1,"embedding":[1,2]}]})",
          R"({"data":[{"index":0,"embedding":[1,"2"]}]})", R"({"data":[{"index":0,"embedding":[1,1e300]}]})"}) {
        answer_ = [&](const ReceivedRequest&) { return Reply::json(body); };
        const auto rows = embed({"a"});
        ASSERT_FALSE(rows) << body;
        EXPECT_EQ(rows.error().code, Code::corrupt) << body;
    }
}

TEST_F(HttpEmbedderTest, VectorsOfAnotherLengthAreRefused) {
    ASSERT_TRUE(embed({"a"}));
    answer_ = [](const ReceivedRequest&) { return Reply::json(R"({"data":[{"index":0,"embedding":[1,2,3]}]})"); };
    const auto rows = embed({"a"});
    ASSERT_FALSE(rows);
    EXPECT_TRUE(rows.error().message.contains("3 dimensions")) << rows.error().message;
    EXPECT_EQ(embedder().dimensions(), 2U);
}

TEST_F(HttpEmbedderTest, RowsWithTheSameIndexAreRefused) {
    answer_ = [](const ReceivedRequest&) {
        return Reply::json(R"({"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]})");
    };
    EXPECT_FALSE(embed({"a", "b"}));
}

TEST_F(HttpEmbedderTest, ACancelledCallAsksNobody) {
    CancelSource source;
    source.cancel(CancelReason::user_request);
    const auto rows = run_to_end(embedder().embed({"a"}, source.token()));
    ASSERT_FALSE(rows);
    EXPECT_EQ(rows.error().code, Code::cancelled);
}

}  // namespace
}  // namespace quaestor::llm
