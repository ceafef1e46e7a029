/**
 * A store under present names, over one that was opened with the stored names.
 *
 * All conversion happens here, so that neither adapter knows that a name has changed. What is of a type without renames passes unchanged,
 * as text where the store keeps texts.
 */
import {
  type DomainError,
  isDomainError,
  queryTooCostly,
  referenced,
  valueInUse,
} from '../../base/errors.ts';
import { type AssetCalls, type Chunk, type ContentStore, typeOfWrite, type WriteOutcome } from '../port.ts';
import { createAssetConverter, createRenamedChanges } from './renamed-assets.ts';
import { toPresentPath } from './renamed-paths.ts';
import { countRenamedFacets, findRenamed, toStoredFind } from './renamed-search.ts';
import type { Renames } from './renames.ts';

/** Creates the store. `inner` was opened with the stored names of `renames`. */
export function createRenamedStore(inner: ContentStore, renames: Renames): ContentStore {
  const { toStoredClass, toPresentClass } = renames;
  const converter = createAssetConverter(renames);

  /** Runs a call about assets of some present classes, and names fields in its errors as they are called now. */
  async function run<Result>(classes: readonly string[], work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw toPresentError(renames, classes, error);
    }
  }

  /** Returns the calls that return assets in one form, of which `toPresent` converts one. */
  function present<Item>(
    calls: AssetCalls<Item>,
    { toPresent, idOf }: { toPresent: (item: Item) => Item; idOf: (item: Item) => string },
  ): AssetCalls<Item> {
    const finder = {
      find: calls.find,
      idOf,
      async read(id: string) {
        const stored = await inner.get(id);
        return stored && converter.toPresent(stored.asset);
      },
    };
    const convertAll = <Page extends Chunk<Item>>(page: Page): Page => ({
      ...page,
      items: page.items.map(toPresent),
    });
    return {
      async get(id) {
        const stored = await calls.get(id);
        return stored && toPresent(stored);
      },
      getChunk: async (ids) => convertAll(await calls.getChunk(ids)),
      find: (request) =>
        run(request.types, async () => convertAll(await findRenamed(inner, { renames, request, finder }))),
      patch: (patch, origin) =>
        run([patch.type], async () => {
          const changed = await calls.patch(converter.toStoredPatch(patch), origin);
          return changed && toPresent(changed);
        }),
    };
  }

  /** Names the field of a type as both are called now. */
  function toPresentField<Field extends { readonly type: string; readonly field: string }>(
    stored: Field,
  ): Field {
    const type = toPresentClass(stored.type);
    return { ...stored, type, field: toPresentKey(renames, [type], stored.field) };
  }

  return {
    ...inner,
    ...present(inner, { toPresent: converter.toPresentStored, idOf: ({ asset }) => asset._id }),
    texts: present(inner.texts, { toPresent: converter.toPresentText, idOf: ({ id }) => id }),
    changes: createRenamedChanges(inner.changes, renames, converter),
    async getMany(ids) {
      const { found, ...others } = await inner.getMany(ids);
      const shown = [...found].map(([id, one]) => [id, converter.toPresentStored(one)] as const);
      return { ...others, found: new Map(shown) };
    },
    async getTypes(ids) {
      const found = await inner.getTypes(ids);
      return new Map([...found].map(([id, name]) => [id, toPresentClass(name)]));
    },
    facets: (request) => run(request.types, () => countRenamedFacets(inner, { renames, request })),
    explain: (request) =>
      run(request.types, async () => {
        const plan = await inner.explain(toStoredFind(renames, request));
        const incomplete = plan.incomplete && { incomplete: plan.incomplete.map(toPresentField) };
        const indexes = plan.indexes.map((name) => toPresentKey(renames, request.types, name));
        return { ...plan, indexes, ...incomplete };
      }),
    insert: (stored, origin) =>
      run([stored.asset._type], async () => {
        await inner.insert({ ...stored, asset: converter.toStored(stored.asset) }, origin);
        return stored;
      }),
    delete: (deletion, origin) =>
      run([deletion.type], () => inner.delete({ ...deletion, type: toStoredClass(deletion.type) }, origin)),
    async write(writes, options) {
      const outcomes = await inner.write(writes.map(converter.toStoredWrite), options);
      return outcomes.map((outcome, n) => {
        const write = writes[n];
        return write ? toPresentOutcome(renames, typeOfWrite(write), outcome) : outcome;
      });
    },
    async countOthers(known) {
      const counts = await inner.countOthers(known.map(toStoredClass));
      return new Map([...counts].map(([name, count]) => [toPresentClass(name), count]));
    },
    revision: (types) => inner.revision(types.map(toStoredClass)),
    findUnenforcedUniqueFields: async () => (await inner.findUnenforcedUniqueFields()).map(toPresentField),
    findIncompleteIndexes: async () => (await inner.findIncompleteIndexes()).map(toPresentField),
  };
}

function toPresentOutcome(renames: Renames, type: string, outcome: WriteOutcome): WriteOutcome {
  if (outcome.kind !== 'failed') return outcome;
  // Safe: the error of an outcome is a domain error, and stays one.
  return { ...outcome, error: toPresentError(renames, [type], outcome.error) as DomainError };
}

/** Names the fields of a key as they are called now. */
const toPresentKey = (renames: Renames, classes: readonly string[], name: string) =>
  name
    .split(',')
    .map((path) => toPresentPath(renames, classes, path))
    .join(',');

/** Names the field of an error as it is called now. */
function toPresentError(renames: Renames, classes: readonly string[], error: unknown): unknown {
  if (isDomainError(error, 'value_in_use')) {
    const { field, value } = error.details;
    return valueInUse(toPresentKey(renames, classes, field), value);
  }
  if (isDomainError(error, 'referenced')) {
    const { id, found } = error.details;
    const named = found.map(({ _id, _type }) => ({ _id, _type: renames.toPresentClass(_type) }));
    return referenced(id, named);
  }
  if (isDomainError(error, 'query_too_costly')) {
    const { path } = error.details;
    return path === undefined ? error : queryTooCostly(toPresentPath(renames, classes, path));
  }
  return error;
}
