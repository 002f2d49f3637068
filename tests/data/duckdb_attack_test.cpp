// Every attack of cases/attack_duckdb.cases, on a file with the shop in it.
#include "base/json.hpp"
#include "data/case_file.hpp"
#include "data/duckdb_shop.hpp"

#include <gmock/gmock.h>

namespace quaestor::data {

namespace {

using testing::IsEmpty;
using testing::Not;

constexpr std::size_t kMemory = std::size_t{256} << 20;
constexpr QueryLimits kTight{.rows = 1000, .bytes = 1 << 20, .timeout = std::chrono::milliseconds(100)};

std::vector<std::string> codes_of(const Verdict& verdict) {
    std::vector<std::string> codes;
    for (const Problem& problem : verdict.errors) {
        codes.emplace_back(boost::describe::enum_to_string(problem.code, "?"));
    }
    return codes;
}

void expect_refused(const SqlCase& attack, const Verdict& verdict) {
    EXPECT_FALSE(verdict.ok);
    EXPECT_THAT(verdict.sql, IsEmpty());
    ASSERT_THAT(verdict.errors, Not(IsEmpty()));
    EXPECT_THAT(verdict.errors[0].message, Not(IsEmpty()));
    EXPECT_EQ(attack.fact("expect"), "refused " + codes_of(verdict)[0]) << verdict.errors[0].message;
}

// All in one test, for a database is made in a second and there are hundreds of attacks.
TEST(DuckdbAttacks, AreRefusedOrBoundedAndDoNoHarm) {
    DuckdbShop shop(kMemory);
    const auto before = shop.files();
    for (const SqlCase& attack : read_cases("attack_duckdb.cases")) {
        SCOPED_TRACE(attack.place + " " + attack.name);
        const Verdict verdict = shop.guard().check(attack.sql);
        if (attack.fact("expect") == "bounded") {
            ASSERT_TRUE(verdict.ok) << verdict.errors[0].message;
            const auto result = run_for(shop.engine(), verdict.sql, kTight);
            EXPECT_TRUE(!result || result->truncated);
        } else {
            expect_refused(attack, verdict);
            if (attack.fact("engine").empty()) static_cast<void>(run_for(shop.engine(), attack.sql, kTight));
        }
        EXPECT_EQ(shop.files(), before) << "a file came, went or changed";
        EXPECT_FALSE(std::filesystem::exists("evil") || std::filesystem::exists("evil.csv")) << "a file was written";
    }
    const auto orders = run_for(shop.engine(), "SELECT count(*) FROM orders", {});
    ASSERT_TRUE(orders.has_value()) << orders.error().describe();
    EXPECT_EQ(orders->columns[0].text(0), "40");
}

}  // namespace

}  // namespace quaestor::data
