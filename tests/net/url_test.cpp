#include "net/url.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quaestor::net {
namespace {

std::string shown(std::string_view url) {
    const auto result = without_secrets(url);
    return result ? *result : std::string(to_string(result.error().code));
}

TEST(Url, FallsIntoTheParts) {
    const auto url = parse_url("https://us%65r:p%40ss@Example.com:8443/a/b?c=d#e");
    ASSERT_TRUE(url);
    EXPECT_TRUE(url->is_tls);
    EXPECT_EQ(url->host, "Example.com");
    EXPECT_EQ(url->port, "8443");
    EXPECT_EQ(url->user, "user");
    EXPECT_EQ(url->password, "p@ss");
    EXPECT_EQ(url->target, "/a/b?c=d");
    EXPECT_EQ(url->place(), "Example.com:8443");
    EXPECT_EQ(url->authority(), "Example.com:8443");
}

TEST(Url, HasThePortOfItsSchemeWhenItSaysNone) {
    for (const char* text : {"http://host", "HTTP://host/", "http://host:/", "http://host:80/"}) {
        ASSERT_TRUE(parse_url(text)) << text;
        EXPECT_EQ(parse_url(text)->place(), "host:80") << text;
        EXPECT_EQ(parse_url(text)->authority(), "host") << text;
    }
    EXPECT_EQ(parse_url("https://host")->place(), "host:443");
    EXPECT_EQ(parse_url("https://host:80")->authority(), "host:80");
}

TEST(Url, MayHaveAnAddressForAHost) {
    const auto url = parse_url("http://[2001:db8::1]:8080/");
    ASSERT_TRUE(url);
    EXPECT_EQ(url->host, "2001:db8::1");
    EXPECT_EQ(url->place(), "[2001:db8::1]:8080");
    EXPECT_EQ(parse_url("http://[::1]/")->authority(), "[::1]");
    EXPECT_EQ(parse_url("http://10.0.0.1/")->place(), "10.0.0.1:80");
}

TEST(Url, IsBounded) {
    EXPECT_FALSE(parse_url("http://host/" + std::string(100'000, 'x')));
}

TEST(Url, ShowsNoSecrets) {
    EXPECT_EQ(shown("https://user:secret@host/path?a=1#part"), "https://host/path?a=1");
    EXPECT_EQ(shown("https://host/v1?key=secret&alt=sse"), "https://host/v1?key=***&alt=sse");
    EXPECT_EQ(shown("https://host/?API_KEY=secret&access_token=secret&X-Amz-Signature=secret"),
              "https://host/?API_KEY=***&access_token=***&X-Amz-Signature=***");
    EXPECT_EQ(shown("https://host/?ke%79=secret"), "https://host/?ke%79=***");
    EXPECT_EQ(shown("https://host/?max_tokens=5&author=x&flag&empty="),
              "https://host/?max_tokens=5&author=x&flag&empty=");
    EXPECT_EQ(shown("https://host"), "https://host");
    EXPECT_EQ(shown("no url with secret"), "invalid_argument");
}

}  // namespace
}  // namespace quaestor::net
