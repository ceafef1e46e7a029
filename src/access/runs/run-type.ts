/**
 * The content type of the records of runs, which `run-records.ts` reads and writes.
 */

/** SDL of the type. */
export const runType = /* GraphQL */ `
  "A name under which a client writes; its ID is made from the name."
  type Run @contentType(class: "com.colophon.system.Run") {
    name: String! @constraint(minLength: 1, maxLength: 64)
    "Who began it."
    byKind: String!
    byId: String
    byName: String
    beganAt: EpochMillis! @indexed
    closedAt: EpochMillis
    "The run that has reverted this one, or is going to."
    revertedBy: String
    "How many of its writes are counted, up to a place in the change log, and the time of the last of these."
    created: Int
    updated: Int
    deleted: Int
    erased: Int
    countedTo: Float
    lastWriteAt: EpochMillis
    "Of a revert: the run that it reverts."
    revertOf: String @indexed
    "Of a revert: which work on it holds the lease; absent when none does."
    holder: String
    renewedAt: EpochMillis
    "Of a revert: how far it is."
    examined: Int
    written: Int
    conflicts: Int
    finishedAt: EpochMillis
  }
`;
