/**
 * The reads of a dry run at its target, for one batch: a few queries, whose number does not grow with the batch.
 */
import type { StoredAsset } from '../../content/content-service.ts';
import type { StoreReads } from '../../content/overlay/write-overlay.ts';
import type { Catalog } from '../../model/content-type.ts';
import { evaluatePredicate } from '../../query/evaluate.ts';
import { idPath } from '../../query/sort.ts';
import { toUniqueKey, type UniqueKey, writeKey } from '../../query/unique-values.ts';
import type { ContentTarget } from './content-target.ts';

/**
 * Creates the reads. They look up unique values, and of all `_id`s those in `given`, each once. The class names of the targets of
 * references are not looked up: the import does so at its end.
 */
export function createTargetReads(
  { page }: Pick<ContentTarget, 'page'>,
  { catalog, given }: { readonly catalog: Catalog; readonly given: ReadonlySet<string> },
): StoreReads {
  const found = new Map<string, StoredAsset>();
  const lookedUp = new Set<string>();

  /** Finds the assets that have one of the values in a unique field or in `_id`. */
  async function lookUp(keys: readonly UniqueKey[]): Promise<void> {
    const unknown = keys.filter(({ text }) => !lookedUp.has(text));
    for (const { text } of unknown) lookedUp.add(text);
    for (const { type, path, values } of toQueries(unknown)) {
      const where = `${path} in [${values.map(() => '?').join(', ')}]`;
      // The version is unknown, and nothing here depends on it.
      for (const asset of await page({ from: type, where, values }, values.length))
        found.set(asset._id, { asset, version: '' });
    }
  }

  const getMany: StoreReads['getMany'] = async (ids) => {
    const wanted = ids.filter((id) => given.has(id) && !found.has(id));
    // An asset of another type may use an `_id`.
    const types = [...catalog.types.keys()];
    await lookUp(types.flatMap((type) => wanted.map((id) => toUniqueKey(type, idPath, id))));
    const there = ids.flatMap((id) => found.get(id) ?? []);
    return { found: new Map(there.map((stored) => [stored.asset._id, stored])) };
  };

  return {
    getMany,
    async getChunk(ids) {
      return { items: [...(await getMany(ids)).found.values()] };
    },
    getTypes: async () => new Map(),
    async find({ types, where }) {
      if (where?.kind !== 'equals') throw new Error('A dry run searches for unique values only');
      const { path, values } = where;
      await lookUp(types.flatMap((type) => values.map((value) => toUniqueKey(type, path, value))));
      const fits = ({ asset }: StoredAsset) =>
        types.includes(asset._type) &&
        evaluatePredicate({ predicate: where, asset, resolve: () => undefined });
      return { items: [...found.values()].filter(fits) };
    },
  };
}

/** The limits of one query: its values are part of a URL. */
const maxValues = 100;
const maxCharacters = 4_000;

interface LookUp {
  readonly type: string;
  readonly path: string;
  readonly values: string[];
}

function toQueries(wanted: readonly UniqueKey[]): LookUp[] {
  const queries: LookUp[] = [];
  const open = new Map<string, { query: LookUp; characters: number }>();
  for (const key of wanted) {
    const { type, path } = key;
    const value = String(writeKey(key));
    const field = `${type} ${path.text}`;
    let current = open.get(field);
    const isFull =
      current && (current.query.values.length >= maxValues || current.characters > maxCharacters);
    if (!current || isFull) {
      current = { query: { type, path: path.text, values: [] }, characters: 0 };
      open.set(field, current);
      queries.push(current.query);
    }
    current.query.values.push(value);
    current.characters += value.length;
  }
  return queries;
}
