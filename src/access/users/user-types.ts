/** The content types of users and of what identifies them when they sign in. */
import { roles } from './roles.ts';

/** SDL of these types. */
export const userTypes = /* GraphQL */ `
  "A person who may use the admin UI."
  type User @contentType(class: "com.colophon.system.User") {
    "In lower case."
    email: String! @indexed(unique: true) @constraint(maxLength: 254)
    name: String @constraint(minLength: 1, maxLength: 100)
    role: String! @constraint(pattern: "^(${roles.join('|')})$")
    "scrypt of the password with its salt and its parameters; that of no password until an invitation is accepted."
    passwordHash: String!
    "The provider and its identifier of a user who signs in by OpenID Connect; absent for users with a password."
    issuer: String @constraint(maxLength: 1000)
    subject: String @constraint(maxLength: 1000)
    "When the user was disabled; absent means that the user may sign in."
    disabledAt: EpochMillis
    "SHA-256 of the secret in the link of an invitation, in hexadecimal."
    invitationHash: String
    invitationExpiresAt: EpochMillis
  }

  "A signed-in user."
  type Session @contentType(class: "com.colophon.system.Session") {
    "SHA-256 of the cookie's value, in hexadecimal."
    tokenHash: String! @indexed(unique: true)
    user: User! @indexed
    expiresAt: EpochMillis! @indexed
    "The header User-Agent of the sign-in."
    userAgent: String @constraint(maxLength: 300)
  }

  "What a list of assets shows, under a name; of its owner, or for everybody."
  type SavedView @contentType(class: "com.colophon.system.SavedView") {
    name: String! @constraint(minLength: 1, maxLength: 100)
    "The class name of the listed type."
    type: String! @constraint(maxLength: 500)
    "The search, the filters, the order and the page size, as the query string of the list."
    query: String! @constraint(maxLength: 4000)
    "The paths of the columns; absent means the usual ones."
    columns: [String!] @constraint(maxItems: 50, maxLength: 300)
    shared: Boolean! @indexed
    "The ID of a user after user:, or that of an API client after client:."
    owner: String! @indexed @constraint(maxLength: 200)
    "The name of the owner at the creation."
    ownerName: String!
  }

  "A mark that a user has an asset open; its ID is made from both."
  type Presence @contentType(class: "com.colophon.system.Presence") {
    asset: ID! @indexed
    "The ID of the user or API client."
    user: ID!
    "The name of the user or API client; the email of a user without a name."
    name: String!
    editing: Boolean!
    "When the user began to edit it, or to have it open without editing it."
    since: EpochMillis!
    expiresAt: EpochMillis! @indexed
  }

  "A sign-in by OpenID Connect that was finished; its ID is made from the hash of its state."
  type FinishedSignIn @contentType(class: "com.colophon.system.FinishedSignIn") {
    "When nobody can finish it any more."
    expiresAt: EpochMillis! @indexed
  }

  "A device from which a user has signed in."
  type KnownDevice @contentType(class: "com.colophon.system.KnownDevice") {
    "SHA-256 of the cookie's value, in hexadecimal."
    tokenHash: String! @indexed(unique: true)
    user: User! @indexed
    expiresAt: EpochMillis! @indexed
  }
`;
