/**
 * Changes of content types: what the check says of each beforehand, and what servers with the former and the present types then make
 * of the stored assets. Every type also has the field `note`, which no change concerns.
 */
import type { JsonObject } from '../../../../../src/model/content-type.ts';

/** One change of one content type. */
export interface TypeChange {
  readonly change: string;
  /** The class name before the change. */
  readonly class: string;
  /** The class name after the change; absent when it is the same. */
  readonly presentClass?: string;
  readonly former: string;
  readonly present: string;
  /** The types of a deployment between the two, and the last of the assets as a server with these types writes it. */
  readonly between?: { readonly sdl: string; readonly asset: JsonObject };
  /** Assets of other types that are created first. */
  readonly others?: readonly JsonObject[];
  /** The stored assets, under the former types. */
  readonly assets: readonly JsonObject[];
  /** The findings of the check about the type, and about its stored assets. */
  readonly report: readonly string[];
  /** The assets under the present types; absent when they are the same. */
  readonly shown?: readonly JsonObject[];
  /** What is reported as unfit of each asset under the present types; absent when all fit. */
  readonly unfit?: readonly (readonly string[])[];
  /** Fields of the present type that GraphQL reads. */
  readonly selection: string;
  /** Predicates under the present types, and the indexes of the assets that they find. */
  readonly finds: Readonly<Record<string, readonly number[]>>;
  /** Orders under the present types, and the indexes of the assets in them. */
  readonly sorts: Readonly<Record<string, readonly number[]>>;
  /** An asset that the server with the present types creates, as the one with the former types shows it if that differs. */
  readonly createdByPresent: { readonly asset: JsonObject; readonly shown?: JsonObject };
  /** What the server with the former types reports as unfit of that asset. */
  readonly unfitForFormer?: readonly string[];
  /** An asset that the server with the former types creates, as the one with the present types shows it if that differs. */
  readonly createdByFormer: { readonly asset: JsonObject; readonly shown?: JsonObject };
}

/** An asset that references refer to. */
const ada = { _id: '0190a0c0-0000-7000-8000-00000000ada0', _type: 'm.Poet' };
const toAda = { _ref: ada._id, _type: 'm.Poet' };

export const typeChanges: readonly TypeChange[] = [
  {
    change: 'rename a field',
    class: 'm.Renamed',
    former: 'type Renamed @contentType(class: "m.Renamed") { title: String! @indexed note: String }',
    present:
      'type Renamed @contentType(class: "m.Renamed") { headline: String! @indexed @was(name: "title") note: String }',
    assets: [{ title: 'a' }, { title: 'b' }],
    report: ['attention title: is now headline: clients must use the new name'],
    shown: [{ headline: 'a' }, { headline: 'b' }],
    selection: 'headline',
    finds: { 'headline = b': [1], 'headline != missing': [0, 1] },
    sorts: { headline: [0, 1], '-headline': [1, 0] },
    createdByPresent: { asset: { headline: 'c' }, shown: { title: 'c' } },
    createdByFormer: { asset: { title: 'd' }, shown: { headline: 'd' } },
  },
  {
    change: 'rename a field twice, in two deployments',
    class: 'm.RenamedTwice',
    former: 'type Twice @contentType(class: "m.RenamedTwice") { title: String! @indexed note: String }',
    between: {
      sdl: 'type Twice @contentType(class: "m.RenamedTwice") { headline: String! @indexed @was(name: "title") note: String }',
      asset: { headline: 'b' },
    },
    present:
      'type Twice @contentType(class: "m.RenamedTwice") { caption: String! @indexed @was(name: "headline") @was(name: "title") note: String }',
    assets: [{ title: 'a' }, { title: 'b' }],
    report: ['attention title: is now caption: clients must use the new name'],
    shown: [{ caption: 'a' }, { caption: 'b' }],
    selection: 'caption',
    finds: { 'caption = a': [0], 'caption in [a, b]': [0, 1] },
    sorts: { '-caption': [1, 0] },
    createdByPresent: { asset: { caption: 'c' }, shown: { title: 'c' } },
    createdByFormer: { asset: { title: 'd' }, shown: { caption: 'd' } },
  },
  {
    change: 'rename a type',
    class: 'm.Song',
    presentClass: 'm.Track',
    former: 'type Song @contentType(class: "m.Song") { title: String! @indexed note: String next: Song }',
    present:
      'type Track @contentType(class: "m.Track") @was(class: "m.Song") { title: String! @indexed note: String next: Track }',
    assets: [{ title: 'a' }, { title: 'b' }],
    report: [
      'breaking: has the GraphQL name Track, and had Song',
      'attention: is now m.Track: clients must use the new name',
    ],
    selection: 'title',
    finds: { 'title = b': [1], "_type = 'm.Song'": [0, 1] },
    sorts: { '-title': [1, 0] },
    createdByPresent: { asset: { title: 'c' } },
    createdByFormer: { asset: { title: 'd' } },
  },
  {
    change: 'add a required field without a default',
    class: 'm.Required',
    former: 'type Required @contentType(class: "m.Required") { title: String! note: String }',
    present:
      'type Required @contentType(class: "m.Required") { title: String! pages: Int! @indexed note: String }',
    assets: [{ title: 'a' }, { title: 'b' }],
    report: [
      'breaking pages: is new and required, without a default: stored assets and present clients lack it',
      'content pages: is required (2 of 2)',
    ],
    unfit: [['pages is required'], ['pages is required']],
    selection: 'title pages',
    finds: { 'pages = missing': [0, 1], 'pages >= 0': [] },
    sorts: { 'pages,-title': [1, 0] },
    createdByPresent: { asset: { title: 'c', pages: 3 } },
    unfitForFormer: ['pages is not a field of this type'],
    createdByFormer: { asset: { title: 'd' } },
  },
  {
    change: 'add a required field with a default',
    class: 'm.Preset',
    former: 'type Preset @contentType(class: "m.Preset") { title: String! note: String }',
    present:
      'type Preset @contentType(class: "m.Preset") { title: String! pages: Int! @indexed @default(value: 100) note: String }',
    assets: [{ title: 'a' }, { title: 'b' }],
    report: ['safe pages: is new and required, with a default'],
    shown: [
      { title: 'a', pages: 100 },
      { title: 'b', pages: 100 },
    ],
    selection: 'title pages',
    finds: { 'pages = 100': [0, 1], 'pages = missing': [] },
    sorts: { 'pages,-title': [1, 0] },
    createdByPresent: { asset: { title: 'c', pages: 3 } },
    unfitForFormer: ['pages is not a field of this type'],
    createdByFormer: { asset: { title: 'd' }, shown: { title: 'd', pages: 100 } },
  },
  {
    change: 'narrow an enum',
    class: 'm.Narrow',
    former:
      'type Narrow @contentType(class: "m.Narrow") { state: Stage! @indexed note: String } enum Stage { OPEN SHUT }',
    present:
      'type Narrow @contentType(class: "m.Narrow") { state: Stage! @indexed note: String } enum Stage { OPEN }',
    assets: [{ state: 'OPEN' }, { state: 'SHUT' }],
    report: ['breaking state: no longer accepts SHUT', 'content state: must be one of OPEN (1 of 2)'],
    unfit: [[], ['state must be one of OPEN']],
    selection: 'state',
    finds: { 'state = OPEN': [0], 'state != OPEN': [1] },
    sorts: { state: [0, 1], '-state': [1, 0] },
    createdByPresent: { asset: { state: 'OPEN' } },
    createdByFormer: { asset: { state: 'SHUT' } },
  },
  {
    change: 'narrow a text',
    class: 'm.Short',
    former: 'type Short @contentType(class: "m.Short") { title: String! @indexed note: String }',
    present:
      'type Short @contentType(class: "m.Short") { title: String! @indexed @constraint(maxLength: 3) note: String }',
    assets: [{ title: 'abc' }, { title: 'abcd' }],
    report: [
      'breaking title: has maxLength 3, and had none',
      'content title: must have at most 3 characters (1 of 2)',
    ],
    unfit: [[], ['title must have at most 3 characters']],
    selection: 'title',
    finds: { 'title = abcd': [1], 'title startsWith abc': [0, 1] },
    sorts: { '-title': [1, 0] },
    createdByPresent: { asset: { title: 'xyz' } },
    createdByFormer: { asset: { title: 'xyzw' } },
  },
  {
    change: 'make an optional field required',
    class: 'm.Needed',
    former: 'type Needed @contentType(class: "m.Needed") { title: String @indexed note: String }',
    present: 'type Needed @contentType(class: "m.Needed") { title: String! @indexed note: String }',
    assets: [{ title: 'a' }, {}],
    report: ['breaking title: is required, and was optional', 'content title: is required (1 of 2)'],
    unfit: [[], ['title is required']],
    selection: 'title',
    finds: { 'title = missing': [1], 'title = a': [0] },
    sorts: { title: [1, 0] },
    createdByPresent: { asset: { title: 'c' } },
    createdByFormer: { asset: {} },
  },
  {
    change: 'make an optional field required, with a default',
    class: 'm.Given',
    former: 'type Given @contentType(class: "m.Given") { title: String @indexed note: String }',
    present:
      'type Given @contentType(class: "m.Given") { title: String! @indexed @default(value: "b") note: String }',
    assets: [{ title: 'a' }, {}, { title: 'c' }],
    report: ['attention title: is required, with a default, and was optional'],
    shown: [{ title: 'a' }, { title: 'b' }, { title: 'c' }],
    selection: 'title',
    finds: { 'title = missing': [], 'title = b': [1], 'title > a': [1, 2] },
    sorts: { title: [0, 1, 2], '-title': [2, 1, 0] },
    createdByPresent: { asset: { title: 'd' } },
    createdByFormer: { asset: {}, shown: { title: 'b' } },
  },
  {
    change: 'turn a single value into a list',
    class: 'm.Listed',
    former:
      'type Listed @contentType(class: "m.Listed") { title: String! tag: String @indexed note: String }',
    present:
      'type Listed @contentType(class: "m.Listed") { title: String! tag: [String!] @indexed note: String }',
    assets: [{ title: 'a', tag: 'red' }, { title: 'b' }],
    report: ['breaking tag: is a list, and was a single value', 'content tag: must be a list (1 of 2)'],
    unfit: [['tag must be a list'], []],
    selection: 'title tag',
    finds: { 'tag = missing': [1] },
    sorts: { '-title': [1, 0] },
    createdByPresent: { asset: { title: 'c', tag: ['red', 'blue'] } },
    unfitForFormer: ['tag must be a string'],
    createdByFormer: { asset: { title: 'd', tag: 'blue' } },
  },
  {
    change: 'turn a list into a single value',
    class: 'm.Single',
    former:
      'type Single @contentType(class: "m.Single") { title: String! tag: [String!] @indexed note: String }',
    present:
      'type Single @contentType(class: "m.Single") { title: String! tag: String @indexed note: String }',
    assets: [{ title: 'a', tag: ['red', 'blue'] }, { title: 'b' }],
    report: ['breaking tag: is a single value, and was a list', 'content tag: must be a string (1 of 2)'],
    unfit: [['tag must be a string'], []],
    selection: 'title tag',
    finds: { 'tag = missing': [1] },
    sorts: { '-title': [1, 0] },
    createdByPresent: { asset: { title: 'c', tag: 'red' } },
    unfitForFormer: ['tag must be a list'],
    createdByFormer: { asset: { title: 'd', tag: ['blue'] } },
  },
  {
    change: 'turn a text into a number',
    class: 'm.Number',
    former:
      'type Number @contentType(class: "m.Number") { title: String! size: String @indexed note: String }',
    present: 'type Number @contentType(class: "m.Number") { title: String! size: Int @indexed note: String }',
    assets: [{ title: 'a', size: '4' }, { title: 'b' }],
    report: ['breaking size: is Int, and was String', 'content size: must be a number (1 of 2)'],
    unfit: [['size must be a number'], []],
    selection: 'title size',
    finds: { 'size = 4': [], 'size > 0': [], 'size = missing': [1] },
    sorts: { '-title': [1, 0] },
    createdByPresent: { asset: { title: 'c', size: 4 } },
    unfitForFormer: ['size must be a string'],
    createdByFormer: { asset: { title: 'd', size: '5' } },
  },
  {
    change: 'turn a whole number into any number',
    class: 'm.Wide',
    former: 'type Wide @contentType(class: "m.Wide") { size: Int @indexed note: String }',
    present: 'type Wide @contentType(class: "m.Wide") { size: Float @indexed note: String }',
    assets: [{ size: 1 }, { size: 2 }],
    report: ['attention size: is Float, and was Int'],
    selection: 'size',
    finds: { 'size = 2': [1], 'size < 1.5': [0] },
    sorts: { '-size': [1, 0] },
    createdByPresent: { asset: { size: 1.5 } },
    unfitForFormer: ['size must be a whole number from -2147483648 to 2147483647'],
    createdByFormer: { asset: { size: 3 } },
  },
  {
    change: 'turn a text into JSON',
    class: 'm.Any',
    former: 'type AnyValue @contentType(class: "m.Any") { value: String note: String }',
    present: 'type AnyValue @contentType(class: "m.Any") { value: JSON note: String }',
    assets: [{ value: 'a' }, {}],
    report: ['attention value: is JSON, and was String'],
    selection: 'value',
    finds: { 'value = missing': [1], 'value != missing': [0] },
    sorts: {},
    createdByPresent: { asset: { value: { deep: [1] } } },
    unfitForFormer: ['value must be a string'],
    createdByFormer: { asset: { value: 'd' } },
  },
  {
    change: 'let a reference lead to an interface',
    class: 'm.Work',
    former: `type Work @contentType(class: "m.Work") { title: String! author: Poet @indexed note: String }
      type Poet @contentType(class: "m.Poet") { name: String! }`,
    present: `type Work @contentType(class: "m.Work") { title: String! author: Maker @indexed note: String }
      interface Maker @contentType(class: "m.Maker") { name: String! }
      type Poet implements Maker @contentType(class: "m.Poet") { name: String! }
      type Robot implements Maker @contentType(class: "m.Robot") { name: String! }`,
    others: [{ ...ada, name: 'Ada' }],
    assets: [{ title: 'a', author: toAda }, { title: 'b' }],
    report: ['attention author: also refers to m.Robot, which present clients may not know'],
    selection: 'title',
    finds: { 'author/name = Ada': [0], 'author = missing': [1] },
    sorts: { '-author': [0, 1] },
    createdByPresent: { asset: { title: 'c', author: toAda } },
    createdByFormer: { asset: { title: 'd', author: toAda } },
  },
  {
    change: 'make a field unique whose values differ',
    class: 'm.Unique',
    former: 'type Unique @contentType(class: "m.Unique") { code: String note: String }',
    present:
      'type Unique @contentType(class: "m.Unique") { code: String @indexed(unique: true) note: String }',
    assets: [{ code: 'a' }, { code: 'b' }, {}, {}],
    report: [
      'attention code: is unique: stored assets and clients must not repeat a value',
      'safe code: has an index',
    ],
    selection: 'code',
    finds: { 'code = b': [1], 'code = missing': [2, 3] },
    sorts: { '-code': [1, 0, 3, 2] },
    createdByPresent: { asset: { code: 'c' } },
    createdByFormer: { asset: { code: 'd' } },
  },
  {
    change: 'index a field',
    class: 'm.Indexed',
    former: 'type Indexed @contentType(class: "m.Indexed") { title: String size: Int note: String }',
    present:
      'type Indexed @contentType(class: "m.Indexed") { title: String @indexed @searchable size: Int @indexed note: String }',
    assets: [{ title: 'one red', size: 1 }, { title: 'two red', size: 2 }, {}],
    report: ['safe size: has an index', 'safe title: has an index', 'safe title: has an index of its words'],
    selection: 'title size',
    finds: { 'size > 1': [1], 'title matches two': [1], 'title matchesAll red': [0, 1] },
    sorts: { '-size': [1, 0, 2], title: [2, 0, 1] },
    createdByPresent: { asset: { title: 'c', size: 3 } },
    createdByFormer: { asset: { title: 'd', size: 4 } },
  },
  {
    change: 'remove an index',
    class: 'm.Unindexed',
    former:
      'type Unindexed @contentType(class: "m.Unindexed") { title: String @indexed @searchable size: Int @indexed(unique: true) note: String }',
    present: 'type Unindexed @contentType(class: "m.Unindexed") { title: String size: Int note: String }',
    assets: [{ title: 'one red', size: 1 }, { title: 'two red', size: 2 }, {}],
    report: [
      'attention size: is no longer unique',
      'attention size: has no index any more: searches by it look through all assets',
      'attention title: has no index any more: searches by it look through all assets',
      'attention title: has no index of its words any more: searches by words look through all assets',
    ],
    selection: 'title size',
    finds: { 'size > 1': [1], 'title matches two': [1], 'title matchesAll red': [0, 1] },
    sorts: { '-size': [1, 0, 2], title: [2, 0, 1] },
    createdByPresent: { asset: { title: 'c', size: 3 } },
    createdByFormer: { asset: { title: 'd', size: 4 } },
  },
  {
    change: 'drop a field',
    class: 'm.Dropped',
    former:
      'type Dropped @contentType(class: "m.Dropped") { title: String! isbn: String @indexed note: String }',
    present:
      'type Dropped @contentType(class: "m.Dropped") @drops(fields: ["isbn"]) { title: String! note: String }',
    assets: [{ title: 'a', isbn: '978' }, { title: 'b' }],
    report: ['attention isbn: is dropped: its stored values are no longer needed'],
    shown: [{ title: 'a' }, { title: 'b' }],
    selection: 'title',
    finds: { 'title = a': [0] },
    sorts: { '-title': [1, 0] },
    createdByPresent: { asset: { title: 'c' } },
    createdByFormer: { asset: { title: 'd', isbn: '979' }, shown: { title: 'd' } },
  },
  {
    change: 'remove a field without dropping it',
    class: 'm.Removed',
    former:
      'type Removed @contentType(class: "m.Removed") { title: String! isbn: String @indexed note: String }',
    present: 'type Removed @contentType(class: "m.Removed") { title: String! note: String }',
    assets: [{ title: 'a', isbn: '978' }, { title: 'b' }],
    report: [
      'breaking isbn: is removed, and not dropped: stored assets that have it no longer fit',
      'content isbn: is not a field of this type (1 of 2)',
    ],
    unfit: [['isbn is not a field of this type'], []],
    selection: 'title',
    finds: { 'title = a': [0] },
    sorts: { '-title': [1, 0] },
    createdByPresent: { asset: { title: 'c' } },
    createdByFormer: { asset: { title: 'd', isbn: '979' } },
  },
  {
    change: 'move a field into an embedded value',
    class: 'm.Moved',
    former: 'type Moved @contentType(class: "m.Moved") { title: String! city: String @indexed note: String }',
    present: `type Moved @contentType(class: "m.Moved") { title: String! place: Spot note: String }
      type Spot { city: String @indexed }`,
    assets: [{ title: 'a', city: 'Rome' }, { title: 'b' }],
    report: [
      'breaking city: is removed, and not dropped: stored assets that have it no longer fit',
      'safe place: is new and optional',
      'content city: is not a field of this type (1 of 2)',
    ],
    unfit: [['city is not a field of this type'], []],
    selection: 'title',
    finds: { 'place.city = Rome': [], 'place = missing': [0, 1] },
    sorts: { '-title': [1, 0] },
    createdByPresent: { asset: { title: 'c', place: { city: 'Pisa' } } },
    unfitForFormer: ['place is not a field of this type'],
    createdByFormer: { asset: { title: 'd', city: 'Bari' } },
  },
];
