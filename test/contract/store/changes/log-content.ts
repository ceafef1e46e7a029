/**
 * The content of the cases for the change log: types that are logged, with secrets and not at all, and functions that write and
 * read them.
 */
import { beforeEach, expect } from 'vitest';
import { createCatalog } from '../../../../src/model/catalog.ts';
import type { Asset, Catalog, Json } from '../../../../src/model/content-type.ts';
import type { ChangeEntry, ChangeFilter, ChangeOrigin, LogRequest } from '../../../../src/store/changes.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { catalogOf } from '../../../support/types.ts';
import { type CreateHarness, useDatabase } from '../harness.ts';
import { idOf } from '../suite-content.ts';

const sdl = `
type Note @contentType(class: "log.Note") {
  title: String @indexed
  slug: String @indexed(unique: true)
  tags: [String!] @indexed
  parts: [Part!]
  extra: JSON
  count: Int
  dotted_name_long: String @json(name: "dotted.name.long")
  constructor: String
  hasOwnProperty: Int
}
type Part { text: String deep: [Part!] }
type Other @contentType(class: "log.Other") { title: String }
type Account @contentType(class: "log.Account") { name: String secret: String keys: [String!] }
type Lease @contentType(class: "log.Lease") { holder: String }
`;

const unlogged = { 'log.Account': { secrets: ['secret', 'keys'] }, 'log.Lease': 'all' } as const;

/** The content types of the cases. */
function logCatalog(): Catalog {
  const parts = new Map<string, (typeof unlogged)[keyof typeof unlogged]>(Object.entries(unlogged));
  const catalog = catalogOf(sdl);
  return createCatalog(
    [...catalog.types.values(), ...catalog.interfaces.values()].map((type) => {
      const part = parts.get(type.class);
      return part ? { ...type, unlogged: part } : type;
    }),
  );
}

export type Fields = Readonly<Record<string, Json>>;

/** Returns an asset of a type of `logCatalog`. */
export const assetOf = (type: string, n: number, fields: Fields = {}): Asset => ({
  _id: idOf(n),
  _type: `log.${type}`,
  ...fields,
});

/** Returns an origin at a time; `fields` replace parts of it. */
export const originAt = (atMs: number, fields: Partial<ChangeOrigin> = {}): ChangeOrigin => ({
  by: { kind: 'client', id: 'c-1', name: 'Loader' },
  atMs,
  ...fields,
});

/** Writes notes to a store with versions and times that rise by one. */
export interface LogWriter {
  readonly store: ContentStore;
  create(n: number, fields?: Fields, origin?: Partial<ChangeOrigin>): Promise<string>;
  update(n: number, set: Fields, unset?: readonly string[], origin?: Partial<ChangeOrigin>): Promise<string>;
  remove(n: number, origin?: Partial<ChangeOrigin>): Promise<string>;
}

/** Creates a writer. Its first write has the version `v-1` and the time 1,001. */
export function createLogWriter(store: ContentStore, type = 'Note'): LogWriter {
  let writes = 0;
  const next = (fields: Partial<ChangeOrigin> = {}) => {
    writes++;
    return { version: `v-${writes}`, origin: originAt(1_000 + writes, fields) };
  };
  const className = `log.${type}`;
  return {
    store,
    async create(n, fields = {}, given) {
      const { version, origin } = next(given);
      await store.insert({ asset: assetOf(type, n, fields), version }, origin);
      return version;
    },
    async update(n, set, unset = [], given) {
      const { version, origin } = next(given);
      const patch = { id: idOf(n), type: className, set, unset, version };
      expect(await store.patch(patch, origin)).toBeDefined();
      return version;
    },
    async remove(n, given) {
      const { version, origin } = next(given);
      const deletion = { id: idOf(n), type: className, change: version };
      expect(await store.delete(deletion, origin)).toBe(true);
      return version;
    },
  };
}

/** Provides a fresh database per case, opened once for each call; skips the case when the store has no change log. */
export function useLog(createHarness: CreateHarness): () => Promise<ContentStore> {
  const open = useDatabase(createHarness);
  let first: ContentStore | undefined;
  beforeEach(async (context) => {
    first = await open(logCatalog());
    if (!first.capabilities.changes) context.skip('the store has no change log');
  });
  return async () => {
    // What `beforeEach` has opened is the store of the first call.
    const store = first ?? (await open(logCatalog()));
    first = undefined;
    return store;
  };
}

/** Reads all pages of the log. */
export async function readLog(
  store: ContentStore,
  { order = 'oldest first', limit = 1000, ...rest }: Partial<LogRequest> = {},
): Promise<(ChangeEntry & { seq: number })[]> {
  const entries: (ChangeEntry & { seq: number })[] = [];
  for (let { from } = rest; ; ) {
    const page = await store.changes.read({ ...rest, order, limit, ...(from !== undefined && { from }) });
    entries.push(...page.entries);
    if (page.next === undefined) return entries;
    from = page.next;
  }
}

/** Reads the log when it has at least `count` entries: a store may number entries a little later than it writes them. */
export async function readWhenNumbered(
  store: ContentStore,
  count: number,
  filter?: ChangeFilter,
): Promise<(ChangeEntry & { seq: number })[]> {
  return expect
    .poll(() => readLog(store, filter && { filter }), { interval: 10 })
    .toHaveLength(count)
    .then(() => readLog(store, filter && { filter }));
}

/** Reads the whole history of an asset, newest first. */
export async function readHistory(store: ContentStore, n: number, limit = 1000): Promise<ChangeEntry[]> {
  const entries: ChangeEntry[] = [];
  for (let before: number | undefined; ; ) {
    const page = await store.changes.history({
      asset: idOf(n),
      limit,
      ...(before !== undefined && { before }),
    });
    entries.push(...page.entries);
    if (page.next === undefined) return entries;
    before = page.next;
  }
}
