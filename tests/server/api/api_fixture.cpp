#include "api_fixture.hpp"

#include "base/text.hpp"

#include <boost/algorithm/string/predicate.hpp>
#include <boost/asio/detached.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace quaestor::server::testing {

namespace {

using namespace std::chrono_literals;

/// For what never comes; a machine under load and sanitizers is slow.
constexpr auto kPatience = 60s;

std::string value_after(std::string_view line, std::string_view name) {
    return line.starts_with(name) ? std::string(line.substr(name.size())) : std::string();
}

}  // namespace

std::string Got::header(std::string_view name) const {
    for (const auto& header : headers) {
        if (boost::algorithm::iequals(header.name, name)) return header.value;
    }
    return {};
}

Task<Result<>> Listener::write(std::string_view bytes) {
    if (token_.cancelled()) co_return fail(Code::unavailable, "the client is gone");
    text += bytes;
    writes.emplace_back(bytes);
    co_return Result<>();
}

std::vector<Heard> Listener::events() const {
    std::vector<Heard> all;
    Heard next;
    for (const auto& line : text::lines(text)) {
        if (auto id = value_after(line, "id: "); !id.empty()) next.id = std::move(id);
        if (auto name = value_after(line, "event: "); !name.empty()) next.name = std::move(name);
        if (auto data = value_after(line, "data: "); !data.empty()) {
            next.data = parse_json(data).value().as_object();
            all.push_back(std::exchange(next, {}));
        }
    }
    return all;
}

std::vector<std::string> Listener::names() const {
    std::vector<std::string> names;
    for (const auto& event : events()) names.push_back(event.name);
    return names;
}

Heard Listener::event(std::string_view name) const {
    for (auto& event : events()) {
        if (event.name == name) return event;
    }
    ADD_FAILURE() << "no event " << name << " in\n" << text;
    return {};
}

std::string Listener::talk() const {
    std::string talk;
    for (const auto& event : events()) {
        if (event.name == "agent_talk") talk += event.data.at("content").as_string();
    }
    return talk;
}

ServiceSettings ApiTest::settings() {
    ServiceSettings settings;
    settings.runner = "server test 1";
    settings.run.durability = graph::Durability::sync;
    return settings;
}

ApiTest::ApiTest() {
    store::StoreSettings where;
    where.path = folder_.file("store.sqlite");
    where.fsync = false;
    store_ = store::open_store(where).value();
    use(settings());
}

ApiTest::~ApiTest() {
    store_.reset();  // its threads are still about to let go of the loops
}

void ApiTest::use(ServiceSettings settings, std::vector<std::string> agents) {
    if (life_.loop) killed_.push_back(std::move(life_));
    life_ = Life();
    life_.loop = std::make_unique<asio::io_context>(1);
    life_.directory = std::make_shared<FakeDirectory>(std::move(agents));
    const auto spawn = [loop = life_.loop.get()](Task<> task) {
        asio::co_spawn(*loop, std::move(task), asio::detached);
    };
    life_.service = std::make_unique<Service>(ServiceParts{.store = *store_,
                                                           .agents = life_.directory,
                                                           .documents = nullptr,
                                                           .keys = &keys_,
                                                           .spawn = spawn,
                                                           .gauges = {},
                                                           .files = {},
                                                           .clock = clock_},
                                              std::move(settings));
}

void ApiTest::restart(ServiceSettings settings) {
    use(std::move(settings));
}

Request ApiTest::request(std::string method, std::string path, std::string body, std::string session) {
    Request made;
    made.method = std::move(method);
    const auto question = path.find('?');
    made.path = path.substr(0, question);
    if (question != std::string::npos) {
        const std::string query = path.substr(question + 1);
        const auto equals = query.find('=');
        made.query[query.substr(0, equals)] = query.substr(equals + 1);
    }
    made.body = std::move(body);
    made.request_id = "r1";
    made.peer = "127.0.0.1";
    if (!session.empty()) made.headers.push_back({"X-Session-Id", std::move(session)});
    return made;
}

void ApiTest::until(const std::function<bool()>& is_there) {
    const auto work = asio::make_work_guard(*life_.loop);
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!is_there()) {
        life_.loop->restart();
        if (life_.loop->run_one_until(end) == 0) throw std::runtime_error("what the test waits for does not come");
    }
}

Reply ApiTest::reply_to(Request request) {
    std::optional<Reply> reply;
    const auto keep = [](Task<Reply> task, std::optional<Reply>& result) -> Task<> {
        result.emplace(co_await std::move(task));
    };
    asio::co_spawn(*life_.loop, keep(life_.service->handle(std::move(request)), reply), asio::detached);
    until([&] { return reply.has_value(); });
    return std::move(*reply);
}

Got ApiTest::get(Request request) {
    Reply reply = reply_to(std::move(request));
    if (auto* response = std::get_if<Response>(&reply)) {
        return {response->status, std::move(response->headers), std::move(response->body)};
    }
    ADD_FAILURE() << "this is a stream or a file";
    return {};
}

Got ApiTest::get(std::string method, std::string path, std::string body, std::string session) {
    return get(request(std::move(method), std::move(path), std::move(body), std::move(session)));
}

std::shared_ptr<Listener> ApiTest::open(Request request) {
    Reply reply = reply_to(std::move(request));
    auto listener = std::make_shared<Listener>();
    if (auto* response = std::get_if<Response>(&reply)) {
        EXPECT_EQ(response->status, 200) << response->body;
        listener->text = response->body;
        listener->ended = true;
        return listener;
    }
    auto& stream = std::get<StreamResponse>(reply);
    listener->headers = stream.headers;
    const auto follow = [](std::function<Task<>(StreamWriter&)> body, std::shared_ptr<Listener> to) -> Task<> {
        co_await body(*to);
        to->ended = true;
    };
    asio::co_spawn(*life_.loop, follow(std::move(stream.body), listener), asio::detached);
    return listener;
}

std::shared_ptr<Listener> ApiTest::ask(std::string question, std::string thread, std::string session) {
    return open(request("POST", "/api/chat/stream", chat_body(question, thread), std::move(session)));
}

void ApiTest::until_ended(const Listener& listener) {
    until([&] { return listener.ended; });
}

std::string ApiTest::run_of(const Listener& listener) {
    until([&] { return listener.text.contains("event: run\n"); });
    return std::string(listener.event("run").data.at("run_id").as_string());
}

std::string chat_body(std::string_view question, std::string_view thread) {
    json::object body{{"question", question}};
    if (!thread.empty()) body["thread_id"] = thread;
    return to_text(body);
}

}  // namespace quaestor::server::testing
