// Every rule of cases/rules.cases, for each dialect that it names.
#include "data/case_file.hpp"
#include "data/guard.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

namespace quaestor::data {

namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// By the alphabet, so that the order in which a reader finds them does not matter.
std::string joined(std::vector<std::string> names) {
    std::ranges::sort(names);
    std::string all;
    for (const auto& name : names) all += (all.empty() ? "" : ", ") + name;
    return all.empty() ? "-" : all;
}

std::string code_name(const Problem& problem) {
    return boost::describe::enum_to_string(problem.code, "?");
}

Dialect dialect_named(const std::string& name) {
    return name == "postgres" ? Dialect::postgres : name == "sqlite" ? Dialect::sqlite : Dialect::duckdb;
}

void check(const SqlCase& rule, Dialect dialect) {
    const TableNames tables = TableNames::parse(rule.fact("tables"));
    const Verdict verdict = Guard(dialect, tables, 100).check(rule.sql);
    const auto expected = [&](const std::string& key, const std::string& found) {
        if (!rule.fact(key).empty()) EXPECT_EQ(rule.fact(key), found) << key;
    };
    const std::string first = verdict.errors.empty() ? "" : verdict.errors[0].message;
    expected("expect", verdict.ok ? "ok" : "refused " + code_name(verdict.errors.at(0)));
    expected("reads", joined(verdict.tables));
    std::vector<std::string> warnings;
    for (const Problem& warning : verdict.warnings) warnings.push_back(code_name(warning));
    expected("warns", joined(std::move(warnings)));
    expected("adds limit", verdict.sql.ends_with("\nLIMIT 101") ? "yes" : "no");
    expected("says", first);
    if (verdict.ok) return;
    EXPECT_THAT(first, Not(IsEmpty()));
    EXPECT_THAT(verdict.sql, IsEmpty());
    EXPECT_THAT(verdict.errors[0].suggestion, HasSubstr(rule.fact("suggests")));
    if (!rule.fact("at").empty()) EXPECT_EQ(rule.fact("at"), std::to_string(verdict.errors[0].at.value_or(0)));
}

TEST(GuardRules, HoldInEveryDialect) {
    for (const SqlCase& rule : read_cases("rules.cases")) {
        std::istringstream dialects(rule.fact("dialect").empty() ? "duckdb" : rule.fact("dialect"));
        for (std::string dialect; dialects >> dialect;) {
            SCOPED_TRACE(rule.place + " " + rule.name + " in " + dialect);
            check(rule, dialect_named(dialect));
        }
    }
}

}  // namespace

}  // namespace quaestor::data
