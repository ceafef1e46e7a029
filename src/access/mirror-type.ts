/**
 * The content type of the record of a mirror, which `transfer/mirror/mirror-record.ts` reads and writes.
 */

/** SDL of this type. */
export const mirrorType = /* GraphQL */ `
  "The mirror that fills this store; there is one at most."
  type Mirror @contentType(class: "com.colophon.system.Mirror") {
    "The address of the content management API that it follows."
    source: String!
    "What it follows, as JSON."
    terms: String!
    "Up to where it has read the feed of each type, as JSON."
    feeds: String!
    "No entry of the change log up to this one is about content that somebody else has written."
    checkedSeq: Float!
    "The machine and the process that fill the store, and when it was last seen; absent when none does."
    holder: String
    processId: Int
    seenAt: EpochMillis
  }
`;
