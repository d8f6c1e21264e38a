// Parts of results that several procedures share.
#pragma once

#include "nfs3/nfs3_types.hpp"

namespace edagen {

NfsStatus read_status(XdrReader& reader);
NfsHandle read_handle(XdrReader& reader);
NfsTime read_time(XdrReader& reader);
void read_attributes(XdrReader& reader, NfsAttributes& attributes);
/// post_op_attr.
void read_optional(XdrReader& reader, std::optional<NfsAttributes>& attributes);
/// post_op_fh3: no handle when it is left out.
NfsHandle read_optional_handle(XdrReader& reader);
void read_change(XdrReader& reader, NfsChange& change);

}  // namespace edagen
