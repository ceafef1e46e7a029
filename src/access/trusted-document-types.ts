/**
 * The content types of trusted documents, in SDL.
 */
export const trustedDocumentTypes = /* GraphQL */ `
  "The documents that clients of a GraphQL endpoint may run by their IDs; its ID is made from that of the endpoint."
  type TrustedDocuments @contentType(class: "com.colophon.system.TrustedDocuments") {
    "The ID of the endpoint."
    endpoint: String!
    count: Int!
    documents: [TrustedDocument!]!
  }

  type TrustedDocument {
    "SHA-256 of the text, in hexadecimal."
    hash: String!
    "The names of its operations."
    name: String
    text: String!
    storedAt: EpochMillis!
  }
`;
