/**
 * The content types of releases, of their drafts and of runs, in SDL. `content/drafts/` and `access/runs/` use them.
 */

export const releaseTypes = /* GraphQL */ `
  "Drafts that go live together; its ID is made from the name. Every write of a draft replaces it."
  type Release @contentType(class: "com.colophon.system.Release") {
    name: String! @constraint(pattern: "^[A-Za-z0-9._-]{1,64}$")
    title: String @constraint(minLength: 1, maxLength: 200)
    createdAt: EpochMillis!
    "The name of the user or client that created it."
    createdBy: String
    "How many drafts it has, and the size of all."
    drafts: Int!
    bytes: Float!
    "When it will be published; absent when it is not scheduled."
    publishAt: EpochMillis @indexed
    "The name of the user or client that scheduled it."
    scheduledBy: String
    "Its last publication; absent before the first one."
    published: ReleasePublication
    "Why its scheduled publication stopped; absent when it has not."
    stopped: StoppedPublication
  }

  type ReleasePublication {
    at: EpochMillis!
    "The name of the user or client that published or scheduled it."
    by: String
    "How many drafts were published."
    drafts: Int!
  }

  type StoppedPublication {
    message: String!
    at: EpochMillis!
  }

  enum ReleaseActionKind { CREATED RETITLED SCHEDULED UNSCHEDULED PUBLISHED STOPPED }

  "The last action on a release, for the audit; its ID is made from the name of the release."
  type ReleaseAction @contentType(class: "com.colophon.system.ReleaseAction") {
    "The name of the release."
    release: String!
    action: ReleaseActionKind!
    "How many drafts were published."
    drafts: Int
    "When the release will be published."
    publishAt: EpochMillis
  }

  enum DraftAction { create change delete }

  "A change, a creation or a deletion of an asset that is not live; its ID is made from the release and the asset."
  type Draft @contentType(class: "com.colophon.system.Draft") {
    "The name of the release."
    release: String! @indexed
    "The asset's _id."
    asset: ID! @indexed
    "The asset's class name."
    type: String! @indexed
    action: DraftAction!
    "The live version that the draft began with; of a creation, the last one of the asset, absent if it has not been live."
    base: String
    "The live version at the last write of the draft; absent where nothing was live."
    live: String
    "New values by JSON name; of a creation, all."
    set: JSON!
    "The JSON names of removed fields."
    unset: [String!]!
    "The live values that the changed fields had when the draft first changed each; without those that had none."
    before: JSON!
    "The JSON names of fields that the creation did not give: they have defaults, or the date of the publication."
    defaulted: [String!]
    "Of a creation: whether it keeps an asset that was withdrawn."
    withdrawn: Boolean
    "Who has written all of it; absent where several have."
    author: Account
    "The size of the values."
    bytes: Float!
  }

  "A user, an API client or another sender, as entries of the change log name it."
  type Account {
    kind: String!
    id: String
  }

  "A link with which anyone reads the content of a release."
  type PreviewLink @contentType(class: "com.colophon.system.PreviewLink") {
    "The name of the release."
    release: String! @indexed
    "SHA-256 of the token, in hexadecimal."
    tokenHash: String! @indexed(unique: true)
    createdAt: EpochMillis!
    "The name of the user or client that created it."
    createdBy: String
    "Who created it; a link without creator has ended."
    creator: Account
    expiresAt: EpochMillis! @indexed
  }
`;

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
