#include "server/api/event.hpp"

namespace quaestor::server {

void append_frame(std::string& out, std::string_view id, const ServerEvent& event) {
    out.append("id: ").append(id);
    out.append("\nevent: ").append(event.name);
    out.append("\ndata: ").append(to_text(event.data)).append("\n\n");
}

}  // namespace quaestor::server
