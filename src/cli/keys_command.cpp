#include "cli/serve_support.hpp"
#include "server/api/auth.hpp"

#include <fmt/format.h>

namespace quaestor::cli {

namespace {

json::object key_json(const server::KeyRecord& key) {
    return {{"id", key.id}, {"name", key.name}, {"role", encode(key.role)}, {"created_at", to_iso8601(key.created_at)}};
}

}  // namespace

CommandResult keys_create(const Invocation& invocation, const KeysCreateOptions& options) {
    std::error_code problem;
    std::filesystem::create_directories(invocation.settings().data_dir, problem);
    server::KeyRing ring(keys_file(invocation.settings()));
    const auto role = decode<server::KeyRole>(json::value(options.role));
    if (!role) return fail(role.error());
    const auto created = ring.create(options.name, *role);
    if (!created) return fail(created.error());
    if (invocation.json) {
        json::object shown = key_json(created->record);
        shown["key"] = created->key;
        print_json(shown);
    } else {
        print_text(created->key + "\n");
        if (!invocation.quiet) say("This is the only time that the key is shown; only its hash is kept.");
    }
    return ExitCode::done;
}

CommandResult keys_list(const Invocation& invocation) {
    server::KeyRing ring(keys_file(invocation.settings()));
    const auto keys = ring.list();
    if (!keys) return fail(keys.error());
    if (invocation.json) {
        json::array shown;
        for (const auto& key : *keys) shown.push_back(key_json(key));
        print_json(shown);
        return ExitCode::done;
    }
    Table table{.columns = {{"id"}, {"name"}, {"role"}, {"made"}}, .rows = {}};
    for (const auto& key : *keys) {
        table.rows.push_back({key.id, key.name, std::string(encode(key.role).as_string()), to_iso8601(key.created_at)});
    }
    if (keys->empty()) {
        say("There are no keys. Make one with: quaestor keys create NAME");
    } else {
        print_text(draw_to_fit(table, terminal_width(), "key"));
    }
    return ExitCode::done;
}

CommandResult keys_revoke(const Invocation& invocation, const std::string& id) {
    server::KeyRing ring(keys_file(invocation.settings()));
    if (auto revoked = ring.revoke(id); !revoked) return fail(revoked.error());
    if (invocation.json) {
        print_json({{"revoked", id}});
    } else if (!invocation.quiet) {
        say(fmt::format("The key {} is no longer taken.", id));
    }
    return ExitCode::done;
}

}  // namespace quaestor::cli
