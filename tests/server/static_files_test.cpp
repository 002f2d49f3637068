#include "server/static_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace quaestor::server {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A built client as a bundler leaves it, and a secret beside its folder.
class StaticFilesTest : public testing::Test {
protected:
    StaticFilesTest() {
        std::string name = (fs::temp_directory_path() / "quaestor-web-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
        base_ = name;
        put("web/index.html", "<html>");
        put("web/assets/index-B7f_x9Qz.js", "script");
        put("web/assets/index-B7f_x9Qz.js.gz", "compressed");
        put("web/assets/logo.svg", "<svg>");
        put("secret.txt", "secret");
        fs::create_symlink(base_ / "secret.txt", base_ / "web/linked.txt");
        fs::create_symlink(base_ / "web/assets/logo.svg", base_ / "web/icon.svg");
        files_ = serve_static(base_ / "web");
    }
    ~StaticFilesTest() override { fs::remove_all(base_); }

    void put(const std::string& name, const std::string& text) const {
        fs::create_directories((base_ / name).parent_path());
        std::ofstream(base_ / name) << text;
    }

    Reply get(std::string path, std::vector<net::HttpHeader> headers = {}, std::string method = "GET") {
        Request request;
        request.method = std::move(method);
        request.path = std::move(path);
        request.headers = std::move(headers);
        return run_to_end(files_(std::move(request)));
    }

    /// The status and, for a file, its name.
    static std::string summary(const Reply& reply) {
        if (const auto* file = std::get_if<FileResponse>(&reply))
            return std::to_string(file->status) + " " + file->file.filename().string();
        return std::to_string(std::get<Response>(reply).status);
    }

    static std::string header(const Reply& reply, std::string_view name) {
        const auto& headers = std::holds_alternative<FileResponse>(reply) ? std::get<FileResponse>(reply).headers
                                                                          : std::get<Response>(reply).headers;
        for (const auto& header : headers) {
            if (header.name == name) return header.value;
        }
        return "-";
    }

    fs::path base_;
    Endpoint files_;
};

const net::HttpHeader kPage{"Accept", "text/html,application/xhtml+xml"};

TEST_F(StaticFilesTest, LinksIntoTheClientLeadThereWhateverIsAccepted) {
    for (const auto* path : {"/chat", "/chat/4f0a", "/runs", "/runs/01M7", "/settings"}) {
        EXPECT_EQ(summary(get(path)), "200 index.html") << path;
    }
    EXPECT_EQ(summary(get("/chatter")), "404");
}

TEST_F(StaticFilesTest, ServesFilesWithTheirTypes) {
    EXPECT_EQ(summary(get("/")), "200 index.html");
    EXPECT_EQ(header(get("/"), "Content-Type"), "text/html; charset=utf-8");
    EXPECT_EQ(header(get("/assets/logo.svg"), "Content-Type"), "image/svg+xml");
    EXPECT_EQ(header(get("/assets/index-B7f_x9Qz.js"), "Content-Type"), "text/javascript; charset=utf-8");
}

TEST_F(StaticFilesTest, OnlyNamesWithAHashAreKeptForEver) {
    EXPECT_EQ(header(get("/assets/index-B7f_x9Qz.js"), "Cache-Control"), "public, max-age=31536000, immutable");
    EXPECT_EQ(header(get("/assets/logo.svg"), "Cache-Control"), "no-cache");
    EXPECT_EQ(header(get("/"), "Cache-Control"), "no-cache");
}

TEST_F(StaticFilesTest, DeepLinksAreThePage) {
    EXPECT_EQ(summary(get("/chat/01HX.a", {kPage})), "200 index.html");
    EXPECT_EQ(header(get("/chat/7", {kPage}), "Cache-Control"), "no-cache");
}

TEST_F(StaticFilesTest, WhatIsNoPageIsNotFound) {
    EXPECT_EQ(summary(get("/nowhere/7")), "404");
    EXPECT_EQ(summary(get("/assets/gone.js", {kPage})), "404");
    EXPECT_EQ(summary(get("/api/nothing", {kPage})), "404");
    EXPECT_EQ(summary(get("/assets")), "404");
}

TEST_F(StaticFilesTest, CompressedFilesGoToWhoTakesThem) {
    const std::string path = "/assets/index-B7f_x9Qz.js";
    const auto smaller = get(path, {{"Accept-Encoding", "br, gzip;q=0.8"}});
    EXPECT_EQ(summary(smaller), "200 index-B7f_x9Qz.js.gz");
    EXPECT_EQ(header(smaller, "Content-Encoding"), "gzip");
    EXPECT_EQ(header(smaller, "Content-Type"), "text/javascript; charset=utf-8");
    EXPECT_EQ(header(smaller, "Vary"), "Accept-Encoding");
    for (const char* taken : {"", "br", "gzip;q=0", "gzip; q=0.0, *", "xgzip", "*;q=0"}) {
        const auto plain = get(path, {{"Accept-Encoding", taken}});
        EXPECT_EQ(summary(plain), "200 index-B7f_x9Qz.js") << taken;
        EXPECT_EQ(header(plain, "Vary"), "Accept-Encoding");
        EXPECT_NE(header(plain, "ETag"), header(smaller, "ETag"));
    }
    EXPECT_EQ(header(get("/", {{"Accept-Encoding", "gzip"}}), "Content-Encoding"), "-");
}

TEST_F(StaticFilesTest, ACompressedFileOfAnOlderBuildIsNotServed) {
    const fs::path older = base_ / "web/assets/index-B7f_x9Qz.js.gz";
    fs::last_write_time(older, fs::last_write_time(older) - std::chrono::hours(1));
    EXPECT_EQ(summary(get("/assets/index-B7f_x9Qz.js", {{"Accept-Encoding", "gzip"}})), "200 index-B7f_x9Qz.js");
}

TEST_F(StaticFilesTest, WhatTheClientHasIsNotSentAgain) {
    const std::string tag = header(get("/"), "ETag");
    const auto unchanged = get("/", {{"If-None-Match", "\"other\", W/" + tag}});
    EXPECT_EQ(summary(unchanged), "304");
    EXPECT_EQ(header(unchanged, "ETag"), tag);
    EXPECT_EQ(summary(get("/", {{"If-None-Match", "\"other\""}})), "200 index.html");
    put("web/index.html", "<html lang=en>");
    EXPECT_EQ(summary(get("/", {{"If-None-Match", tag}})), "200 index.html");
}

TEST_F(StaticFilesTest, NothingOutsideTheFolderIsServed) {
    EXPECT_EQ(summary(get("/linked.txt")), "404");
    EXPECT_EQ(summary(get("/../secret.txt")), "404");
    EXPECT_EQ(summary(get("//etc/passwd")), "404");
    EXPECT_EQ(summary(get("/icon.svg")), "200 logo.svg");
}

TEST_F(StaticFilesTest, PagesAreSafe) {
    for (const auto& reply : {get("/"), get("/", {{"If-None-Match", "*"}})}) {
        EXPECT_THAT(header(reply, "Content-Security-Policy"),
                    testing::AllOf(HasSubstr("default-src 'none'"), HasSubstr("script-src 'self';"),
                                   HasSubstr("frame-ancestors 'none'"), HasSubstr("base-uri 'none'")));
        EXPECT_EQ(header(reply, "X-Content-Type-Options"), "nosniff");
        EXPECT_EQ(header(reply, "Referrer-Policy"), "no-referrer");
    }
}

TEST_F(StaticFilesTest, OnlyReadsAreTaken) {
    const auto reply = get("/", {}, "POST");
    EXPECT_EQ(summary(reply), "405");
    EXPECT_EQ(header(reply, "Allow"), "GET, HEAD");
}

TEST_F(StaticFilesTest, SaysThatTheClientIsNotBuilt) {
    files_ = serve_static(base_ / "nowhere");
    const auto reply = get("/", {kPage});
    EXPECT_EQ(summary(reply), "404");
    EXPECT_THAT(std::get<Response>(reply).body, HasSubstr("the web client is not here"));
}

}  // namespace
}  // namespace quaestor::server
