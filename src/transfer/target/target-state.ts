/**
 * The assets of the target that a batch depends on: those its operations write, and those that hold its unique values.
 */
import { isUuid } from '../../base/uuid.ts';
import type { Asset, Catalog, ContentType, JsonObject } from '../../model/content-type.ts';
import { type UniqueKey, uniqueKeysAt, uniquePaths } from '../../query/unique-values.ts';
import type { ContentTarget, Operation } from './content-target.ts';
import type { UniqueValue } from './planned-content.ts';

/** The loaded assets of the target. */
export interface TargetView {
  find(id: string): Asset | undefined;
  /** The asset that has a unique value. */
  findByValue(value: UniqueValue): Asset | undefined;
}

/** A unique key, as a query or a dry run's records name it. */
export const toUniqueValue = ({ type, path, value }: UniqueKey): UniqueValue => ({
  type,
  path: path.text,
  value: String(value),
});

const uniqueValuesOf = (type: ContentType, values: JsonObject) =>
  uniqueKeysAt(uniquePaths(type), type.class, values).map(toUniqueValue);

/**
 * Loads the assets that a batch depends on; `named` are the unique values by which its references name their targets. The number of queries is small and does not grow with the batch.
 */
export async function createTargetView(
  operations: readonly Operation[],
  { target, catalog, named }: { target: ContentTarget; catalog: Catalog; named: readonly UniqueValue[] },
): Promise<TargetView> {
  const byId = new Map<string, Asset>();
  const byValue = new Map<string, Asset>();
  const keep = (asset: Asset) => {
    byId.set(asset._id, asset);
    const type = catalog.types.get(asset._type);
    for (const value of type ? uniqueValuesOf(type, asset) : []) byValue.set(keyOf(value), asset);
  };
  for (const asset of await lookUp(target, wantedIds(operations, catalog))) keep(asset);
  const values = operations.flatMap(({ asset }) => {
    const id = typeof asset._id === 'string' ? asset._id.toLowerCase() : '';
    const type = catalog.types.get(byId.get(id)?._type ?? classOf(asset, catalog));
    return type ? uniqueValuesOf(type, asset) : [];
  });
  const unknown = new Map([...values, ...named].map((value) => [keyOf(value), value]));
  for (const key of byValue.keys()) unknown.delete(key);
  for (const asset of await lookUp(target, [...unknown.values()])) keep(asset);
  return { find: (id) => byId.get(id), findByValue: (value) => byValue.get(keyOf(value)) };
}

const keyOf = ({ type, path, value }: UniqueValue) => JSON.stringify([type, path, value]);

const classOf = ({ _type: name }: JsonObject, catalog: Catalog) =>
  (typeof name === 'string' && catalog.find(name)?.class) || '';

/** Lists every `_id` for every type, since an asset of another type may use it. */
function wantedIds(operations: readonly Operation[], catalog: Catalog): UniqueValue[] {
  const ids = new Set(
    operations.flatMap(({ asset: { _id: id } }) =>
      typeof id === 'string' && isUuid(id) ? [id.toLowerCase()] : [],
    ),
  );
  return [...catalog.types.keys()].flatMap((type) => [...ids].map((value) => ({ type, path: '_id', value })));
}

/** The limits of one query: its values are part of a URL. */
const maxValues = 100;
const maxCharacters = 4_000;

/** Finds the assets that have one of the values in a unique field or in `_id`. */
async function lookUp(target: ContentTarget, wanted: readonly UniqueValue[]): Promise<Asset[]> {
  const found: Asset[] = [];
  for (const { type, path, values } of toQueries(wanted)) {
    const where = `${path} in [${values.map(() => '?').join(', ')}]`;
    found.push(...(await target.page({ from: type, where, values }, values.length)));
  }
  return found;
}

interface LookUp {
  readonly type: string;
  readonly path: string;
  readonly values: string[];
}

function toQueries(wanted: readonly UniqueValue[]): LookUp[] {
  const queries: LookUp[] = [];
  const open = new Map<string, { query: LookUp; characters: number }>();
  for (const { type, path, value } of wanted) {
    const key = `${type} ${path}`;
    let current = open.get(key);
    const isFull =
      current && (current.query.values.length >= maxValues || current.characters > maxCharacters);
    if (!current || isFull) {
      current = { query: { type, path, values: [] }, characters: 0 };
      open.set(key, current);
      queries.push(current.query);
    }
    current.query.values.push(value);
    current.characters += value.length;
  }
  return queries;
}
