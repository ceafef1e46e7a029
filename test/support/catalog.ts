/** Content types of a small library, with a field of every kind, for tests of predicates. */
import { type Catalog, type ScalarName, scalarNames } from '../../src/model/content-type.ts';
import { scalars } from '../../src/model/values/scalars.ts';
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

const indexable = scalarNames.filter((name) => scalars[name].indexable);

/** Leaves out some fields, so that the same kinds of value are also compared without an index. */
const indexableField = new RegExp(
  `\\b(?!pages|weight|recorded|amount)\\w+: \\[?(${indexable.join('|')}|Genre|Person|Company|Party)\\b!?\\]?!?( @json\\([^)]*\\))?( @indexed)?`,
  'g',
);

/** The fields of a book that have a value, and those that have a list of them, for each scalar. */
const bookFields: { readonly [Name in ScalarName]: `${string}: ${Name}${string}` } = {
  String: 'title: String @searchable subtitles: [String!] @searchable',
  RichText: 'text: RichText @searchable chapters: [RichText!]',
  ID: 'isbn: ID @indexed',
  Url: 'link: Url',
  Int: 'pages: Int @indexed editions: [Int!]',
  Float: 'weight: Float prices: [Float!]',
  EpochMillis: 'printed: EpochMillis',
  Date: 'published: Date reprints: [Date!]',
  DateTime: 'recorded: DateTime loans: [DateTime!]',
  Decimal: 'price: Decimal offers: [Decimal!]',
  Boolean: 'inPrint: Boolean flags: [Boolean!]',
  JSON: 'extra: JSON',
};

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
  ${Object.values(bookFields).join('\n  ')}
  genre: Genre
  genres: [Genre!]
  writer: Person
  contributors: [Person!]
  about: Party
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
