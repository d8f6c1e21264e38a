#include "edagen/session_observer.hpp"

#include <cstdlib>

#include "edagen/exit_status.hpp"

namespace edagen {

void SessionObserver::abandon(const std::string&) { std::_Exit(exit_status::interrupted); }

}  // namespace edagen
