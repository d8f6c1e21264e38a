// A client of HTTP that does as it is told, also badly.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "base/descriptor.hpp"

namespace edagen::testing {

/// Connected to a port of 127.0.0.1; invalid when nobody listens.
inline Descriptor connected(unsigned short port) {
  Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&at), sizeof(at)) != 0) return Descriptor();
  return socket;
}

inline void send_text(const Descriptor& socket, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t sent = ::send(socket.get(), text.data() + done, text.size() - done, MSG_NOSIGNAL);
    if (sent <= 0) return;
    done += static_cast<std::size_t>(sent);
  }
}

/// Until the other end closes, or says nothing for 20 s.
inline std::string received(const Descriptor& socket) {
  std::string all;
  pollfd wait{socket.get(), POLLIN, 0};
  char buffer[4096];
  while (::poll(&wait, 1, 20'000) == 1) {
    const ssize_t got = ::read(socket.get(), buffer, sizeof(buffer));
    if (got <= 0) break;
    all.append(buffer, static_cast<std::size_t>(got));
  }
  return all;
}

/// The answer to a request line such as "GET /metrics", head and body.
inline std::string asked(unsigned short port, const std::string& what, const std::string& headers = "") {
  const Descriptor socket = connected(port);
  send_text(socket, what + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n");
  return received(socket);
}

inline std::string body_of(const std::string& answer) {
  const std::size_t end = answer.find("\r\n\r\n");
  return end == std::string::npos ? "" : answer.substr(end + 4);
}

}  // namespace edagen::testing
