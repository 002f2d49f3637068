#include "server/message.hpp"
#include "server/router.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quaestor::server {
namespace {

using testing::ElementsAre;

Router make_test_router() {
    Router router;
    for (const auto& [method, pattern] : std::vector<std::pair<std::string, std::string>>{
             {"GET", "/"},
             {"GET", "/api/threads/{id}"},
             {"DELETE", "/api/threads/{id}"},
             {"GET", "/api/threads/{id}/messages/{number}"},
             {"GET", "/api/runs/{id}"},
             {"GET", "/api/runs/latest"},
         }) {
        router.add({.method = method, .pattern = pattern, .endpoint = nullptr, .about = {}});
    }
    return router;
}

TEST(Routes, AreFoundWithTheirParts) {
    const Router router = make_test_router();
    const auto match = router.find("GET", "/api/threads/7/messages/x y");
    ASSERT_TRUE(match);
    EXPECT_EQ(match->route->pattern, "/api/threads/{id}/messages/{number}");
    EXPECT_THAT(match->parts, ElementsAre("7", "x y"));
    EXPECT_EQ(router.find("GET", "/")->route->pattern, "/");
}

TEST(Routes, AWordIsMeantBeforeAPlaceholder) {
    const Router router = make_test_router();
    EXPECT_EQ(router.find("GET", "/api/runs/latest")->route->pattern, "/api/runs/latest");
    EXPECT_EQ(router.find("GET", "/api/runs/latest2")->route->pattern, "/api/runs/{id}");
}

TEST(Routes, WhatIsNotThereIsNotFound) {
    const Router router = make_test_router();
    for (const char* path : {"/api", "/api/threads", "/api/threads/7/messages", "/api/threads/7/x/y", "/API/runs/1"}) {
        const auto match = router.find("GET", path);
        ASSERT_FALSE(match) << path;
        EXPECT_EQ(match.error().code, Code::not_found) << path;
    }
}

TEST(Routes, AWrongMethodIsToldWhichThereAre) {
    const Router router = make_test_router();
    std::vector<std::string> allowed;
    const auto match = router.find("POST", "/api/threads/7", &allowed);
    ASSERT_FALSE(match);
    EXPECT_EQ(match.error().code, Code::unsupported);
    EXPECT_EQ(match.error().hint, "use DELETE or GET");
    EXPECT_THAT(allowed, ElementsAre("DELETE", "GET"));
}

TEST(Errors, HaveTheFormOfTheContract) {
    const Error error{Code::not_found, "no thread 7", "list them with GET /api/threads", nullptr};
    const Response response = error_response(status_of(error.code), error, "r1");
    EXPECT_EQ(response.status, 404);
    EXPECT_EQ(response.body,
              R"({"error":{"code":"not_found","message":"no thread 7","hint":"list them with GET /api/threads",)"
              R"("request_id":"r1"},"detail":"no thread 7"})");
    EXPECT_EQ(response.headers.at(0).value, "application/json");
}

TEST(Errors, LeaveOutWhatTheyDoNotHave) {
    EXPECT_EQ(error_response(500, {Code::internal, "oh", {}, nullptr}, {}).body,
              R"({"error":{"code":"internal","message":"oh"},"detail":"oh"})");
}

}  // namespace
}  // namespace quaestor::server
