/** Content types before and after a deployment that renames fields and classes, and stores that are served with them. */
import { silentLogger } from '../../../../src/base/runtime.ts';
import type { Asset, Catalog, JsonObject } from '../../../../src/model/content-type.ts';
import { bindFacets } from '../../../../src/query/facets.ts';
import { bindPredicate, createPredicateCompiler } from '../../../../src/query/prepare.ts';
import { bindSort, parseSortKey } from '../../../../src/query/sort.ts';
import { openStore } from '../../../../src/store/open-store.ts';
import type { ContentStore, FindRequest } from '../../../../src/store/port.ts';
import type { StoreLocation } from '../../../support/stores.ts';
import { catalogOf } from '../../../support/types.ts';

/** The types of the first deployment. */
export const formerTypes = `
interface Titled @contentType(class: "t.Titled") { title: String! }
type Story implements Titled @contentType(class: "t.Story") @unique(fields: ["shelf", "slot"]) {
  shelf: String
  slot: Int
  title: String! @indexed @searchable
  code: String @indexed(unique: true)
  rank: Int @indexed
  labels: [String!] @indexed
  place: Place
  stops: [Place!]
  writer: Writer @indexed
}
type Writer implements Titled @contentType(class: "t.Writer") { title: String! boss: Writer }
type Place { town: String @indexed owner: Writer inner: Place }
`;

/** The types of the second deployment, which renames fields, fields of an embedded type, and a class. */
export const presentTypes = `
interface Titled @contentType(class: "t.Titled") { headline: String! @was(name: "title") }
type Story implements Titled @contentType(class: "t.Story") @unique(fields: ["slot", "rack"]) {
  rack: String @was(name: "shelf")
  slot: Int
  headline: String! @indexed @searchable @was(name: "title")
  number: String @indexed(unique: true) @was(name: "code")
  rank: Int @indexed
  tags: [String!] @indexed @was(name: "labels")
  location: Place @was(name: "place")
  stops: [Place!]
  author: Author @indexed @was(name: "writer")
}
type Author implements Titled @contentType(class: "t.Author") @was(class: "t.Writer") {
  headline: String! @was(name: "title")
  chief: Author @was(name: "boss")
}
type Place { city: String @indexed @was(name: "town") owner: Author inner: Place }
`;

/** The types of the third deployment, which renames what the second had renamed. */
export const latestTypes = presentTypes
  .replaceAll('headline: String!', 'heading: String!')
  .replaceAll('@was(name: "title")', '@was(name: "headline") @was(name: "title")')
  .replaceAll('Author', 'Person')
  .replaceAll('@was(class: "t.Writer")', '@was(class: "t.Author") @was(class: "t.Writer")');

/** A store as a process with some types sees it. */
export interface ServedStore {
  readonly store: ContentStore;
  readonly catalog: Catalog;
  insert(asset: Asset): Promise<void>;
  read(id: string): Promise<Asset | undefined>;
  patch(asset: Pick<Asset, '_id' | '_type'>, set: JsonObject, unset?: readonly string[]): Promise<void>;
  /** The `_id`s of the assets found. */
  find(from: string, where: string, sort?: string): Promise<readonly string[]>;
  /** The `_id`s of all assets, read by pages of `limit`. */
  pages(from: string, sort: string, limit: number): Promise<readonly string[]>;
  /** The same, by cursor. */
  follow(from: string, sort: string, limit: number): Promise<readonly string[]>;
  facet(from: string, field: string): Promise<readonly (readonly [unknown, number])[]>;
}

const known = { assets: 0, versions: 0 };

/** An `_id` that no other asset of the tests has. */
export const newId = () => `00000000-0000-7000-8000-${String(++known.assets).padStart(12, '0')}`;

const newVersion = () => `v${++known.versions}`;

/** Opens a store as a server with these types does. */
export async function serveStore({ config }: StoreLocation, sdl: string): Promise<ServedStore> {
  const catalog = catalogOf(sdl);
  const store = await openStore({ ...config, catalog, logger: silentLogger });
  await store.serve({ sources: [{ file: 'types.graphql', text: sdl }], folder: 'types', areShipped: false });
  return view(store, catalog);
}

function view(store: ContentStore, catalog: Catalog): ServedStore {
  const compiler = createPredicateCompiler(catalog);
  const classesOf = (from: string) => {
    const type = catalog.find(from);
    if (!type) throw new Error(`no type ${from}`);
    return catalog.concrete(type);
  };
  const toSort = (types: readonly string[], sort: string) =>
    bindSort(catalog, types, sort.split(',').map(parseSortKey));
  return {
    store,
    catalog,
    insert: async (asset) => void (await store.insert({ asset, version: newVersion() })),
    read: async (id) => (await store.get(id))?.asset,
    async patch({ _id: id, _type: type }, set, unset = []) {
      await store.patch({ id, type, set, unset, version: newVersion() });
    },
    async find(from, where, sort) {
      const types = classesOf(from);
      const request = {
        types,
        where: bindPredicate(compiler.prepare(types, where), []),
        offset: 0,
        limit: 100,
      };
      const order = sort === undefined ? {} : { sort: toSort(types, sort) };
      const { items, count } = await store.find({ ...request, ...order, withCount: true });
      if (count !== items.length) throw new Error(`counted ${count}, found ${items.length}`);
      return items.map(({ asset }) => asset._id);
    },
    async pages(from, sort, limit) {
      const types = classesOf(from);
      const request = { types, sort: toSort(types, sort), limit, withCount: true };
      const found: string[] = [];
      for (let offset = 0; ; offset += limit) {
        const { items, count = 0 } = await store.texts.find({ ...request, offset });
        found.push(...items.map(({ id }) => id));
        if (offset + limit >= count) return found;
      }
    },
    async follow(from, sort, limit) {
      const types = classesOf(from);
      const request = { types, sort: toSort(types, sort), limit, offset: 0, withCount: false };
      const found: string[] = [];
      let keyset: FindRequest['keyset'] = {};
      for (;;) {
        const { items, next } = await store.find({ ...request, keyset });
        found.push(...items.map(({ asset }) => asset._id));
        if (!next) return found;
        if (items.length !== limit) throw new Error(`a page of ${items.length}, with more to follow`);
        keyset = { after: next };
      }
    },
    async facet(from, field) {
      const types = classesOf(from);
      const [values = []] = await store.facets({
        types,
        paths: bindFacets(catalog, types, [field]),
        limit: 10,
      });
      return values.map(({ value, count }) => [value, count]);
    },
  };
}
