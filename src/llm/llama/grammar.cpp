#include "llm/llama/grammar.hpp"

#include "llm/llama/llama.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace quaestor::llm {

namespace {

constexpr int kSchemaDepthMax = 32;
constexpr std::size_t kGrammarBytesMax = std::size_t{256} << 10;
/// llama.cpp writes a repetition out, and refuses more.
constexpr std::uint64_t kRepeatMax = 1000;

/// Rules that others refer to, each with those it needs itself. Numbers have bounded digits, so that a weak model
/// cannot write one without end.
struct Primitive {
    std::string_view name;
    std::string_view body;
    std::vector<std::string_view> needs;
};
const std::array<Primitive, 9>& primitives() {
    static const std::array<Primitive, 9> all{{
        {"space", R"((" " | "\n" [ \t]{0,20})?)", {}},
        {"char", R"x([^"\\\x00-\x1F\x7F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4}))x", {}},
        {"string", R"("\"" char* "\"")", {"char"}},
        {"integer", R"("-"? ("0" | [1-9] [0-9]{0,17}))", {}},
        {"number", R"("-"? ("0" | [1-9] [0-9]{0,15}) ("." [0-9]{1,15})? ([eE] [-+]? [0-9]{1,2})?)", {}},
        {"boolean", R"("true" | "false")", {}},
        {"array", R"("[" space (value ("," space value)*)? space "]")", {"space", "value"}},
        {"object",
         R"("{" space (string space ":" space value ("," space string space ":" space value)*)? space "}")",
         {"space", "string", "value"}},
        {"value",
         R"(object | array | string | number | boolean | "null")",
         {"object", "array", "string", "number", "boolean"}},
    }};
    return all;
}

/// Text between quotes as GBNF writes it.
std::string literal(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted + '"';
}

class GrammarWriter {
public:
    GrammarWriter() {
        for (const auto& primitive : primitives()) names_.emplace(primitive.name);
    }

    /// A rule `name` for what `schema` admits; its name, or that of the rule that says the same.
    Result<std::string> add_schema(const json::value& schema, const std::string& name) {
        root_ = &schema;
        return value_rule(schema, name, 0);
    }
    std::string add_rule(const std::string& name, const std::string& body) {
        const auto own = own_name(name);
        rules_.emplace_back(own, body);
        return own;
    }
    std::string primitive(std::string_view name) {
        if (!used_.emplace(name).second) return std::string(name);
        const auto found = std::ranges::find(primitives(), name, &Primitive::name);
        for (const auto& needed : found->needs) primitive(needed);
        return std::string(name);
    }
    /// The whole grammar, for a reply that is `root`.
    [[nodiscard]] Result<std::string> text(std::string_view root) const {
        std::string text = fmt::format("root ::= {}\n", root);
        for (const auto& [name, body] : rules_) text += fmt::format("{} ::= {}\n", name, body);
        for (const auto& [name, body, needs] : primitives()) {
            if (used_.contains(name)) text += fmt::format("{} ::= {}\n", name, body);
        }
        if (text.size() > kGrammarBytesMax) {
            return fail(Code::unsupported, "the schema is too large for a grammar", "ask for less at a time");
        }
        return text;
    }

private:
    static std::unexpected<Error> refuse(const std::string& where, const std::string& what) {
        return fail(Code::unsupported, fmt::format("no grammar for {}: {}", where, what),
                    "use a strict schema: objects with all fields required, arrays, enums, plain types, null");
    }

    /// Letters, digits and hyphens, and no other rule's name.
    std::string own_name(const std::string& wanted) {
        std::string name;
        for (const char c : wanted) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
        std::string own = name;
        for (int i = 2; !names_.insert(own).second; ++i) own = fmt::format("{}-{}", name, i);
        return own;
    }

    /// What may stand for `schema` in the body of a rule: a rule's name or a literal.
    Result<std::string> value_rule(const json::value& schema, const std::string& name, int depth) {
        const auto* object = schema.if_object();
        if (object == nullptr) return refuse(name, "a schema must be an object");
        if (depth > kSchemaDepthMax) return refuse(name, "it is nested too deeply");
        if (auto known = check_keywords(*object, name); !known) return fail(known.error());
        if (const auto* reference = object->if_contains("$ref")) return referred(*reference, name, depth);
        if (const auto* values = object->if_contains("enum")) return one_of_values(*values, name);
        if (const auto* value = object->if_contains("const")) return add_rule(name, literal(to_text(*value)));
        if (const auto* options = object->if_contains("anyOf")) return any_of(*options, name, depth);
        const auto* type = object->if_contains("type");
        if (type == nullptr) return refuse(name, "it has no type");
        if (type->is_string()) return typed(*object, type->get_string(), name, depth);
        if (type->is_array()) return one_of_types(*object, type->get_array(), name, depth);
        return refuse(name, "its type is neither a name nor a list of names");
    }

    static Result<> check_keywords(const json::object& schema, const std::string& name) {
        static const std::set<std::string_view> kKnown{"$defs",    "$ref",       "$schema",  "additionalProperties",
                                                       "anyOf",    "const",      "default",  "description",
                                                       "enum",     "examples",   "items",    "maxItems",
                                                       "minItems", "properties", "required", "title",
                                                       "type"};
        for (const auto& field : schema) {
            if (!kKnown.contains(field.key()))
                return refuse(name, fmt::format("{} is not understood", std::string_view(field.key())));
        }
        return {};
    }

    Result<std::string> typed(const json::object& schema, std::string_view type, const std::string& name, int depth) {
        if (type == "object") return object_rule(schema, name, depth);
        if (type == "array") return array_rule(schema, name, depth);
        if (type == "null") return literal("null");
        if (type == "string" || type == "integer" || type == "number" || type == "boolean") return primitive(type);
        return refuse(name, fmt::format("there is no type {}", type));
    }

    Result<std::string> one_of_types(const json::object& schema, const json::array& types, const std::string& name,
                                     int depth) {
        std::vector<std::string> options;
        for (const auto& type : types) {
            if (!type.is_string()) return refuse(name, "its type is neither a name nor a list of names");
            auto option = typed(schema, type.get_string(),
                                fmt::format("{}-{}", name, std::string_view(type.get_string())), depth);
            if (!option) return option;
            options.push_back(std::move(*option));
        }
        return alternatives(options, name);
    }

    Result<std::string> any_of(const json::value& schemas, const std::string& name, int depth) {
        std::vector<std::string> options;
        if (!schemas.is_array()) return refuse(name, "anyOf is no list");
        for (const auto& schema : schemas.get_array()) {
            auto option = value_rule(schema, fmt::format("{}-{}", name, options.size() + 1), depth + 1);
            if (!option) return option;
            options.push_back(std::move(*option));
        }
        return alternatives(options, name);
    }

    Result<std::string> one_of_values(const json::value& values, const std::string& name) {
        std::vector<std::string> options;
        if (!values.is_array()) return refuse(name, "enum is no list");
        for (const auto& value : values.get_array()) options.push_back(literal(to_text(value)));
        return alternatives(options, name);
    }

    Result<std::string> alternatives(const std::vector<std::string>& options, const std::string& name) {
        if (options.empty()) return refuse(name, "nothing is allowed");
        return add_rule(name, fmt::format("{}", fmt::join(options, " | ")));
    }

    Result<std::string> object_rule(const json::object& schema, const std::string& name, int depth) {
        const auto* properties = schema.if_contains("properties");
        const auto* others = schema.if_contains("additionalProperties");
        if (properties == nullptr || !properties->is_object()) return refuse(name, "it does not say its fields");
        if (others != nullptr && *others != json::value(false)) return refuse(name, "it may have other fields");
        const auto own = own_name(name);
        std::vector<std::string> fields;
        for (const auto& property : properties->get_object()) {
            const std::string key = property.key();
            if (!is_required(schema, key)) return refuse(name, fmt::format("its field {} may be left out", key));
            const auto value = value_rule(property.value(), fmt::format("{}-{}", name, key), depth + 1);
            if (!value) return value;
            fields.push_back(fmt::format("{} space {} ", literal(to_text(json::value(key)) + ":"), *value));
        }
        primitive("space");
        rules_.emplace_back(own, fmt::format(R"("{{" space {}{}"}}")", fmt::join(fields, R"("," space )"),
                                             fields.empty() ? "" : "space "));
        return own;
    }

    static bool is_required(const json::object& schema, std::string_view key) {
        const auto* required = schema.if_contains("required");
        return required != nullptr && required->is_array() &&
               std::ranges::any_of(required->get_array(), [&](const auto& field) { return field == json::value(key); });
    }

    Result<std::string> array_rule(const json::object& schema, const std::string& name, int depth) {
        const auto own = own_name(name);
        const auto* items = schema.if_contains("items");
        if (items == nullptr) return refuse(name, "it does not say what its items are");
        const auto least = bound(schema, "minItems", 0);
        const auto most = bound(schema, "maxItems", kRepeatMax);
        if (!least || !most || *least > *most || *most > kRepeatMax) {
            return refuse(name, fmt::format("minItems and maxItems must be 0 to {}, in order", kRepeatMax));
        }
        const auto item = value_rule(*items, name + "-item", depth + 1);
        if (!item) return item;
        const bool is_bounded = schema.contains("maxItems");
        std::string body;
        if (*most > 0) {
            const auto more = *least > 0 ? *least - 1 : 0;
            const auto repeat = is_bounded ? fmt::format("{{{},{}}}", more, *most - 1)
                                : more > 0 ? fmt::format("{{{},}}", more)
                                           : "*";
            body = fmt::format("{0} (\",\" space {0}){1}", *item, repeat);
            if (*least == 0) body = fmt::format("({})?", body);
        }
        primitive("space");
        rules_.emplace_back(own, fmt::format("\"[\" space {}{}space \"]\"", body, body.empty() ? "" : " "));
        return own;
    }

    static std::optional<std::uint64_t> bound(const json::object& schema, std::string_view key,
                                              std::uint64_t otherwise) {
        const auto* value = schema.if_contains(key);
        if (value == nullptr) return otherwise;
        boost::system::error_code wrong;
        const auto number = value->to_number<std::uint64_t>(wrong);
        return wrong ? std::nullopt : std::optional(number);
    }

    /// "#/$defs/Step": one rule for all who refer to it, also for those within it.
    Result<std::string> referred(const json::value& reference, const std::string& name, int depth) {
        constexpr std::string_view kHere = "#/$defs/";
        const auto* path = reference.if_string();
        if (path == nullptr || !std::string_view(*path).starts_with(kHere))
            return refuse(name, "$ref must be #/$defs/…");
        const std::string target(std::string_view(*path).substr(kHere.size()));
        if (const auto found = referred_.find(target); found != referred_.end()) return found->second;
        const auto* definitions = root_->is_object() ? root_->get_object().if_contains("$defs") : nullptr;
        const auto* schema = definitions != nullptr && definitions->is_object()
                                 ? definitions->get_object().if_contains(target)
                                 : nullptr;
        if (schema == nullptr) return refuse(name, fmt::format("there is no {} in $defs", target));
        const auto own = own_name("def-" + target);
        referred_[target] = own;
        const auto value = value_rule(*schema, own + "-value", depth + 1);
        if (!value) return value;
        rules_.emplace_back(own, *value);
        return own;
    }

    const json::value* root_ = nullptr;
    std::vector<std::pair<std::string, std::string>> rules_;
    std::set<std::string> names_{"root"};
    std::set<std::string, std::less<>> used_;
    std::map<std::string, std::string> referred_;
};

/// The rule for calls of the request's tools.
std::string add_calls(GrammarWriter& grammar, const std::vector<Tool>& tools) {
    std::vector<std::string> calls;
    for (const auto& tool : tools) {
        // Tried apart first: what a refused schema leaves behind must not get into the grammar.
        GrammarWriter trial;
        const bool can_say = trial.add_schema(tool.parameters, "arguments").has_value();
        const auto arguments =
            can_say ? *grammar.add_schema(tool.parameters, "arguments-" + tool.name) : grammar.primitive("object");
        const auto begin = fmt::format("{{\"name\": {}, \"arguments\": ", to_text(json::value(tool.name)));
        calls.push_back(
            grammar.add_rule("call-" + tool.name, fmt::format("{} {} {}", literal(begin), arguments, literal("}"))));
    }
    const auto call = grammar.add_rule("call", fmt::format("{}", fmt::join(calls, " | ")));
    return grammar.add_rule(
        "calls", fmt::format("{} {} (\", \" {}){{0,{}}} {}", literal(fmt::format("{{\"{}\": [", llama::kToolCallsKey)),
                             call, call, llama::kToolCallsMax - 1, literal("]}")));
}

}  // namespace

Result<std::string> grammar_of(const json::value& schema) {
    GrammarWriter grammar;
    const auto value = grammar.add_schema(schema, "reply");
    if (!value) return fail(value.error());
    return grammar.text(*value);
}

namespace llama {

bool offers_tools(const ChatRequest& request) {
    return !request.tools.empty() && request.tool_choice != ToolChoice::none;
}

Result<std::string> reply_grammar(const ChatRequest& request) {
    if (!offers_tools(request)) return request.output ? grammar_of(request.output->schema) : Result<std::string>("");
    GrammarWriter grammar;
    std::vector<std::string> replies{add_calls(grammar, request.tools)};
    if (request.tool_choice == ToolChoice::automatic && request.output) {
        auto shaped = grammar.add_schema(request.output->schema, "reply");
        if (!shaped) return fail(shaped.error());
        replies.push_back(std::move(*shaped));
    } else if (request.tool_choice == ToolChoice::automatic) {
        replies.push_back(grammar.add_rule("text", R"(([^{ \t\r\n] .*)?)"));
    }
    // Many models begin with a space, and some weak ones would write nothing else.
    return grammar.text(fmt::format("[ \\n]{{0,4}} ({})", fmt::join(replies, " | ")));
}

}  // namespace llama

}  // namespace quaestor::llm
