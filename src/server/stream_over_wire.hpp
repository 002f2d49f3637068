// Private to server/: where the endpoint of a stream writes: a chunk for each write, in one call of the system.
// Belongs to the connection, which tells it when the other side is gone.
// Threads: those of one loop.
#pragma once

#include "server/message.hpp"
#include "server/wire.hpp"

#include <string>

namespace quaestor::server {

class StreamOverWire final : public StreamWriter {
public:
    /// Without chunks, for HTTP/1.0, the bytes go out as they are.
    StreamOverWire(Wire& wire, Duration patience, bool in_chunks)
        : wire_(wire), patience_(patience), in_chunks_(in_chunks) {}

    Task<Result<>> write(std::string_view bytes) override;
    [[nodiscard]] const CancelToken& gone() const override { return token_; }

    /// The endpoint should end; what it still writes goes out.
    void ask_to_end() { source_.cancel(CancelReason::shutdown); }
    /// There is nobody any more.
    void lose(Error why);
    [[nodiscard]] bool is_lost() const { return lost_.has_value(); }

private:
    Wire& wire_;
    Duration patience_;
    bool in_chunks_;
    CancelSource source_;
    CancelToken token_ = source_.token();
    std::optional<Error> lost_;
};

}  // namespace quaestor::server
