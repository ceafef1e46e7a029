/**
 * Finds the assets of a target by unique values, many at once.
 */
import type { Asset } from '../../model/content-type.ts';
import type { ContentTarget } from './content-target.ts';
import type { UniqueValue } from './planned-content.ts';

/** The limits of one query: its values are part of a URL. */
const maxValues = 100;
const maxCharacters = 4_000;

/** Finds the assets that have one of the values in a unique field or in `_id`. */
export async function lookUp(target: ContentTarget, wanted: readonly UniqueValue[]): Promise<Asset[]> {
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
