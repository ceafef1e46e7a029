/** A schema with types of every kind and various operations on it, for tests of everything derived from operations. */

export const newsSdl = `
scalar JSON
scalar EpochMillis
scalar RichText
scalar Url

enum Status { DRAFT LIVE }

input Filter {
  "What to look for."
  text: String!
  min: Int
  weight: Float
  since: EpochMillis
  status: Status = LIVE
  tags: [String!]
  extra: JSON
  any: [Filter!]
  not: Filter
  place: Place
}
input Place { city: String! near: [Place] }
input SortInput { field: String! descending: Boolean! = false }

interface Content { _id: ID! title: String owner: Site }
type Site implements Content { _id: ID! title: String owner: Site urls: [Url!] matrix: [[Float]!]! }
type Article implements Content {
  _id: ID!
  title: String!
  owner: Site
  status: Status!
  former: [Status]
  "When it was printed. Ends a comment: */"
  printed: EpochMillis
  """
  The text.

  It has two paragraphs.
  """
  text: RichText
  author: Person
  related: [Content]
  extra: JSON
  length: Int!
}
type Image implements Content { _id: ID! title: String owner: Site url: Url! }
type Person { name: String! picture: Image knows: [Person!]! }
union Anything = Article | Image | Person
interface Nobody { name: String }

type Query {
  content(_id: ID!): Content
  site: Site
  article(_id: ID!): Article
  articles(filter: Filter, sortBy: [SortInput!], statuses: [[Status!]], limit: Int! = 10, flag: Boolean): [Article!]!
  anything: [Anything!]!
  nobody: Nobody
}
type Mutation { touch(_id: ID!, place: Place!, html: RichText, url: Url): Article! }
`;

/** The operations, by name. */
export const newsOperations: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'query plain { site { _id title urls matrix } }',
    'query byId($id: ID!) { article(_id: $id) { _id title printed text length extra } }',
    'query enums($statuses: [[Status!]]) { articles(statuses: $statuses) { status former } }',
    'query defaults($limit: Int! = 5, $flag: Boolean = true) { articles(limit: $limit, flag: $flag) { _id } }',
    'query recursive($filter: Filter!, $sort: [SortInput!]) { articles(filter: $filter, sortBy: $sort) { title } }',
    'query aliases { first: site { name: title } second: site { owner { name: title home: owner { _id } } } }',
    'query union_members { anything { __typename ... on Article { title } ... on Person { name knows { name } } } }',
    'query common($id: ID!) { content(_id: $id) { _id title owner { _id } ... on Image { url } } }',
    'query conditional($a: Boolean!, $b: Boolean!) { site @include(if: $a) { _id title @skip(if: $b) } again: site { ... @include(if: $b) { urls } _id } }',
    'query merged($id: ID!) { article(_id: $id) { author { name } ...Picture author { knows { picture { ...Name } } } } } fragment Picture on Article { author { picture { url ...Name } } } fragment Name on Image { title }',
    'query related($id: ID!) { article(_id: $id) { related { kind: __typename ... on Article { related { _id } } } } }',
    'query nobody { nobody { name } }',
    'mutation touch($id: ID!, $place: Place!, $html: RichText, $url: Url) { touch(_id: $id, place: $place, html: $html, url: $url) { status author { picture { owner { urls } } } } }',
    'query _1 { __typename }',
  ].map((source) => [/^\w+ (\w+)/.exec(source)?.[1] ?? '', source]),
);
