/**
 * A target that writes nothing: it answers each batch as the target behind it would. It reads what that target has, and remembers what
 * earlier batches would have written.
 */
import { missingFile, type Problem } from '../../base/errors.ts';
import type { StoredAsset } from '../../content/content-service.ts';
import { createDryRun, type DryRunParts } from '../../content/overlay/trial-writer.ts';
import type { StoreReads } from '../../content/overlay/write-overlay.ts';
import type { Catalog } from '../../model/content-type.ts';
import { type FieldPath, keyName } from '../../model/field-path.ts';
import { createFileFinder } from '../../model/values/find-files.ts';
import type { BoundValue } from '../../query/ast.ts';
import { evaluatePredicate } from '../../query/evaluate.ts';
import { idPath, toWrittenValue } from '../../query/sort.ts';
import { keysSoughtBy, toUniqueKey, type UniqueKey, writeKey } from '../../query/unique-values.ts';
import { type Batch, batchTerms, type ContentTarget, type Operation } from './content-target.ts';
import { toRefusal, toRequest, toResult } from './store-target.ts';

export interface DryRunTarget extends DryRunParts {
  /** The one that would be written to. */
  readonly target: ContentTarget;
  /** Whether there is a file, or the import would upload it. */
  readonly hasFile: (hash: string) => Promise<boolean>;
}

/** Makes the target. It takes one batch at a time. */
export function createDryRunTarget({ target, hasFile, ...parts }: DryRunTarget): ContentTarget {
  const { catalog, pending } = parts;
  const write = createDryRun(parts);
  const findFiles = createFileFinder(catalog);

  /** Returns why an operation would be refused because of files that it names. */
  async function findRefusal(operation: Operation) {
    if (operation.action === 'delete') return undefined;
    const { asset } = operation;
    const type = catalog.find(String(asset._type))?.class;
    const problems: Problem[] = [];
    for (const { path, file } of type === undefined ? [] : findFiles(type, asset)) {
      if (typeof file.hash === 'string' && !(await hasFile(file.hash)))
        problems.push({ path: `${path}.hash`, message: 'names no file that was uploaded' });
    }
    return problems.length > 0 ? toRefusal(missingFile(problems)) : undefined;
  }

  async function batch({ operations }: Batch) {
    const given = new Set(
      operations.flatMap((one) => {
        const id = one.action === 'delete' ? one.id : one.asset._id;
        return typeof id === 'string' ? [id.toLowerCase()] : [];
      }),
    );
    const refusals = await Promise.all(operations.map(findRefusal));
    const others = operations.filter((_, index) => !refusals[index]);
    const request = { ...batchTerms, operations: others.map(toRequest), atomic: false };
    const outcomes = await write(request, createLookups(target, { catalog, given }));
    const written = outcomes.map(toResult).values();
    const results = refusals.flatMap((refusal) =>
      refusal ? [{ outcome: 'refused' as const, refusal }] : [...written.take(1)],
    );
    return { kind: 'answered' as const, results };
  }

  return {
    ...target,
    batch,
    async findMissing({ type, refs }) {
      const unplanned = refs.filter((ref) => pending.assets.get(ref)?.asset._type !== type);
      return unplanned.length > 0 ? target.findMissing({ type, refs: unplanned }) : [];
    },
  };
}

/**
 * Creates the reads. They look up unique values, and of all `_id`s those in `given`, each once. The class names of the targets of
 * references are not looked up: the import does so at its end.
 */
function createLookups(
  { page }: Pick<ContentTarget, 'page'>,
  { catalog, given }: { readonly catalog: Catalog; readonly given: ReadonlySet<string> },
): StoreReads {
  const found = new Map<string, StoredAsset>();
  const lookedUp = new Set<string>();

  /** Finds the assets that have one of the values in a unique field or in `_id`. */
  async function lookUp(keys: readonly UniqueKey[]): Promise<void> {
    const unknown = keys.filter(({ text }) => !lookedUp.has(text));
    for (const { text } of unknown) lookedUp.add(text);
    for (const { type, keys } of toQueries(unknown)) {
      // The version is unknown, and nothing here depends on it.
      for (const asset of await page({ from: type, ...toPredicate(keys, catalog) }, keys.length))
        found.set(asset._id, { asset, version: '' });
    }
  }

  const getMany: StoreReads['getMany'] = async (ids) => {
    const wanted = ids.filter((id) => given.has(id) && !found.has(id));
    // An asset of another type may use an `_id`.
    const types = [...catalog.types.keys()];
    await lookUp(types.flatMap((type) => wanted.map((id) => toUniqueKey(type, [idPath], [id]))));
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
      if (!where) throw new Error('A dry run searches for keys only');
      await lookUp(keysSoughtBy({ types, where }));
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
  readonly keys: UniqueKey[];
}

function toQueries(wanted: readonly UniqueKey[]): LookUp[] {
  const queries: LookUp[] = [];
  const open = new Map<string, { query: LookUp; values: number; characters: number }>();
  for (const key of wanted) {
    const { type, paths } = key;
    const field = `${type} ${keyName(paths)} ${JSON.stringify(key.among)}`;
    let current = open.get(field);
    const isFull =
      current && (current.values + paths.length > maxValues || current.characters > maxCharacters);
    if (!current || isFull) {
      current = { query: { type, keys: [] }, values: 0, characters: 0 };
      open.set(field, current);
      queries.push(current.query);
    }
    current.query.keys.push(key);
    current.values += paths.length;
    current.characters += writeKey(key).length;
  }
  return queries;
}

/** Writes the predicate that finds the assets with some keys of the same fields and condition. */
function toPredicate(keys: readonly UniqueKey[], { types }: Catalog): { where: string; values: string[] } {
  const { where, values } = toValuePredicate(keys);
  const [{ type, among } = {}] = keys;
  const condition = among && JSON.stringify(among);
  const known = types.get(type ?? '')?.conditionalKeys.find((key) => key.condition === condition);
  return { where: known ? `(${where}) and (${known.where})` : where, values };
}

function toValuePredicate(keys: readonly UniqueKey[]): { where: string; values: string[] } {
  const [{ paths } = { paths: [] }] = keys;
  const values: string[] = [];
  const add = (path: FieldPath, value: BoundValue) => {
    values.push(String(toWrittenValue(path, value)));
    return '?';
  };
  const [path, ...others] = paths;
  if (path && others.length === 0) {
    const added = keys.flatMap((key) => key.values[0] ?? []).map((value) => add(path, value));
    return { where: `${path.text} in [${added.join(', ')}]`, values };
  }
  const alternatives = keys.map((key) => {
    const terms = paths.map((one, n) => {
      const value = key.values[n];
      return `${one.text} = ${value === undefined ? 'null' : add(one, value)}`;
    });
    return `(${terms.join(' and ')})`;
  });
  return { where: alternatives.join(' or '), values };
}
