#include "cli/reader_support.hpp"

#include "native/text2sql_model.hpp"

namespace quaestor::cli {

namespace {

/// What was made to read questions; a machine without it lacks a dependency, whatever the command says.
Error as_dependency(Error error) {
    if (error.code == Code::not_found) error.code = Code::unavailable;
    return error;
}

}  // namespace

Result<native::QuestionReader::Parts> open_reader_parts() {
    const auto path = native::text2sql_model_path();
    if (!path) return fail(as_dependency(path.error()));
    auto model = native::Text2SqlModel::open(*path);
    if (!model) return fail(as_dependency(model.error()));
    auto choice = native::ChoiceModel::bundled();
    if (!choice) return fail(as_dependency(choice.error()));
    return native::QuestionReader::Parts{.model = std::move(*model), .choice = std::move(*choice)};
}

}  // namespace quaestor::cli
