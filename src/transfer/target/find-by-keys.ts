/**
 * Finds the assets of a target that have keys, in few queries. The types need not be known here: values are sent as text.
 */
import type { Asset } from '../../model/content-type.ts';
import type { KeyLookup, Selection } from './content-target.ts';

/** The limits of one query, whose values are part of a URL. */
const limits = { values: 100, characters: 4_000 };

/**
 * Finds the assets with their keys' fields. `page` returns nothing for what is no key. Drafts of a release may share a key: of each such
 * key, two assets are found at least.
 */
export async function findByKeys(
  keys: readonly KeyLookup[],
  page: (selection: Selection, limit: number) => Promise<readonly Asset[]>,
): Promise<readonly Asset[]> {
  const found: Asset[] = [];
  for (const group of Map.groupBy(keys, ({ type, fields }) => JSON.stringify([type, fields])).values()) {
    for (const part of split(group)) found.push(...(await findAll(part, page)));
  }
  return found;
}

async function findAll(
  keys: readonly KeyLookup[],
  page: (selection: Selection, limit: number) => Promise<readonly Asset[]>,
): Promise<readonly Asset[]> {
  const assets = await page(toSelection(keys), keys.length + 1);
  if (assets.length <= keys.length || keys.length === 1) return assets;
  // A key has several assets, which may have left others out.
  const half = Math.ceil(keys.length / 2);
  return [...(await findAll(keys.slice(0, half), page)), ...(await findAll(keys.slice(half), page))];
}

function* split(keys: readonly KeyLookup[]): Iterable<readonly KeyLookup[]> {
  let [part, count, characters]: [KeyLookup[], number, number] = [[], 0, 0];
  for (const key of keys) {
    const length = key.values.join('').length;
    const isFull = count + key.values.length > limits.values || characters + length > limits.characters;
    if (part.length > 0 && isFull) {
      yield part;
      [part, count, characters] = [[], 0, 0];
    }
    part.push(key);
    [count, characters] = [count + key.values.length, characters + length];
  }
  if (part.length > 0) yield part;
}

function toSelection(keys: readonly KeyLookup[]): Selection {
  const [{ type, fields } = { type: '', fields: [] }] = keys;
  const [field, ...others] = fields;
  const values = keys.flatMap((key) => key.values.filter((value) => value !== null));
  const where =
    others.length === 0
      ? `${field} in [${values.map(() => '?').join(', ')}]`
      : keys
          .map(
            (key) =>
              `(${fields.map((name, n) => `${name} = ${key.values[n] === null ? 'null' : '?'}`).join(' and ')})`,
          )
          .join(' or ');
  return { from: type, where, values, fields };
}
