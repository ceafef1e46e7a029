/** The content of the cases for a backfill: a type whose fields have a former and a present name, as a store has it meanwhile. */
import type { Asset, Json } from '../../../../src/model/content-type.ts';
import { bindPredicate } from '../../../../src/query/bind.ts';
import { createPredicateCompiler } from '../../../../src/query/prepare.ts';
import type { BackfillState, RenamedField, Rewrite } from '../../../../src/store/backfill-calls.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { catalogOf } from '../../../support/types.ts';
import { idOf } from '../suite-content.ts';

export const type = 'back.Note';

/** The types of a store with both names of each renamed field. */
export const catalog = catalogOf(`
  type Note @contentType(class: "${type}") {
    mail: String @indexed(unique: true)
    email: String @indexed(unique: true)
    note: String @searchable
    remark: String @searchable
    tags: [String!] @indexed
    labels: [String!] @indexed
    place: Place
    dotted_old: String @json(name: "dotted.old")
    other_new: String @json(name: "other.new")
    title: String
  }
  type Place { city: String @indexed town: String @indexed }
`);

export const fields: readonly RenamedField[] = [
  { type, path: ['mail'], name: 'email' },
  { type, path: ['note'], name: 'remark' },
  { type, path: ['tags'], name: 'labels' },
  { type, path: ['place', 'city'], name: 'town' },
  { type, path: ['dotted.old'], name: 'other.new' },
];

export const stateOf = (revision: number, more: Partial<BackfillState> = {}): BackfillState => ({
  revision,
  phase: 'copying',
  fields,
  finished: [],
  ...more,
});

export const noteOf = (n: number, values: Readonly<Record<string, Json>>): Asset => ({
  _id: idOf(n),
  _type: type,
  ...values,
});

/** A note under the former names. */
export const formerNote = (n: number) =>
  noteOf(n, {
    mail: `${n}@a`,
    note: `red fox${n}`,
    tags: [`t${n}`],
    place: { city: `oslo ${n}` },
    'dotted.old': 'd',
    title: 'first',
  });

/** The same note under the present names. */
export const presentNote = (n: number) =>
  noteOf(n, {
    email: `${n}@a`,
    remark: `red fox${n}`,
    labels: [`t${n}`],
    place: { town: `oslo ${n}` },
    'other.new': 'd',
    title: 'first',
  });

export const toRewrite = (asset: Asset, version: string, shape?: string): Rewrite => ({
  id: asset._id,
  type: asset._type,
  version,
  text: JSON.stringify(asset),
  ...(shape !== undefined && { shape }),
});

const compiler = createPredicateCompiler(catalog);

/** Finds the numbers of the notes that match. */
export async function findNotes(store: ContentStore, text: string): Promise<number[]> {
  const where = bindPredicate(compiler.prepare([type], text), []);
  const { items } = await store.find({ types: [type], where, offset: 0, limit: 100, withCount: false });
  return items.map(({ asset }) => Number.parseInt(asset._id.slice(-12), 16));
}
