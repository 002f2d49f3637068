#include "net/lookup.hpp"

#include "base/bell.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <memory>
#include <mutex>
#include <netdb.h>
#include <optional>
#include <utility>

namespace quaestor::net {

namespace {

Result<Endpoints> look_up(const std::string& host, const std::string& port) {
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    wanted.ai_flags = AI_NUMERICSERV;
    addrinfo* found = nullptr;
    if (const int failure = getaddrinfo(host.c_str(), port.c_str(), &wanted, &found); failure != 0) {
        return fail(Code::unavailable, fmt::format("could not find the address of {}: {}", host, gai_strerror(failure)),
                    "check the name and the network");
    }
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> keep(found, freeaddrinfo);
    Endpoints endpoints;
    for (const addrinfo* entry = found; entry != nullptr; entry = entry->ai_next) {
        asio::ip::tcp::endpoint endpoint;
        if (entry->ai_addrlen > endpoint.capacity()) continue;
        std::copy_n(reinterpret_cast<const char*>(entry->ai_addr), entry->ai_addrlen,
                    reinterpret_cast<char*>(endpoint.data()));
        endpoint.resize(entry->ai_addrlen);
        endpoints.push_back(endpoint);
    }
    return endpoints;
}

/// What a lookup and the task that waits for it share; the task may leave first.
struct Question {
    std::mutex mutex;
    Bell* bell = nullptr;
    std::optional<Result<Endpoints>> answer;

    void answer_with(Result<Endpoints> found) {
        const std::lock_guard lock(mutex);
        answer = std::move(found);
        if (bell != nullptr) bell->ring();
    }
};

/// Waits for the answer, and lets go of the bell whatever ends the wait.
class Asker {
public:
    Asker(std::shared_ptr<Question> question, const asio::any_io_executor& executor)
        : question_(std::move(question)), bell_(executor) {
        question_->bell = &bell_;
    }
    ~Asker() {
        const std::lock_guard lock(question_->mutex);
        question_->bell = nullptr;
    }
    Asker(const Asker&) = delete;
    Asker& operator=(const Asker&) = delete;

    Task<> wait() { return bell_.wait(); }

private:
    std::shared_ptr<Question> question_;
    Bell bell_;
};

}  // namespace

Task<Result<Endpoints>> Lookup::find(std::string host, std::string port) {
    boost::system::error_code is_name;
    const auto address = asio::ip::make_address(host, is_name);
    if (!is_name) {
        std::uint16_t number = 0;
        std::from_chars(port.data(), port.data() + port.size(), number);
        co_return Endpoints{{address, number}};
    }
    auto question = std::make_shared<Question>();
    Asker asker(question, co_await asio::this_coro::executor);
    asio::post(threads_, [question, host, port] { question->answer_with(look_up(host, port)); });
    co_await asker.wait();
    const std::lock_guard lock(question->mutex);
    co_return std::move(*question->answer);
}

}  // namespace quaestor::net
