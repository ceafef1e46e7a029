/** Content types of a small library, with a field of every kind, for tests of predicates. */
import type { Catalog } from '../../src/model/content-type.ts';
import { catalogOf } from './types.ts';

/** Loads the catalog: `library.Book`, `library.Person`, `library.Company`, and the interface `library.Party` of the last two. */
export function libraryCatalog(): Catalog {
  return catalogOf(librarySdl);
}

/** Loads the same catalog with an index for nearly every field that can have one. */
export function indexedLibraryCatalog(): Catalog {
  return catalogOf(
    librarySdl.replaceAll(indexableField, '$& @indexed').replaceAll('@indexed @indexed', '@indexed'),
  );
}

/** Leaves out some fields, so that the same kinds of value are also compared without an index. */
const indexableField =
  /\b(?!pages|weight|recorded|amount)\w+: \[?(String|ID|Url|Int|Float|EpochMillis|Date|DateTime|Decimal|Boolean|Genre|Person|Company|Party)\b!?\]?!?( @json\([^)]*\))?( @indexed)?/g;

const librarySdl = `
interface Party @contentType(class: "library.Party") { name: String! }

type Person implements Party @contentType(class: "library.Person") {
  name: String! @searchable
  born: EpochMillis
  friends: [Person!]
  employer: Company
}

type Company implements Party @contentType(class: "library.Company", id: "0f5b7f0e-3c35-4b6f-9a59-9e2a4ce0c2ab") {
  name: String!
  size: Int
  owner: Party
}

interface Unused @contentType(class: "library.Unused") { name: String! }

enum Genre { NOVEL Novel POEM }

type Book @contentType(class: "library.Book") {
  title: String @searchable
  subtitles: [String!] @searchable
  text: RichText @searchable
  chapters: [RichText!]
  isbn: ID @indexed
  link: Url
  pages: Int @indexed
  editions: [Int!]
  weight: Float
  prices: [Float!]
  printed: EpochMillis
  published: Date
  reprints: [Date!]
  recorded: DateTime
  loans: [DateTime!]
  price: Decimal
  offers: [Decimal!]
  inPrint: Boolean
  flags: [Boolean!]
  genre: Genre
  genres: [Genre!]
  writer: Person
  contributors: [Person!]
  about: Party
  extra: JSON
  cover: Cover
  notes: [Note!]
  blocks: [Block!]
  foreword: Block
  shelf_mark_full: String @json(name: "shelf.mark.full")
  true: String
  constructor: String
}

type Cover { colour: String size: Measure artist: Person }
type Measure { width: Float height: Float amount: Decimal inner: Measure }
union Block = Remark | Quote | Chart
type Remark { text: String @searchable mark: Genre at: DateTime body: [Block!] }
type Quote { text: String @searchable source: String @indexed by: Party recorded: RichText }
type Chart { source: String fee: Decimal by: Person recorded: String size: Measure }
type Note { text: String @searchable page: Int at: DateTime fee: Decimal tags: [String!] by: Party marks: [Mark!] }
type Mark { colour: String page: Int at: DateTime by: Person readers: [Person!] }
`;
