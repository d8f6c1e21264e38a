#include "rpc/lying_server.hpp"

#include <sys/socket.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <deque>
#include <future>
#include <map>

#include "base/descriptor.hpp"
#include "rpc/record_reader.hpp"
#include "rpc/rpc_socket.hpp"

namespace edagen::testing {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using std::chrono::microseconds;

constexpr std::size_t read_bytes = 64 * 1024, max_record_bytes = 16 * 1024 * 1024;
constexpr microseconds pause_between_pieces(200);
constexpr microseconds active_wait(60);  ///< sleeping threads wake up later than asked for

ByteVector to_vector(ByteSpan bytes) { return {bytes.begin(), bytes.end()}; }

void append(ByteVector& bytes, ByteSpan more) { bytes.insert(bytes.end(), more.begin(), more.end()); }

/// False when the record is no call.
bool read_call(ByteSpan record, WireCall& call) {
  XdrReader reader(record);
  call.xid = reader.u32();
  if (reader.u32() != 0 || reader.u32() != 2) return false;
  call.program = reader.u32();
  call.version = reader.u32();
  call.procedure = reader.u32();
  call.flavor = reader.u32();
  XdrReader credential(reader.opaque(400));
  if (call.flavor == 1) {
    credential.u32();
    call.machine = credential.string(255);
    call.uid = credential.u32();
    call.gid = credential.u32();
    for (std::uint32_t count = credential.u32(); count > 0 && credential.ok(); --count)
      call.groups.push_back(credential.u32());
  }
  reader.u32();
  reader.opaque(400);
  call.arguments = to_vector(reader.rest());
  return reader.ok() && credential.ok();
}

}  // namespace

ByteVector xdr_bytes(const std::function<void(XdrWriter&)>& write) {
  for (std::size_t size = 4096;; size *= 4) {
    ByteVector room(size);
    XdrWriter writer(room);
    write(writer);
    if (writer.ok()) return to_vector(writer.written());
  }
}

ByteVector accepted_reply(std::uint32_t xid, ByteSpan results) {
  ByteVector record = xdr_bytes([&](XdrWriter& writer) {
    for (const std::uint32_t word : {xid, 1U, 0U, 0U, 0U, 0U}) writer.u32(word);
  });
  append(record, results);
  return record;
}

ByteVector unaccepted_reply(std::uint32_t xid, std::uint32_t accept_status, std::uint32_t low, std::uint32_t high) {
  return xdr_bytes([&](XdrWriter& writer) {
    for (const std::uint32_t word : {xid, 1U, 0U, 0U, 0U, accept_status}) writer.u32(word);
    if (accept_status != 2) return;
    writer.u32(low);
    writer.u32(high);
  });
}

ByteVector denied_reply(std::uint32_t xid, std::uint32_t auth_status) {
  return xdr_bytes([&](XdrWriter& writer) {
    for (const std::uint32_t word : {xid, 1U, 1U, 1U, auth_status}) writer.u32(word);
  });
}

ByteVector framed(ByteSpan record, std::size_t fragment_bytes) {
  ByteVector stream;
  do {
    const std::size_t size = fragment_bytes > 0 ? std::min(fragment_bytes, record.size()) : record.size();
    const std::uint32_t last = size == record.size() ? 0x80000000 : 0;
    append(stream, xdr_bytes([&](XdrWriter& writer) { writer.u32(last | static_cast<std::uint32_t>(size)); }));
    append(stream, record.first(size));
    record = record.subspan(size);
  } while (!record.empty());
  return stream;
}

class LyingServer::Impl final : public LyingServer::Wire {
 public:
  Impl(Script script, const std::string& address, std::uint16_t port)
      : script_(std::move(script)), acceptor_(context_), work_(asio::make_work_guard(context_)) {
    const tcp::endpoint endpoint(asio::ip::make_address(address), port);
    acceptor_.open(endpoint.protocol());
    acceptor_.set_option(tcp::acceptor::reuse_address(true));
    const int on = 1;  // accepted sockets inherit it
    ::setsockopt(acceptor_.native_handle(), SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    acceptor_.bind(endpoint);
    acceptor_.listen();
    port_ = acceptor_.local_endpoint().port();
    accept();
    thread_ = std::thread([this] { run_loop(); });
  }

  ~Impl() override {
    context_.stop();
    thread_.join();
  }

  void answer(const WireCall& call, ByteSpan results) override {
    send(call.connection, framed(accepted_reply(call.xid, results)));
  }

  void send(unsigned connection, ByteSpan bytes) override {
    Peer* peer = peer_of(connection);
    if (!peer) return;
    const std::size_t piece = peer->piece > 0 ? peer->piece : bytes.size();
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(piece, bytes.size())))
      peer->out.push_back(to_vector(bytes.first(std::min(piece, bytes.size()))));
    write(*peer);
  }

  void cut_into(unsigned connection, std::size_t bytes) override {
    if (Peer* peer = peer_of(connection)) peer->piece = bytes;
  }

  void close(unsigned connection, bool reset) override {
    Peer* peer = peer_of(connection);
    if (!peer) return;
    if (reset) {
      const linger at_once{1, 0};
      ::setsockopt(peer->socket.native_handle(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
      drop(connection);
    } else {
      peer->closing = true;
      write(*peer);
    }
  }

  void stop_reading(unsigned connection) override {
    if (Peer* peer = peer_of(connection)) peer->is_read = false;
  }

  void read_on(unsigned connection) override {
    Peer* peer = peer_of(connection);
    if (!peer || peer->is_read) return;
    peer->is_read = true;
    read(*peer);
  }

  void at(TimePoint time, std::function<void(Wire&)> then) override { tasks_.emplace(time, std::move(then)); }

  void stop() {
    std::promise<void> stopped;
    asio::post(context_, [&] {
      acceptor_.close();
      while (!peers_.empty()) drop(peers_.begin()->first);
      stopped.set_value();
    });
    stopped.get_future().wait();
  }

  void run(std::function<void(Wire&)> task) {
    asio::post(context_, [this, task = std::move(task)] { task(*this); });
  }

  std::uint16_t port() const { return port_; }
  std::uint64_t calls() const { return calls_; }
  unsigned connections() const { return connections_; }

 private:
  struct Peer {
    Peer(tcp::socket&& accepted, unsigned with_number, BufferPool& pool)
        : socket(std::move(accepted)),
          read_end(::dup(socket.native_handle())),
          pause(socket.get_executor()),
          reader(pool),
          number(with_number) {}
    tcp::socket socket;
    Descriptor read_end;  ///< of the socket
    asio::steady_timer pause;
    RecordReader reader;
    unsigned number;
    std::uint16_t source_port = 0;
    std::deque<ByteVector> out;
    std::size_t piece = 0;
    bool writing = false, closing = false, is_read = true;
  };

  struct Sink {
    Impl& server;
    unsigned connection;
    TimePoint received;
    bool wants(std::uint32_t, std::size_t bytes) { return bytes <= max_record_bytes; }
    bool record(ByteSpan record) {
      server.on_record(connection, received, record);
      return server.peer_of(connection) != nullptr;
    }
  };

  Peer* peer_of(unsigned connection) {
    const auto found = peers_.find(connection);
    return found == peers_.end() ? nullptr : found->second.get();
  }

  /// Handlers may hold the peer for a while.
  void drop(unsigned connection) {
    boost::system::error_code ignored;
    peers_.at(connection)->read_end.close();
    peers_.at(connection)->socket.close(ignored);
    peers_.erase(connection);
  }

  void accept() {
    acceptor_.async_accept([this](const auto& error, tcp::socket socket) {
      if (error) return;
      socket.set_option(tcp::no_delay(true));
      const unsigned number = connections_++;
      const auto peer = std::make_shared<Peer>(std::move(socket), number, pool_);
      boost::system::error_code gone;
      peer->source_port = peer->socket.remote_endpoint(gone).port();
      peers_[number] = peer;
      read(*peer);
      accept();
    });
  }

  void read(Peer& peer) {
    peer.socket.async_wait(tcp::socket::wait_read, [this, held = peers_.at(peer.number)](const auto& error) {
      if (error || peer_of(held->number) != held.get()) return;
      iovec room{in_.data(), in_.size()};
      const RpcReceived received = receive(held->read_end, std::span(&room, 1));
      if (received.error != 0 && received.error != EAGAIN) return drop(held->number);
      Sink sink{*this, held->number, received.time};
      held->reader.consume(ByteSpan(in_).first(received.bytes), sink);
      if (peer_of(held->number) && held->is_read) read(*held);
    });
  }

  void on_record(unsigned connection, TimePoint received, ByteSpan record) {
    WireCall call;
    if (!read_call(record, call)) return;
    call.number = calls_++;
    call.connection = connection;
    call.source_port = peer_of(connection)->source_port;
    call.received = received;
    script_(*this, call);
  }

  void write(Peer& peer) {
    if (peer.writing) return;
    if (peer.out.empty()) {
      if (peer.closing) drop(peer.number);
      return;
    }
    peer.writing = true;
    const auto held = peers_.at(peer.number);
    asio::async_write(peer.socket, asio::buffer(peer.out.front()), [this, held](const auto& error, auto) {
      if (error || peer_of(held->number) != held.get()) return;
      held->out.pop_front();
      const auto next = [this, held](const auto& failure) {
        if (failure || peer_of(held->number) != held.get()) return;
        held->writing = false;
        write(*held);
      };
      if (held->piece == 0) return next(boost::system::error_code());
      held->pause.expires_after(pause_between_pieces);
      held->pause.async_wait(next);
    });
  }

  /// The server's thread.
  void run_loop() {
    while (!context_.stopped()) {
      const TimePoint due = tasks_.empty() ? TimePoint::max() : tasks_.begin()->first;
      if (now() >= due) {
        const auto task = tasks_.extract(tasks_.begin());
        task.mapped()(*this);
        continue;
      }
      if (due == TimePoint::max() || due - now() > active_wait) {
        wake_up_at(due);
        context_.run_one();
      }
      context_.poll();
    }
  }

  void wake_up_at(TimePoint due) {
    if (due == wakes_up_for_) return;
    wakes_up_for_ = due;
    wake_up_.cancel();
    if (due == TimePoint::max()) return;
    wake_up_.expires_at(due - active_wait);
    wake_up_.async_wait([](const auto&) {});
  }

  BufferPool pool_;  // after the context, whose handlers hold peers
  asio::io_context context_;
  Script script_;
  tcp::acceptor acceptor_;
  asio::executor_work_guard<asio::io_context::executor_type> work_;
  std::uint16_t port_ = 0;
  std::map<unsigned, std::shared_ptr<Peer>> peers_;
  std::vector<std::byte> in_ = std::vector<std::byte>(read_bytes);
  std::multimap<TimePoint, std::function<void(Wire&)>> tasks_;
  asio::steady_timer wake_up_{context_};
  TimePoint wakes_up_for_{};
  std::atomic<std::uint64_t> calls_{0};
  std::atomic<unsigned> connections_{0};
  std::thread thread_;
};

LyingServer::LyingServer(Script script, std::uint16_t port) : LyingServer(std::move(script), "127.0.0.1", port) {}
LyingServer::LyingServer(Script script, const std::string& address, std::uint16_t port)
    : impl_(std::make_unique<Impl>(std::move(script), address, port)) {}
LyingServer::~LyingServer() = default;
std::uint16_t LyingServer::port() const { return impl_->port(); }
std::uint64_t LyingServer::calls() const { return impl_->calls(); }
unsigned LyingServer::connections() const { return impl_->connections(); }
void LyingServer::stop() { impl_->stop(); }
void LyingServer::run(std::function<void(Wire&)> task) { impl_->run(std::move(task)); }

}  // namespace edagen::testing
