/**
 * Finds the stored references that lead nowhere in fields that get `@onDelete` by a change of types: the rule does not mend them, and they
 * stop nothing.
 */
import type { Asset, Catalog } from '../../model/content-type.ts';
import { listDeletionRules } from '../../model/deletion-rules.ts';
import { fieldPaths } from '../../model/field-path.ts';
import { findOrderKeys, idPath } from '../../query/sort.ts';
import type { ContentStore } from '../../store/port.ts';
import { attention, type TypeChange } from '../../types/type-change.ts';
import { findAssetsAfter } from './find-unfit.ts';

/** How many assets are read at a time, and how many a finding names. */
const step = 256;
const maxNamed = 10;

/** Finds them until the signal, in a store that is open with the types before the change. Errors: the store's. */
export async function findDanglingByRules(
  store: Pick<ContentStore, 'find'>,
  { before, after }: { readonly before: Catalog; readonly after: Catalog },
  signal: AbortSignal,
): Promise<TypeChange[]> {
  const known = new Set(listDeletionRules(before.types.values()).map(nameOf));
  const changes: TypeChange[] = [];
  for (const rule of listDeletionRules(after.types.values())) {
    const { type, path } = rule;
    const placed = fieldPaths(before.types.get(type)?.fields ?? new Map());
    const old = placed.find((one) => one.path.text === path.text)?.path;
    if (old?.leaf.kind !== 'reference' || known.has(nameOf(rule))) continue;
    const { targets: types } = old.leaf;
    const idsIn = (asset: Asset) => findOrderKeys(asset, old).map(String);
    const holders: string[] = [];
    for (let last: string | undefined, isLast = false; !isLast && !signal.aborted; ) {
      const page = await findAssetsAfter(store, { type, last, limit: step });
      const values = [...new Set(page.assets.flatMap(idsIn))];
      const where = { kind: 'equals', path: idPath, values, ignoreCase: false } as const;
      const request = { types, where, offset: 0, limit: values.length, withCount: false };
      const { items, rest = [] } = values.length > 0 ? await store.find(request) : { items: [] };
      const there = new Set([...items.map(({ asset }) => asset._id), ...rest]);
      const dangling = page.assets.filter((asset) => idsIn(asset).some((id) => !there.has(id)));
      holders.push(...dangling.map(({ _id }) => _id));
      last = page.assets.at(-1)?._id;
      isLast = page.isLast;
    }
    const named = holders.slice(0, maxNamed).join(', ');
    const message = `has references that lead nowhere, which the rule does not mend, in ${holders.length} stored assets: ${named}`;
    if (holders.length > 0) changes.push({ type, path: path.text, ...attention(message) });
  }
  return changes;
}

const nameOf = ({ type, path }: ReturnType<typeof listDeletionRules>[number]) => `${type} ${path.text}`;
