// Many people ask a running server at the same time: are all answers right, is none lost, and how long does it take?
// usage: answer_bench URL [PEOPLE]
#include "bench_kit.hpp"
#include "net/http_client.hpp"

#include <boost/asio/detached.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace quaestor::bench {

namespace {

struct KnownAnswer {
    const char* question;
    std::vector<std::string_view> contains;  ///< all of them; found with SQL written by hand over the same league
};

/// The league is the same on every machine, so its answers are known.
const std::vector<KnownAnswer>& known_answers() {
    static const std::vector<KnownAnswer> all{
        {"How many teams are there?", {"30 teams"}},
        {"List the teams in the Pacific division",
         {"Golden State Warriors", "Los Angeles Clippers", "Los Angeles Lakers", "Phoenix Suns", "Sacramento Kings"}},
        {"Which division are the Warriors in?", {"Golden State Warriors", "Pacific"}},
        {"How many players are there?", {"690 players"}},
        {"Which team won most games in 2024?", {"Dallas Mavericks", "54"}},
        {"Who is the head coach of the Celtics in 2025?", {"Moussa Kamarudeen"}},
        {"How many games did the Lakers win at home in 2023?", {"21"}},
        {"Which players come from Japan?",
         {"6 players", "Stellan Jimenoza", "Wendell Żeromsky", "Marek Walkerton", "Jomo Szymanowik", "Sekou Yarborough",
          "Bruno Kingsholt"}},
    };
    return all;
}
constexpr int kPeople = 512;
constexpr double kSlowestMs = 5'000;

net::HttpCall question_call(const std::string& url, int person, const char* question) {
    net::HttpCall call;
    call.request.method = "POST";
    call.request.url = url + "/api/chat";
    call.request.headers = {{"Content-Type", "application/json"}, {"X-Session-Id", fmt::format("person-{}", person)}};
    call.request.body = to_text(json::object{{"question", question}});
    call.limits.silence = std::chrono::minutes(2);
    return call;
}

/// What the server says to one who asks alone.
std::string answer_in(const Result<net::HttpResponse>& response) {
    if (!response) return response.error().describe();
    const auto body = parse_json(response->body);
    if (response->status != 200 || !body) return fmt::format("status {}: {}", response->status, response->body);
    return std::string(body->at("answer").as_string());
}

/// The answer as the server gives it, if it says what is known to be right.
bool is_right(const std::string& answer, const KnownAnswer& known) {
    return std::ranges::all_of(known.contains, [&](std::string_view part) { return answer.contains(part); });
}

struct Tally {
    std::vector<double> milliseconds;
    int wrong = 0;
};

Task<> ask_once(net::HttpClient& http, net::HttpCall call, const KnownAnswer& known, const std::string& alone,
                Tally& tally) {
    const double began = now_us();
    const std::string answer = answer_in(co_await http.send(std::move(call)));
    tally.milliseconds.push_back((now_us() - began) / 1'000);
    if (answer == alone && is_right(answer, known)) co_return;
    ++tally.wrong;
    fmt::print(stderr, "{} got: {}\n", known.question, answer.substr(0, 200));
}

void bench_answers(const std::string& url, int people) {
    net::HttpClient http;
    std::vector<std::string> alone;
    for (const auto& known : known_answers()) {
        alone.push_back(answer_in(run_to_end(http.send(question_call(url, -1, known.question)))));
        if (!is_right(alone.back(), known)) give_up(fmt::format("{} is answered {}", known.question, alone.back()));
    }
    asio::io_context loop(1);
    Tally tally;
    const double began = now_us();
    for (int person = 0; person < people; ++person) {
        const auto which = static_cast<std::size_t>(person) % alone.size();
        const auto& known = known_answers()[which];
        asio::co_spawn(loop, ask_once(http, question_call(url, person, known.question), known, alone[which], tally),
                       asio::detached);
    }
    loop.run();
    const double seconds = (now_us() - began) / 1'000'000;
    std::ranges::sort(tally.milliseconds);
    const auto share = [&](double part) {
        return tally.milliseconds[static_cast<std::size_t>(part * static_cast<double>(tally.milliseconds.size() - 1))];
    };
    if (tally.milliseconds.size() != static_cast<std::size_t>(people) || tally.wrong > 0) {
        give_up(fmt::format("{} of {} answers came, {} wrong", tally.milliseconds.size(), people, tally.wrong));
    }
    emit("answers_p50", "latency_p50", {share(0.50)}, "ms", people);
    emit("answers_p99", "latency_p99", {share(0.99)}, "ms", people, {{"at_most", kSlowestMs}});
    emit("answers", "answers_per_second", {people / seconds}, "1/s", people);
}

}  // namespace

}  // namespace quaestor::bench

int main(int count, char** arguments) {
    if (count < 2) {
        fmt::print(stderr, "usage: answer_bench URL [PEOPLE]\n");
        return 2;
    }
    quaestor::bench::bench_answers(arguments[1], count > 2 ? std::stoi(arguments[2]) : quaestor::bench::kPeople);
}
