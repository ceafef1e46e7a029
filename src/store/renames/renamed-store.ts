/**
 * A store under present names, over one that was opened with the stored names.
 *
 * All conversion happens here, and follows the phases of a backfill, so that neither adapter knows that a name has changed. What is of a type without renames passes
 * unchanged, as text where the store keeps texts.
 */
import { type DomainError, isDomainError, queryTooCostly, valueInUse } from '../../base/errors.ts';
import {
  type AssetChunk,
  type ContentStore,
  type StoredAsset,
  type StoredText,
  type TextCalls,
  type TextChunk,
  typeOfWrite,
  type WriteOutcome,
} from '../port.ts';
import type { BackfillFollower, CurrentRenames } from './follow-backfill.ts';
import { createRenamedChanges } from './renamed-changes.ts';
import { toPresentPath } from './renamed-paths.ts';
import { countRenamedFacets, findRenamed, type ItemFinder, toStoredFind } from './renamed-search.ts';
import type { Renames } from './renames.ts';

/** Creates the store. `inner` was opened with the stored names of the follower's first renames. */
export function createRenamedStore(inner: ContentStore, follower: BackfillFollower): ContentStore {
  const { current } = follower;

  /** Runs a call about assets of some present classes, and names fields in its errors as they are called now. */
  async function run<Result>(
    classes: readonly string[],
    work: (now: CurrentRenames) => Promise<Result>,
  ): Promise<Result> {
    const now = await current();
    try {
      return await work(now);
    } catch (error) {
      throw toPresentError(now.renames, classes, error);
    }
  }

  const finder = <Item>(
    { converter }: CurrentRenames,
    calls: Pick<ItemFinder<Item>, 'find' | 'idOf'>,
  ): ItemFinder<Item> => ({
    ...calls,
    async read(id) {
      const found = await inner.get(id);
      return found && converter.toPresent(found.asset);
    },
  });

  const showChunk = <Chunk extends AssetChunk>(chunk: Chunk, { converter }: CurrentRenames): Chunk => ({
    ...chunk,
    items: chunk.items.map(converter.toPresentStored),
  });
  const showTexts = <Chunk extends TextChunk>(chunk: Chunk, { converter }: CurrentRenames): Chunk => ({
    ...chunk,
    items: chunk.items.map(converter.toPresentText),
  });

  const texts: TextCalls = {
    async get(id) {
      const { converter } = await current();
      const found = await inner.texts.get(id);
      return found && converter.toPresentText(found);
    },
    async getChunk(ids) {
      const now = await current();
      return showTexts(await inner.texts.getChunk(ids), now);
    },
    find: (request) =>
      run(request.types, async (now) => {
        const { renames } = now;
        const idOf = ({ id }: StoredText) => id;
        const texts = finder(now, { find: inner.texts.find, idOf });
        return showTexts(await findRenamed(inner, { renames, request, finder: texts }), now);
      }),
    patch: (patch, origin) =>
      run([patch.type], async ({ converter }) => {
        const changed = await inner.texts.patch(converter.toStoredPatch(patch), origin);
        return changed && converter.toPresentText(changed);
      }),
  };

  return {
    ...inner,
    texts,
    changes: createRenamedChanges(inner.changes, follower),
    async get(id) {
      const { converter } = await current();
      const found = await inner.get(id);
      return found && converter.toPresentStored(found);
    },
    async getMany(ids) {
      const { converter } = await current();
      const { found, ...others } = await inner.getMany(ids);
      const shown = [...found].map(([id, one]) => [id, converter.toPresentStored(one)] as const);
      return { ...others, found: new Map(shown) };
    },
    async getChunk(ids) {
      const now = await current();
      return showChunk(await inner.getChunk(ids), now);
    },
    async getTypes(ids) {
      const { renames } = await current();
      const found = await inner.getTypes(ids);
      return new Map([...found].map(([id, name]) => [id, renames.toPresentClass(name)]));
    },
    find: (request) =>
      run(request.types, async (now) => {
        const { renames } = now;
        const idOf = ({ asset }: StoredAsset) => asset._id;
        const assets = finder(now, { find: inner.find, idOf });
        return showChunk(await findRenamed(inner, { renames, request, finder: assets }), now);
      }),
    facets: (request) => run(request.types, ({ renames }) => countRenamedFacets(inner, { renames, request })),
    explain: (request) =>
      run(request.types, async ({ renames }) => {
        const plan = await inner.explain(toStoredFind(renames, request));
        return { ...plan, indexes: plan.indexes.map((path) => toPresentPath(renames, request.types, path)) };
      }),
    insert: (stored, origin) =>
      run([stored.asset._type], ({ converter }) =>
        inner.insert({ ...stored, asset: converter.toStored(stored.asset) }, origin),
      ),
    patch: (patch, origin) =>
      run([patch.type], async ({ converter }) => {
        const changed = await inner.patch(converter.toStoredPatch(patch), origin);
        return changed && converter.toPresentStored(changed);
      }),
    async delete(deletion, origin) {
      const { renames } = await current();
      return inner.delete({ ...deletion, type: renames.toStoredClass(deletion.type) }, origin);
    },
    async write(writes, options) {
      const { renames, converter } = await current();
      const outcomes = await inner.write(writes.map(converter.toStoredWrite), options);
      return outcomes.map((outcome, n) => {
        const write = writes[n];
        return write ? toPresentOutcome(renames, typeOfWrite(write), outcome) : outcome;
      });
    },
    async countOthers(known) {
      const { renames } = await current();
      const counts = await inner.countOthers(known.map(renames.toStoredClass));
      return new Map([...counts].map(([name, count]) => [renames.toPresentClass(name), count]));
    },
    async revision(types) {
      const { renames } = await current();
      return inner.revision(types.map(renames.toStoredClass));
    },
    async close() {
      // Calls that have waited for the same state have begun before this goes on.
      await Promise.resolve(current()).catch(() => {});
      await inner.close();
    },
    serve: (types) => inner.serve({ ...types, followsBackfill: true }),
    async findUnreadable(types) {
      const { renames } = await current();
      return inner.findUnreadable(types.map(renames.toStoredClass));
    },
    async findUnenforcedUniqueFields() {
      const { renames } = await current();
      const fields = await inner.findUnenforcedUniqueFields();
      const shown = fields.map(({ type: stored, field }) => {
        const type = renames.toPresentClass(stored);
        return { type, field: toPresentPath(renames, [type], field) };
      });
      // A field that a backfill moves is stored under several names.
      return [...new Map(shown.map((one) => [`${one.type} ${one.field}`, one])).values()];
    },
  };
}

function toPresentOutcome(renames: Renames, type: string, outcome: WriteOutcome): WriteOutcome {
  if (outcome.kind !== 'failed') return outcome;
  // Safe: the error of an outcome is a domain error, and stays one.
  return { ...outcome, error: toPresentError(renames, [type], outcome.error) as DomainError };
}

/** Names the field of an error as it is called now. */
function toPresentError(renames: Renames, classes: readonly string[], error: unknown): unknown {
  if (isDomainError(error, 'value_in_use')) {
    const { field, value } = error.details;
    return valueInUse(toPresentPath(renames, classes, field), value);
  }
  if (isDomainError(error, 'query_too_costly')) {
    const { path } = error.details;
    return path === undefined ? error : queryTooCostly(toPresentPath(renames, classes, path));
  }
  return error;
}
