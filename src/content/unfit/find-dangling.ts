/**
 * Finds the stored references that lead nowhere in fields that get `@onDelete` by a change of types: the rule does not mend them, and they
 * stop nothing.
 */
import type { Catalog } from '../../model/content-type.ts';
import { listDeletionRules } from '../../model/deletion-rules.ts';
import { type FieldPath, fieldPaths } from '../../model/field-path.ts';
import { findOrderKeys, idPath } from '../../query/sort.ts';
import type { ContentStore } from '../../store/port.ts';
import { attention, type TypeChange } from '../../types/type-change.ts';
import { findAssetsAfter } from './find-unfit.ts';

type AssetSource = Pick<ContentStore, 'find'>;

/** How many assets are read at a time, and how many a finding names. */
const step = 256;
const maxNamed = 10;

/** Finds them until the signal, in a store that is open with the types before the change. Errors: the store's. */
export async function findDanglingByRules(
  store: AssetSource,
  { before, after }: { readonly before: Catalog; readonly after: Catalog },
  signal: AbortSignal,
): Promise<TypeChange[]> {
  const known = new Set(
    listDeletionRules(before.types.values()).map(({ type, path }) => `${type} ${path.text}`),
  );
  const changes: TypeChange[] = [];
  for (const { type, path } of listDeletionRules(after.types.values())) {
    const placed = fieldPaths(before.types.get(type)?.fields ?? new Map()).find(
      ({ path: old }) => old.text === path.text,
    );
    if (!placed || known.has(`${type} ${path.text}`)) continue;
    const ids = await findHolders(store, { type, path: placed.path }, signal);
    const named = ids.slice(0, maxNamed).join(', ');
    const message = `has references that lead nowhere, which the rule does not mend, in ${ids.length} stored assets: ${named}`;
    if (ids.length > 0) changes.push({ type, path: path.text, ...attention(message) });
  }
  return changes;
}

/** Finds the `_id`s of the assets that have such a reference. */
async function findHolders(
  store: AssetSource,
  { type, path }: { readonly type: string; readonly path: FieldPath },
  signal: AbortSignal,
): Promise<string[]> {
  const { leaf } = path;
  const holders: string[] = [];
  for (let last: string | undefined, isLast = leaf.kind !== 'reference'; !isLast && !signal.aborted; ) {
    const page = await findAssetsAfter(store, { type, last, limit: step });
    const named = page.assets.map((asset) => ({
      id: asset._id,
      ids: findOrderKeys(asset, path).map(String),
    }));
    const values = [...new Set(named.flatMap(({ ids }) => ids))];
    const where = { kind: 'equals', path: idPath, values, ignoreCase: false } as const;
    const types = leaf.kind === 'reference' ? leaf.targets : [];
    const request = { types, where, offset: 0, limit: values.length, withCount: false };
    const { items, rest = [] } = values.length > 0 ? await store.find(request) : { items: [] };
    const there = new Set([...items.map(({ asset }) => asset._id), ...rest]);
    holders.push(...named.flatMap(({ id, ids }) => (ids.some((one) => !there.has(one)) ? [id] : [])));
    last = page.assets.at(-1)?._id;
    isLast = page.isLast;
  }
  return holders;
}
