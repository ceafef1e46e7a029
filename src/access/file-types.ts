/**
 * The types of the records of files. `content/files/` and `files/` use them.
 */

export const fileTypes = /* GraphQL */ `
  "A file, whose bytes lie in the place of files; its ID is made from the hash."
  type StoredFile @contentType(class: "com.colophon.system.StoredFile") {
    "SHA-256 of the bytes, in hexadecimal."
    hash: String!
    "The random key of the bytes in the place of files."
    key: String! @indexed
    "That of the last upload, for lists, and for values that are written without a name."
    name: String! @indexed @searchable
    "What the bytes tell; application/octet-stream if nothing."
    mediaType: String! @indexed
    bytes: Int!
    "The size of a picture in pixels, as it is shown."
    width: Int
    height: Int
    "When it was uploaded last."
    uploadedAt: EpochMillis! @indexed
    "When it was found unused; absent when it is used, or was not looked at."
    unusedSince: EpochMillis @indexed
  }

  "An asset whose values or history may name a file; its ID is made from both."
  type FileUse @contentType(class: "com.colophon.system.FileUse") {
    hash: String! @indexed
    "The asset's _id."
    asset: ID! @indexed
  }
`;
