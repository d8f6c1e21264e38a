// What a whole document states of itself.
#pragma once

#include <string_view>

namespace edagen {

struct DocumentKind {
  std::string_view schema = "";  ///< the member of that name, "edagen.result/1"
  std::string_view title = "", about = "";
  bool has_digest = false;  ///< result/document_digest.hpp
};

/// Specialised for what is a document by itself.
template <class T>
inline constexpr DocumentKind document_kind = {};

template <class T>
concept IsDocument = (!document_kind<T>.schema.empty());

}  // namespace edagen
