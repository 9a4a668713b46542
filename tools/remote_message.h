// SPDX-License-Identifier: GPL-2.0-or-later
// The messages of Xapian's remote protocol, version 39, as far as tools and tests between a search
// and its servers have to know them (net/remoteprotocol.h and net/length.h of Xapian's source).
#pragma once

#include <cstddef>
#include <string_view>

namespace kw::remote {

/// First byte of a request.
enum Request : unsigned char {
  kAllTerms = 0,
  kTermExists = 3,
  kTermFrequency = 4,
  kQuery = 8,
  kTermList = 9,
  kResults = 26,
  kShutdown = 27,
  kFrequencies = 29
};

/// First byte of a message of a reply.
enum Reply : unsigned char {
  kReplyAllTerms = 3,
  kReplyDocumentData = 5,
  kReplyDocumentLength = 10,
  kReplyTermList = 12,
  kReplyPositions = 13,
  kReplyPostListStart = 14,
  kReplyPostListItem = 15,
  kReplyValue = 16,
  kReplyMetadataKeys = 20
};

/// The bytes of the first message in `bytes`, with its head: its type, its length; 0 if it is not
/// whole.
inline std::size_t first_message(std::string_view bytes) {
  if (bytes.size() < 2) return 0;
  std::size_t length = static_cast<unsigned char>(bytes[1]), at = 2;
  if (length == 0xff) {
    for (unsigned shift = 0;; shift += 7) {
      if (at == bytes.size()) return 0;
      const auto byte = static_cast<unsigned char>(bytes[at++]);
      length += static_cast<std::size_t>(byte & 0x7f) << shift;
      if (byte & 0x80) break;
    }
  }
  return bytes.size() >= at + length ? at + length : 0;
}

/// Whether another message follows this one of the reply to a request.
inline bool is_continued(unsigned char request, unsigned char reply) {
  switch (reply) {
    case kReplyAllTerms:
    case kReplyDocumentData:
    case kReplyTermList:
    case kReplyPositions:
    case kReplyPostListStart:
    case kReplyPostListItem:
    case kReplyValue:
    case kReplyMetadataKeys:
      return true;
    case kReplyDocumentLength:
      return request == kTermList;
    default:
      return false;
  }
}

}  // namespace kw::remote
