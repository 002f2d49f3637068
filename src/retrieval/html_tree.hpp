// Private to retrieval/: an HTML page as a tree (gumbo), and which of its parts are no content.
// The tree owns its nodes; nodes are borrowed from it.
// Threads: one tree belongs to one thread.
#pragma once

#include "base/error.hpp"

#include <gumbo.h>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>

namespace quaestor::retrieval {

class HtmlTree {
public:
    /// `page` is borrowed. Code::limit_exceeded when elements are nested too deeply.
    [[nodiscard]] static Result<HtmlTree> parse(std::string_view page);

    [[nodiscard]] const GumboNode& root() const { return *output_->root; }

private:
    HtmlTree() = default;
    /// Nodes are freed all at once: gumbo would free them by a recursion as deep as the page.
    std::unique_ptr<std::pmr::monotonic_buffer_resource> memory_;
    GumboOutput* output_ = nullptr;
};

[[nodiscard]] std::span<GumboNode* const> children_of(const GumboNode& node);
[[nodiscard]] bool is_element(const GumboNode& node, GumboTag tag);
/// Empty where there is none.
[[nodiscard]] std::string_view attribute(const GumboNode& node, const char* name);

/// Scripts, forms, navigation, banners, footers, what is hidden, and what its name says is beside the matter.
[[nodiscard]] bool is_boilerplate(const GumboNode& node);

/// <main>, role="main" or the one <article>, where the page marks its content; else the root.
[[nodiscard]] const GumboNode& content_of(const GumboNode& root);

/// The charset that the page declares in its first bytes; empty when none.
[[nodiscard]] std::string declared_charset(std::string_view page);

}  // namespace quaestor::retrieval
