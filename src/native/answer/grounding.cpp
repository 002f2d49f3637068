#include "native/answer/grounding.hpp"

#include "native/answer/tracer.hpp"

#include <algorithm>

namespace quaestor::native {

std::size_t Grounding::traced() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(claims, [](const Claim& claim) { return claim.origin != Origin::none; }));
}

std::vector<std::string> Grounding::untraced() const {
    std::vector<std::string> out;
    for (const Claim& claim : claims) {
        if (claim.origin == Origin::none) out.push_back(claim.text);
    }
    return out;
}

Grounding check_grounding(std::string_view answer, const Evidence& evidence) {
    return check_grounding(answer, EvidenceIndex(evidence));
}

Grounding check_grounding(std::string_view answer, const EvidenceIndex& index) {
    const MarkedText marked = mark_text(answer, index.numbered_names(), kClaimsMax);
    return {Tracer(index, marked).claims(answer)};
}

}  // namespace quaestor::native
