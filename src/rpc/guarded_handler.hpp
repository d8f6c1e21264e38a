// A handler that does nothing when its object is gone.
#pragma once

#include <memory>
#include <utility>

namespace edagen {

/// `*self` is null when the object is destroyed.
template <class Object, class Handler>
auto guarded_handler(std::shared_ptr<Object*> self, Handler handler) {
  return [self = std::move(self), handler = std::move(handler)](auto&&... arguments) {
    if (*self) handler(std::forward<decltype(arguments)>(arguments)...);
  };
}

}  // namespace edagen
