#include "base/error.hpp"

#include <boost/describe/enum_to_string.hpp>

#include <utility>

namespace quaestor {

Error Error::because(Error underneath) const& {
    return Error(*this).because(std::move(underneath));
}

Error Error::because(Error underneath) && {
    // An error that stands on something already keeps it: the new cause goes to the bottom of the chain.
    cause = std::make_shared<const Error>(cause ? cause->because(std::move(underneath)) : std::move(underneath));
    return std::move(*this);
}

std::string Error::describe() const {
    std::string line = message;
    for (const Error* error = cause.get(); error; error = error->cause.get()) {
        line += ": ";
        line += error->message;
    }
    return line;
}

std::string_view Error::advice() const {
    const Error* error = this;
    while (error->hint.empty() && error->cause) error = error->cause.get();
    return error->hint;
}

std::string_view to_string(Code code) {
    return boost::describe::enum_to_string(code, "internal");
}

bool is_transient(const Error& error) {
    return error.code == Code::rate_limited || error.code == Code::unavailable || error.code == Code::timeout;
}

std::unexpected<Error> fail(Code code, std::string message, std::string hint) {
    return std::unexpected(Error{code, std::move(message), std::move(hint), nullptr});
}

std::unexpected<Error> fail(Error error) {
    return std::unexpected(std::move(error));
}

}  // namespace quaestor
