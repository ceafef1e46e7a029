/** Content types that are hard to generate assets for: every scalar and constraint, names like keywords, required references. */

/** SDL that uses every feature of content types. */
export const hostileTypes = `
interface Named @contentType(class: "org.example.hostile.Named") { title: String! }
enum Mood { GOOD BAD null_ }
type Everything implements Named @contentType(class: "org.example.hostile.Everything", id: "11111111-1111-4111-8111-111111111111")
  @unique(fields: ["code", "mood", "day"]) @unique(fields: ["cms.site.owner", "whole", "code"]) {
  title: String! @indexed(unique: true) @constraint(minLength: 6, maxLength: 40, pattern: "^[A-Z][a-z]+(?: [a-z0-9_]{2,8})*$")
  number: Int @indexed(unique: true) @constraint(min: 1)
  short: String @constraint(minLength: 2, maxLength: 2)
  code: ID! @constraint(pattern: "^(?:AB|CD)-\\\\d{3,5}[^0-9]?$")
  token: String! @constraint(pattern: "^\\\\p{Ll}[a-z\\\\d]{7}$")
  whole: Int! @constraint(min: -5, max: 5)
  many: [Int!]! @constraint(minItems: 1, maxItems: 3)
  fraction: Float @constraint(min: -0.5, max: 0.5)
  yes: Boolean!
  when: EpochMillis @constraint(min: 0)
  price: Decimal! @indexed(unique: true) @constraint(min: -5.5, max: 1000000, scale: 2)
  prices: [Decimal!] @indexed
  day: Date! @indexed
  days: [Date!]
  opens: DateTime @indexed
  html: RichText!
  link: Url!
  links: [Url!]
  anything: JSON
  mood: Mood!
  moods: [Mood!] @constraint(minItems: 2)
  inside: Inside!
  insides: [Inside!]
  part: Part!
  parts: [Part!] @constraint(minItems: 2, maxItems: 4)
  shapes: [Shape!]
  other: Other!
  others: [Other!] @constraint(maxItems: 2)
  named: Named
  self: Everything
  true: String @indexed
  size: Int! @default(value: 3) @deprecated(reason: "Use whole.")
  labels: [String!] @was(name: "tags") @default(value: ["a"])
}
type Inside { label: String!, rank: Int! @default(value: 1), deeper: Inside, flag: Boolean, mood: Mood, tags: [String!], at: DateTime, fee: Decimal @constraint(scale: 0), ref: Other, far: Float }
union Part = Inside | Line | Group
type Line { label: String! @indexed, rank: Float, ref: Other }
type Group { parts: [Part!]!, one: Shape }
interface Shape { area: Float! }
type Circle implements Shape { area: Float!, radius: Decimal! }
type Square implements Shape { area: Float! side_length: Int @json(name: "side.length") }
type Other implements Named @contentType(class: "org.example.hostile.Other") {
  title: String!
  parent: Other @indexed @onDelete(action: RESTRICT)
}
type Bundle @contentType(class: "org.example.hostile.Bundle") {
  name: String!
  goods: [Goods!]! @constraint(minItems: 2)
  spares: [Goods!] @constraint(minItems: 3, maxItems: 3)
  nested: [Bundle!] @constraint(minItems: 1)
}
type Goods @contentType(class: "org.example.hostile.Goods") @was(class: "org.example.hostile.Things") { name: String! }
`;

/** Samples for the one pattern with a Unicode property. */
export const hostileSamples = ['abcdefg1', 'zzzzzzz1', 'a2b3c4d5']
  .map((token) => JSON.stringify({ _type: 'org.example.hostile.Everything', token }))
  .join('\r\n');

/** The custom types of docs/content-types.md. */
export const recipeTypes = `
type Recipe @contentType(class: "org.example.Recipe") {
  title: String! @indexed @constraint(maxLength: 120)
  slug: String! @indexed(unique: true)
  minutes: Int @constraint(min: 1)
  steps: [String!]
  cook: Cook @indexed
}
type Cook @contentType(class: "org.example.Cook") { name: String! @indexed }
`;
