// What a streamed token costs over the raw socket: a local server streams a reply as fast as it is read, once to a loop
// that only reads bytes, once to a chat model that takes HTTP, events and JSON apart and tells each piece. Counted is
// the processor time of the reading thread: by the wall clock both would only wait for the server. usage:
// provider_bench
#include "base/task.hpp"
#include "bench_kit.hpp"
#include "llm/http_chat_model.hpp"
#include "net/http_client.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>

#include <array>
#include <ctime>
#include <string>
#include <thread>

using namespace quaestor;
using namespace quaestor::bench;
using asio::ip::tcp;

namespace {

constexpr int kTokens = 5'000;
constexpr double kBetweenTokensUs = 60;
constexpr int kRounds = 7;

std::string chunk_of(const std::string& text) {
    return fmt::format("{:x}\r\n{}\r\n", text.size(), text);
}

std::string token_event(int i) {
    return fmt::format(
        "data: {{\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"model\":\"m\",\"choices\":"
        "[{{\"index\":0,\"delta\":{{\"content\":\" word{}\"}},\"finish_reason\":null}}]}}\n\n",
        i % 10);
}

/// Answers each connection's one request with a stream of tokens, each written on its own.
class StreamingServer {
public:
    StreamingServer() : acceptor_(loop_, {asio::ip::address_v4::loopback(), 0}), thread_([this] { serve(); }) {}
    ~StreamingServer() {
        boost::system::error_code ignored;
        tcp::socket waker(loop_);
        ends_ = true;
        waker.connect(acceptor_.local_endpoint(), ignored);
        thread_.join();
    }
    StreamingServer(const StreamingServer&) = delete;
    StreamingServer& operator=(const StreamingServer&) = delete;

    [[nodiscard]] tcp::endpoint place() const { return acceptor_.local_endpoint(); }

private:
    void serve() {
        while (true) {
            tcp::socket client = acceptor_.accept();
            if (ends_) return;
            client.set_option(tcp::no_delay(true));
            std::string request;
            asio::read_until(client, asio::dynamic_buffer(request), "\r\n\r\n");
            boost::system::error_code gone;
            write(client,
                  "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n"
                  "connection: close\r\n\r\n",
                  gone);
            for (int i = 0; i < kTokens && !gone; ++i) {
                const double sent = now_us();
                write(client, chunk_of(token_event(i)), gone);
                while (now_us() < sent + kBetweenTokensUs) {  // a sleep would be coarser than this
                }
            }
            write(client, chunk_of("data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"),
                  gone);
            write(client, chunk_of("data: [DONE]\n\n") + "0\r\n\r\n", gone);
        }
    }

    static void write(tcp::socket& client, const std::string& bytes, boost::system::error_code& gone) {
        asio::write(client, asio::buffer(bytes), gone);
    }

    asio::io_context loop_;
    tcp::acceptor acceptor_;
    std::atomic<bool> ends_ = false;
    std::thread thread_;
};

double thread_us() {
    timespec used{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) * 1e6 + static_cast<double>(used.tv_nsec) / 1e3;
}

double time_raw(const tcp::endpoint& place) {
    asio::io_context loop;
    const double began = thread_us();
    tcp::socket socket(loop);
    socket.connect(place);
    asio::write(socket, asio::buffer(std::string("POST / HTTP/1.1\r\nhost: h\r\ncontent-length: 0\r\n\r\n")));
    std::array<char, 16 << 10> space{};
    boost::system::error_code ended;
    std::size_t bytes = 0;
    while (!ended) bytes += socket.read_some(asio::buffer(space), ended);
    if (bytes < std::size_t{kTokens}) give_up("the stream was cut short");
    return thread_us() - began;
}

double time_model(const tcp::endpoint& place) {
    net::HttpClient client;
    llm::HttpChatModel model(llm::openai_protocol({.name = "openai/m",
                                                   .model = "m",
                                                   .base_url = fmt::format("http://127.0.0.1:{}/v1", place.port()),
                                                   .key = {},
                                                   .temperature = {},
                                                   .max_tokens = {}}),
                             client);
    int pieces = 0;
    const double began = thread_us();
    const auto reply =
        run_to_end(model.chat({.messages = {llm::user("go on")}}, {.on_delta = [&](const llm::Delta&) -> Task<> {
                                  ++pieces;
                                  co_return;
                              }}));
    if (!reply) give_up(reply.error().error.describe());
    if (pieces != kTokens) give_up("pieces are missing");
    return thread_us() - began;
}

}  // namespace

int main() {
    StreamingServer server;
    std::vector<double> overheads;
    std::vector<double> raws;
    for (int round = -1; round < kRounds; ++round) {
        const double raw = time_raw(server.place()) / kTokens;
        const double ours = time_model(server.place()) / kTokens;
        if (round < 0) continue;
        raws.push_back(raw);
        overheads.push_back(ours - raw);
    }
    emit("provider", "streamed_token_over_raw_socket", overheads, "us/token", kTokens,
         {{"raw", median(raws)}, {"at_most", 20}});
}
