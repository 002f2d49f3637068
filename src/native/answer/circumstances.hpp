// Whose a figure is and when it was so, from the conditions of a form: "of the Lakers in 2023". Private to native/.
// Threads: pure functions.
#pragma once

#include "native/logical_form.hpp"
#include "native/schema.hpp"
#include "native/sql_writer.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native {

struct Circumstances {
    std::vector<std::string> whose;    ///< names, with the article that the question gives them
    std::vector<std::string> when;     ///< years and seasons
    std::vector<std::string> besides;  ///< "game type Regular Season", "not home"
};

/// Nothing when there are no names and no times, or when some condition is more than that something is so.
[[nodiscard]] std::optional<Circumstances> circumstances_of(const Query& form, const Schema& schema,
                                                            const Spoken& spoken, std::string_view question);

/// " of the Lakers in 2023 (game type Regular Season)", to stand behind what is measured.
[[nodiscard]] std::string behind_measure(const Circumstances& circumstances);

}  // namespace quaestor::native
