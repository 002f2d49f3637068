#include "graph/any_graph.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quaestor::graph {

Result<std::shared_ptr<const AnyGraph>> GraphRegistry::find(std::string_view name) const {
    std::vector<std::string> names;
    for (const auto& graph : graphs_) {
        if (graph->name() == name) return graph;
        names.push_back(graph->name());
    }
    const auto meant = text::nearest(name, names);
    return fail(Code::not_found, fmt::format("there is no graph called \"{}\"", name),
                meant ? fmt::format("did you mean \"{}\"?", *meant) : "list them: quaestor graph list");
}

}  // namespace quaestor::graph
