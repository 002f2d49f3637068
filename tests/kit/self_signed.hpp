// A key and a self-signed certificate for a test server, made on the spot so that no secret lies in the repository.
// Owns the OpenSSL context that uses them, and PEM files of both, which the destructor removes.
// Threads: immutable.
#pragma once

#include <arpa/inet.h>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace quaestor::test {

class SelfSigned {
public:
    SelfSigned(const std::string& host, bool is_expired) {
        const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
        const std::unique_ptr<X509, decltype(&X509_free)> certificate(X509_new(), X509_free);
        fill_in(certificate.get(), key.get(), host, is_expired);
        require(SSL_CTX_use_certificate(context_.get(), certificate.get()) == 1 &&
                SSL_CTX_use_PrivateKey(context_.get(), key.get()) == 1);
        write_file(file_, [&](std::FILE* file) { return PEM_write_X509(file, certificate.get()); });
        write_file(key_file_, [&](std::FILE* file) {
            return PEM_write_PrivateKey(file, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
        });
    }
    ~SelfSigned() {
        std::filesystem::remove(file_);
        std::filesystem::remove(key_file_);
    }
    SelfSigned(const SelfSigned&) = delete;
    SelfSigned& operator=(const SelfSigned&) = delete;

    [[nodiscard]] SSL_CTX* context() const { return context_.get(); }
    [[nodiscard]] const std::string& file() const { return file_; }
    [[nodiscard]] const std::string& key_file() const { return key_file_; }

private:
    static constexpr long kDay = 24 * 60 * 60;

    static void require(bool holds) {
        if (!holds) throw std::runtime_error("OpenSSL could not make a certificate");
    }

    static void fill_in(X509* certificate, EVP_PKEY* key, const std::string& host, bool is_expired) {
        X509_set_version(certificate, X509_VERSION_3);
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
        X509_gmtime_adj(X509_getm_notBefore(certificate), -2 * kDay);
        X509_gmtime_adj(X509_getm_notAfter(certificate), is_expired ? -kDay : kDay);
        X509_set_pubkey(certificate, key);
        X509_NAME* const name = X509_get_subject_name(certificate);
        const auto* const text = reinterpret_cast<const unsigned char*>("Quaestor test server");
        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, text, -1, -1, 0);
        X509_set_issuer_name(certificate, name);

        in6_addr address{};
        const bool is_address =
            inet_pton(AF_INET, host.c_str(), &address) == 1 || inet_pton(AF_INET6, host.c_str(), &address) == 1;
        add_extension(certificate, NID_subject_alt_name, (is_address ? "IP:" : "DNS:") + host);
        add_extension(certificate, NID_basic_constraints, "critical,CA:TRUE");
        require(X509_sign(certificate, key, EVP_sha256()) > 0);
    }

    static void add_extension(X509* certificate, int kind, const std::string& value) {
        X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str());
        require(extension != nullptr);
        X509_add_ext(certificate, extension, -1);
        X509_EXTENSION_free(extension);
    }

    template <class Write>
    static void write_file(std::string& name, Write write) {
        name = (std::filesystem::temp_directory_path() / "quaestor-test-pem-XXXXXX").string();
        const int handle = mkstemp(name.data());
        std::FILE* const file = handle < 0 ? nullptr : fdopen(handle, "w");
        require(file != nullptr && write(file) == 1);
        std::fclose(file);
    }

    std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context_{SSL_CTX_new(TLS_server_method()), SSL_CTX_free};
    std::string file_;
    std::string key_file_;
};

}  // namespace quaestor::test
