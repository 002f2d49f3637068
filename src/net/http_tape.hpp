// HTTP on a tape: exchanges recorded while they happen, or replayed without a network. What keys travel in stays off
// the tape: headers of requests, users and key parameters in URLs, cookies that are set. Owns nothing; the port
// outlives it. Threads: as Http.
#pragma once

#include "base/tape.hpp"
#include "net/http.hpp"

#include <memory>

namespace quaestor::net {

class HttpOnTape final : public Http {
public:
    /// On a replay tape `inner` may be null. A replay gives the body to the sink in the pieces in which it came.
    HttpOnTape(std::shared_ptr<Tape> tape, Http* inner) : tape_(std::move(tape)), inner_(inner) {}
    Task<Result<HttpResponse>> stream(HttpCall call, BodySink sink) override;

private:
    std::shared_ptr<Tape> tape_;
    Http* inner_;
};

}  // namespace quaestor::net
