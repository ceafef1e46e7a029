/**
 * The content types of the records of webhooks, which `webhooks/records/` reads and writes.
 */

/** SDL of these types. */
export const webhookTypes = /* GraphQL */ `
  enum WebhookPayload { THIN ASSET }

  type PurgeHeader {
    name: String!
    value: String!
  }

  "The form of the requests that purge a cache."
  type PurgeTemplate {
    method: String!
    headers: [PurgeHeader!]!
    "The names of the headers whose values are encrypted."
    secretNames: [String!]!
    body: String
    maxTags: Int!
  }

  "A receiver of changes."
  type Webhook @contentType(class: "com.colophon.system.Webhook") {
    name: String! @indexed(unique: true) @constraint(minLength: 1, maxLength: 100)
    url: String! @constraint(minLength: 1, maxLength: 2000)
    "Class names of content types and interfaces, or *."
    types: [String!]! @constraint(minItems: 1)
    actions: [String!]! @constraint(minItems: 1, pattern: "^(create|update|delete|erase)$")
    "A predicate over the states after and before a change."
    where: String
    payload: WebhookPayload!
    "The form of the requests that purge a cache; absent in a webhook that sends changes."
    purge: PurgeTemplate
    "The secret headers of the purges, as a JSON object, encrypted."
    purgeSecrets: String
    "The signing secret, encrypted; and the former one, with the time until which messages are signed with it as well."
    secret: String!
    formerSecret: String
    formerSecretUntil: EpochMillis
    createdAt: EpochMillis!
    "The position in the change log from which to send, in which line of history, and a mark of this decision."
    startSeq: Float!
    startEpoch: String!
    startMark: String!
    "When nothing more is sent, and why: by a person, because the receiver is gone, or because it has failed for days."
    disabledAt: EpochMillis
    disabledReason: String @constraint(pattern: "^(user|gone|failing)$")
  }

  "How far a webhook is; its ID is made from the webhook's. Only the holder of the lease writes it, with its fencing number."
  type WebhookCursor @contentType(class: "com.colophon.system.WebhookCursor") {
    webhookId: ID!
    fence: Int!
    startMark: String!
    epoch: String!
    "All changes up to this one are sent, do not match, or are on hold."
    seq: Float!
    "The changes before this one were removed from the log before they could be sent."
    missedBefore: Float
    failingSince: EpochMillis
    failures: Int
    retryAt: EpochMillis
    lastSuccessAt: EpochMillis
    "Why the last purge failed."
    lastError: String
    "Whether the assets of all types must be purged, because changes are not known."
    isWholeDue: Boolean
  }

  "An asset whose changes are on hold for a webhook, because the delivery of one failed; its ID is made from both."
  type WebhookHeldAsset @contentType(class: "com.colophon.system.WebhookHeldAsset") {
    webhookId: ID! @indexed
    assetId: ID! @indexed
    "The change to deliver next."
    seq: Float!
    attempts: Int!
    firstAttemptAt: EpochMillis!
    nextAttemptAt: EpochMillis!
    "The fencing number of the process that has written it."
    fence: Float!
  }

  "A delivery of a change to a webhook; its ID is made from the webhook and the change."
  type WebhookDelivery @contentType(class: "com.colophon.system.WebhookDelivery") {
    webhookId: ID! @indexed
    seq: Float! @indexed
    assetId: ID! @indexed
    assetType: String!
    action: String!
    messageId: String!
    payload: WebhookPayload!
    state: String! @indexed
    attempts: Int!
    "The last attempt."
    attemptedAt: EpochMillis!
    tookMs: Float!
    url: String!
    status: Int
    error: String
    responseType: String
    responseBody: String
    nextAttemptAt: EpochMillis
    expiresAt: EpochMillis! @indexed
  }

  "The lease of the process that sends to webhooks."
  type WebhookLease @contentType(class: "com.colophon.system.WebhookLease") {
    holder: String!
    fence: Int!
    "By the clock of the store."
    expiresAt: EpochMillis!
  }
`;
