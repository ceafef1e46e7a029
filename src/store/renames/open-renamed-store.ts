/**
 * Opens a store for a catalog in which names have changed.
 *
 * The store's record of names decides what is stored under which name. A store that was never served by a version with such a record
 * is searched for assets with the former names.
 */
import type { Logger } from '../../base/runtime.ts';
import { createCatalog } from '../../model/catalog.ts';
import type { Catalog } from '../../model/content-type.ts';
import type { ContentStore } from '../port.ts';
import type { Doubt } from './choose-names.ts';
import { followBackfill } from './follow-backfill.ts';
import type { RecordedNames, StoredNames } from './recorded-names.ts';
import { createRenamedStore } from './renamed-store.ts';
import { createRenames, type Renames, type RenamesOptions } from './renames.ts';

/** Opens the store itself for a catalog; only to read it, or for all calls. */
export type OpenStore = (catalog: Catalog, purpose: 'read' | 'all') => Promise<ContentStore>;

/** What is known of a store, and how to open it. */
export interface NamedStore {
  readonly stored: StoredNames;
  readonly open: OpenStore;
  readonly logger: Logger;
  /** How old the state of the backfill may be that a call goes by, in milliseconds; for tests. */
  readonly followMs?: number;
}

/** Opens the store. Errors: those of `open`, bad_config. */
export async function openRenamedStore(catalog: Catalog, store: NamedStore): Promise<ContentStore> {
  const { backfill } = store.stored;
  const { renames, names } = await findRenames(catalog, store);
  const inner = await store.open(renames.stored, 'all');
  if (renames.types.size === 0) return inner;
  const follower = followBackfill({
    renames,
    backfill,
    readState: inner.backfill.readState,
    rebuild: (state) =>
      createRenames(catalog, { names, ...(state && { backfill: state }) }, { isLenient: true }),
    ...(store.followMs !== undefined && { maxAgeMs: store.followMs }),
    onPhase: ({ phase }) => store.logger.info({ phase }, 'A backfill of renamed fields is in another phase'),
  });
  return createRenamedStore(inner, follower);
}

/** The renames of a catalog, and the names for which they were built: those of the record, and those found by a search. */
export interface FoundRenames {
  readonly renames: Renames;
  readonly names: RecordedNames;
}

/** Finds out under which names the content of a store is stored. Errors: those of `open`, bad_config. */
export async function findRenames(
  catalog: Catalog,
  { stored, open }: NamedStore,
  options?: RenamesOptions,
): Promise<FoundRenames> {
  const { names } = stored;
  const classes = [...catalog.types.values()].filter(({ formerClasses }) => formerClasses.length > 0);
  const isKnown = (name: string) => names.has(name);
  const areKnown = classes.every(
    ({ class: name, formerClasses }) => isKnown(name) || formerClasses.some(isKnown),
  );
  const first = createRenames(catalog, stored, options);
  if (areKnown && first.doubts.length === 0) return { renames: first, names };
  const store = await open(withFormerClasses(catalog), 'read');
  try {
    return await searchNames(catalog, { stored, store, options });
  } finally {
    await store.close();
  }
}

/** Settles doubts about names by the assets of the store. */
async function searchNames(
  catalog: Catalog,
  {
    stored,
    store,
    options,
  }: { stored: StoredNames; store: ContentStore; options: RenamesOptions | undefined },
): Promise<FoundRenames> {
  const counts = await store.countOthers([]);
  const names = new Map([...stored.names].map(([type, paths]) => [type, new Set(paths)]));
  for (const type of counts.keys()) if (!names.has(type)) names.set(type, new Set());
  const settled = new Set<string>();
  for (;;) {
    const renames = createRenames(catalog, { ...stored, names }, options);
    const open = renames.doubts.filter((doubt) => !settled.has(keyOf(doubt)));
    if (open.length === 0) return { renames, names };
    for (const doubt of open) {
      settled.add(keyOf(doubt));
      // A name of an embedded value may lead to further doubts about the names inside.
      if (counts.has(doubt.type) && (await isInUse(store, doubt))) {
        names.get(doubt.type)?.add(doubt.path.text);
      }
    }
  }
}

const keyOf = ({ type, path }: Doubt) => JSON.stringify([type, path.text]);

/** Tells whether an asset has a field. */
async function isInUse(store: ContentStore, { type, path }: Doubt): Promise<boolean> {
  const where = { kind: 'not', term: { kind: 'missing', path } } as const;
  const { items } = await store.find({ types: [type], where, offset: 0, limit: 1, withCount: false });
  return items.length > 0;
}

/** Adds each type under its former class names, since a store answers only for classes of its catalog. */
function withFormerClasses(catalog: Catalog): Catalog {
  const types = [...catalog.types.values()];
  const former = types.flatMap((type) =>
    type.formerClasses.map((name) => ({ ...type, class: name, id: name })),
  );
  return createCatalog([...types, ...former, ...catalog.interfaces.values()]);
}
