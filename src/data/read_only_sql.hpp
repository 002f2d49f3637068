// A statement that the guard has admitted. Only the guard makes one, and only one can be run: text from a model, a
// person or a document never reaches a database by any other way.
// Threads: immutable.
#pragma once

#include "data/dialect.hpp"
#include "data/verdict.hpp"

#include <string>
#include <utility>

namespace quaestor::data {

class ReadOnlySql {
public:
    [[nodiscard]] const std::string& text() const { return verdict_.sql; }
    [[nodiscard]] Dialect dialect() const { return dialect_; }
    /// What it reads, and the warnings.
    [[nodiscard]] const Verdict& verdict() const { return verdict_; }

private:
    friend class Guard;
    ReadOnlySql(Dialect dialect, Verdict verdict) : dialect_(dialect), verdict_(std::move(verdict)) {}

    Dialect dialect_;
    Verdict verdict_;
};

}  // namespace quaestor::data
