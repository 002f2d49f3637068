#include "base/error.hpp"

#include <gtest/gtest.h>

namespace quaestor {
namespace {

const Error kDisk{Code::unavailable, "disk is full", "free some space", nullptr};
const Error kStore{Code::internal, "could not open the store", "", nullptr};

TEST(Error, DescribesItselfAndItsCausesOnOneLine) {
    const Error start{Code::internal, "could not start", "", nullptr};
    EXPECT_EQ(kDisk.describe(), "disk is full");
    EXPECT_EQ(start.because(kStore.because(kDisk)).describe(),
              "could not start: could not open the store: disk is full");
}

TEST(Error, KeepsItsOwnCodeWhenItGetsACause) {
    const Error error = kStore.because(kDisk);
    EXPECT_EQ(error.code, Code::internal);
    ASSERT_TRUE(error.cause);
    EXPECT_EQ(error.cause->code, Code::unavailable);
}

TEST(Error, LeavesTheOriginalAloneWhenGivenACause) {
    const Error copy = kStore.because(kDisk);
    EXPECT_FALSE(kStore.cause);
    EXPECT_EQ(copy.message, kStore.message);
}

TEST(Error, PutsASecondCauseUnderneathTheFirst) {
    const Error cable{Code::unavailable, "the cable is out", "", nullptr};
    EXPECT_EQ(kStore.because(kDisk).because(cable).describe(),
              "could not open the store: disk is full: the cable is out");
}

TEST(Error, AdvisesWithItsOwnHintFirst) {
    const Error error{Code::internal, "could not start", "read the manual", nullptr};
    EXPECT_EQ(error.because(kDisk).advice(), "read the manual");
}

TEST(Error, AdvisesWithTheNearestHintBelow) {
    EXPECT_EQ(kStore.because(kDisk).advice(), "free some space");
    EXPECT_EQ(kStore.because(kStore.because(kDisk)).advice(), "free some space");
}

TEST(Error, HasNoAdviceWhereNobodyGaveAHint) {
    EXPECT_EQ(kStore.because(kStore).advice(), "");
}

TEST(Error, NamesItsCodes) {
    EXPECT_EQ(to_string(Code::not_found), "not_found");
    EXPECT_EQ(to_string(Code::internal), "internal");
}

TEST(Error, IsTransientForWhatMayPassByItself) {
    const auto transient = [](Code code) { return is_transient(Error{code, "", "", nullptr}); };
    EXPECT_TRUE(transient(Code::rate_limited));
    EXPECT_TRUE(transient(Code::unavailable));
    EXPECT_TRUE(transient(Code::timeout));
    for (const Code code :
         {Code::invalid_argument, Code::not_found, Code::already_exists, Code::conflict, Code::permission_denied,
          Code::limit_exceeded, Code::cancelled, Code::corrupt, Code::unsupported, Code::internal}) {
        EXPECT_FALSE(transient(code)) << to_string(code);
    }
}

TEST(Error, TravelsInAResult) {
    const auto find = [](bool there) -> Result<int> {
        if (!there) return fail(Code::not_found, "no run 42", "list them");
        return 42;
    };
    EXPECT_EQ(find(true), 42);
    const Result<> handed_on = fail(find(false).error());
    EXPECT_EQ(handed_on.error().code, Code::not_found);
    EXPECT_EQ(handed_on.error().hint, "list them");
}

}  // namespace
}  // namespace quaestor
