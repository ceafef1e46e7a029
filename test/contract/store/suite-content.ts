/**
 * The content of the store suite: content types with a field of every kind, with and without indexes, and their assets.
 */
import type { Asset, Catalog, Json, ScalarName } from '../../../src/model/content-type.ts';
import type { BoundPredicate } from '../../../src/query/ast.ts';
import { bindPredicate, createPredicateCompiler } from '../../../src/query/prepare.ts';
import { catalogOf } from '../../support/types.ts';

/** Where the catalog has `@indexed`: nowhere, or on every field that can have it. */
export type Indexing = 'plain' | 'indexed';

/** The fields of an item that have a value, and those that have a list of them, for each scalar. */
const itemFields: { readonly [Name in ScalarName]: `${string}: ${Name}${string}` } = {
  String: 'name: String @i tags: [String!] @i',
  ID: 'code: ID @i',
  Url: 'link: Url @i',
  RichText: 'body: RichText bodies: [RichText!]',
  Int: 'count: Int @i counts: [Int!] @i',
  Float: 'ratio: Float @i ratios: [Float!] @i',
  EpochMillis: 'at: EpochMillis @i',
  Date: 'day: Date @i',
  DateTime: 'moment: DateTime @i',
  Decimal: 'amount: Decimal @i',
  Boolean: 'active: Boolean @i flags: [Boolean!] @i',
  JSON: 'extra: JSON',
};

const sdl = `
interface Named @contentType(class: "suite.Named") { name: String @i }
enum Mood { CALM WILD calm }

type Item implements Named @contentType(class: "suite.Item") {
  ${Object.values(itemFields).join('\n  ')}
  mood: Mood @i
  owner: Person @i
  party: Named
  moods: [Mood!] @i
  owners: [Person!] @i
  place: Place
  stops: [Stop!]
  dotted_name_long: String @json(name: "dotted.name.long") @i
  select: String @i
  key: String @i
  value: [String!] @i
  constructor: String @i
  hasOwnProperty: Int
}
type Place { city: String @i spot: Spot }
type Spot { height: Float @i keeper: Person }
type Stop { city: String @i tags: [String!] @i spot: Spot legs: [Stop!] }

type Person implements Named @contentType(class: "suite.Person") {
  name: String @i
  age: Int
  boss: Person @i
  home: Place
  aliases: [String!] @i
}

type Ticket @contentType(class: "suite.Ticket") { number: String @u holder: Holder }
type Holder { email: String @u }
type Badge @contentType(class: "suite.Badge") { number: String @u }
type Seat @contentType(class: "suite.Seat") @k(fields: ["hall", "row"]) @k(fields: ["cms.site.owner", "code"]) {
  hall: String
  row: Decimal
  code: String
  from: Date @u
}
`;

/** The suite's content types. */
export function suiteCatalog(indexing: Indexing): Catalog {
  const isIndexed = indexing === 'indexed';
  return catalogOf(
    sdl
      .replaceAll(' @i', isIndexed ? ' @indexed' : '')
      .replaceAll(' @u', isIndexed ? ' @indexed(unique: true)' : '')
      .replaceAll(/ @k(\([^)]*\))/g, isIndexed ? ' @unique$1' : ''),
  );
}

/** The `n`th id. Ids are ordered by `n`. */
export const idOf = (n: number) => `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

/** An asset of the suite's type with this name. */
export function assetOf(type: string, n: number, fields: Record<string, Json> = {}): Asset {
  return { _id: idOf(n), _type: `suite.${type}`, ...fields };
}

/** A reference to the `n`th asset. */
export const referenceTo = (type: string, n: number) => ({ _ref: idOf(n), _type: `suite.${type}` });

/** Compiles and binds a predicate text; `values` fill its placeholders. */
export function toWhere(
  catalog: Catalog,
  { classes, text, values = [] }: { classes: readonly string[]; text: string; values?: readonly unknown[] },
): BoundPredicate {
  return bindPredicate(createPredicateCompiler(catalog).prepare(classes, text), values);
}
