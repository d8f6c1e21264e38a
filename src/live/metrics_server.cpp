#include "live/metrics_server.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <list>
#include <optional>

#include "base/number.hpp"
#include "edagen/error.hpp"
#include "live/background.hpp"

namespace edagen {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;

constexpr auto patience = std::chrono::seconds(10);
constexpr std::size_t most_connections = 128;  ///< for which the target leaves descriptors (DescriptorBudget)
constexpr std::uint32_t longest_header = 8 * 1024;

void keep_from_children(int descriptor) { ::fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

}  // namespace

Endpoint parse_endpoint(const std::string& text, const std::string& where) {
  const auto bad = [&] {
    return usage_error(where, fmt::format("'{}' is not ADDRESS:PORT", text), "9464, 127.0.0.1:9464, [::1]:9464");
  };
  Endpoint endpoint;
  const std::size_t colon = text.rfind(':');
  const std::string port = colon == std::string::npos ? text : text.substr(colon + 1);
  const auto number = whole_number_of<unsigned short>(port);
  if (!number) throw bad();
  endpoint.port = *number;
  if (colon == std::string::npos || colon == 0) return endpoint;
  endpoint.address = text.substr(0, colon);
  const bool brackets = endpoint.address.starts_with('[') && endpoint.address.ends_with(']');
  if (brackets) endpoint.address = endpoint.address.substr(1, endpoint.address.size() - 2);
  if (endpoint.address == "localhost") endpoint.address = "127.0.0.1";
  boost::system::error_code unknown;
  const auto address = asio::ip::make_address(endpoint.address, unknown);
  if (unknown || address.is_v6() != brackets) throw bad();
  return endpoint;
}

std::string to_string(const Endpoint& endpoint) {
  const bool is_v6 = endpoint.address.find(':') != std::string::npos;
  return fmt::format("{}:{}", is_v6 ? "[" + endpoint.address + "]" : endpoint.address, endpoint.port);
}

/// One request and its answer.
class MetricsServer::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, const Text& text) : stream_(std::move(socket)), text_(text) {
    parser_.header_limit(longest_header);
    parser_.body_limit(0);
  }

  void begin() {
    stream_.expires_after(patience);
    http::async_read(
        stream_, buffer_, parser_,
        [self = shared_from_this()](boost::system::error_code error, std::size_t) { self->answer(error); });
  }
  void close() {
    boost::system::error_code ignored;
    stream_.socket().close(ignored);
  }

 private:
  void answer(boost::system::error_code error) {
    if (error && error.category() != http::make_error_code(http::error::bad_method).category()) return close();
    if (error == http::error::end_of_stream || error == http::error::partial_message) return close();
    const auto& request = parser_.get();
    if (error) return send(http::status::bad_request, "what came is no request\n");
    if (request.method() != http::verb::get && request.method() != http::verb::head)
      return send(http::status::method_not_allowed, "GET and HEAD alone\n");
    const beast::string_view path = request.target().substr(0, request.target().find('?'));
    if (path != "/metrics") return send(http::status::not_found, "metrics are at /metrics\n");
    const bool open = request[http::field::accept].find("application/openmetrics-text") != beast::string_view::npos;
    body_ = text_(open);
    send(http::status::ok, {},
         open ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
              : "text/plain; version=0.0.4; charset=utf-8");
  }

  void send(http::status status, const std::string& text, const char* type = "text/plain; charset=utf-8") {
    if (!body_) body_ = std::make_shared<const std::string>(text);
    head_.result(status);
    head_.version(11);
    head_.set(http::field::content_type, type);
    head_.set(http::field::connection, "close");
    if (status == http::status::method_not_allowed) head_.set(http::field::allow, "GET, HEAD");
    head_.content_length(body_->size());
    if (parser_.get().method() != http::verb::head) head_.body() = {body_->data(), body_->size()};
    serializer_.emplace(head_);
    http::async_write(stream_, *serializer_, [self = shared_from_this()](boost::system::error_code, std::size_t) {
      boost::system::error_code ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
      self->close();
    });
  }

  beast::tcp_stream stream_;
  const Text& text_;
  beast::flat_buffer buffer_{longest_header + 1024};
  http::request_parser<http::empty_body> parser_;
  std::shared_ptr<const std::string> body_;
  http::response<http::span_body<const char>> head_;
  std::optional<http::response_serializer<http::span_body<const char>>> serializer_;
};

struct MetricsServer::Loop {
  explicit Loop(Text its_text) : text(std::move(its_text)) {}

  void accept() {
    acceptor.async_accept([this](boost::system::error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) {  // no descriptor is free: those that are open end soon
        retry.expires_after(std::chrono::milliseconds(100));
        retry.async_wait([this](boost::system::error_code ended) {
          if (!ended) accept();
        });
        return;
      }
      accept();  // first: what is thrown for this one is not to keep others away
      begin(std::move(socket));
    });
  }

  void begin(tcp::socket socket) {
    keep_from_children(socket.native_handle());
    connections.remove_if([](const auto& connection) { return connection.expired(); });
    if (connections.size() >= most_connections) {
      if (const auto oldest = connections.front().lock()) oldest->close();
      connections.pop_front();
    }
    const auto connection = std::make_shared<Connection>(std::move(socket), text);
    connections.push_back(connection);
    connection->begin();
  }

  /// Where there is no memory for an answer, a connection ends, and not the run.
  void serve() {
    for (;;) try {
        context.run();
        return;
      } catch (const std::exception&) {
      }
  }

  const Text text;
  asio::io_context context;
  tcp::acceptor acceptor{context};
  asio::steady_timer retry{context};
  std::list<std::weak_ptr<Connection>> connections;
};

MetricsServer::MetricsServer(const Endpoint& endpoint, const std::string& where, Text text)
    : loop_(std::make_shared<Loop>(std::move(text))) {
  const tcp::endpoint at(asio::ip::make_address(endpoint.address), endpoint.port);
  try {
    loop_->acceptor.open(at.protocol());
    keep_from_children(loop_->acceptor.native_handle());
    loop_->acceptor.set_option(tcp::acceptor::reuse_address(true));
    loop_->acceptor.bind(at);
    loop_->acceptor.listen(128);
  } catch (const boost::system::system_error& error) {
    throw usage_error(where, error.code().message());
  }
  loop_->accept();
  thread_ = std::thread([loop = loop_] {
    yield_to_the_load();
    loop->serve();
  });
}

MetricsServer::~MetricsServer() {
  loop_->context.stop();
  thread_.join();
}

std::string MetricsServer::url() const {
  const tcp::endpoint at = loop_->acceptor.local_endpoint();
  return "http://" + to_string(Endpoint{at.address().to_string(), at.port()}) + "/metrics";
}

}  // namespace edagen
