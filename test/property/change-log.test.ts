/**
 * Generated sequences of writes by two writers of one store: the change log leads from nothing to today's assets and back, and each
 * past state equals what a read then gave.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { isDomainError } from '../../src/base/errors.ts';
import { silentLogger } from '../../src/base/runtime.ts';
import type { Asset, Json } from '../../src/model/content-type.ts';
import { type ChangeEntry, undoChange } from '../../src/store/changes.ts';
import { openStore } from '../../src/store/open-store.ts';
import { type AssetWrite, type ContentStore, idOfWrite } from '../../src/store/port.ts';
import { awkwardTexts } from '../support/awkward-values.ts';
import { roundsOf } from '../support/rounds.ts';
import { describeOnEachStore, type StoreLocation } from '../support/stores.ts';
import { catalogOf } from '../support/types.ts';

const catalog = catalogOf(`
  type Note @contentType(class: "log.Note") {
    title: String
    slug: String @indexed(unique: true)
    tags: [String!] @indexed
    extra: JSON
    dotted_name: String @json(name: "dotted.name")
    constructor: String
  }
`);
const type = 'log.Note';
/** Each sequence writes to so few assets, so that they have long histories. */
const assetsAtOnce = 2;
const idOf = (n: number) => `0191f3a0-5b7e-7c11-9d2e-${n.toString(16).padStart(12, '0')}`;

const text = fc.oneof(fc.constantFrom(...awkwardTexts), fc.string({ unit: 'grapheme', maxLength: 8 }));
const arbitraries: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  title: text,
  // So few values that some are in use.
  slug: fc.constantFrom('one', 'two', 'three'),
  tags: fc.array(text, { maxLength: 3 }),
  // As JSON, which has no -0 and no undefined.
  extra: fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value))),
  'dotted.name': text,
  constructor: text,
};
const names = Object.keys(arbitraries);
const fields = fc
  .record(arbitraries, { requiredKeys: [] })
  .map((record) => ({ ...record }) as Record<string, Json>);

function weighted<Value>(...values: readonly (readonly [value: Value, weight: number])[]) {
  return fc.oneof(...values.map(([value, weight]) => ({ arbitrary: fc.constant(value), weight })));
}

/** A write before it has an `_id` and a version. */
const change = fc.record({
  kind: weighted(['insert', 2], ['patch', 12], ['delete', 1]),
  asset: fc.nat(assetsAtOnce - 1),
  fields,
  unset: fc.subarray(names, { maxLength: 2 }),
  /** Whether the write names the version that it expects, and whether that is the present one. */
  condition: weighted(['none', 16], ['present', 2], ['other', 1]),
});
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

/** What one of the writers does: a single write, or a batch. */
const step = fc.record({
  writer: fc.nat(1),
  changes: fc.oneof(
    fc.array(change, { minLength: 1, maxLength: 1 }),
    fc.array(change, { maxLength: 20, size: 'max' }),
  ),
  atomic: weighted([true, 1], [false, 3]),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A history longer than the distance of kept states, which generated ones may not be. */
const longHistory: Step[] = Array.from({ length: 5 }, (_, part) => ({
  writer: part % 2,
  atomic: false,
  changes: Array.from({ length: 20 }, (_, n) => ({
    kind: part + n === 0 ? 'insert' : 'patch',
    asset: 0,
    fields: { title: `${part} ${n}` },
    unset: n % 3 === 0 ? ['tags'] : [],
    condition: 'none',
  })),
}));

/** What the reads after each write of an asset gave, in order; `undefined` when there was none. */
interface Moment {
  readonly state: Asset | undefined;
  readonly version: string | undefined;
}

describeOnEachStore('the change log', (locations) => {
  let location: StoreLocation;
  let stores: readonly ContentStore[];
  let sequences = 0;
  let versions = 0;
  let longest = 0;

  beforeAll(async () => {
    location = locations();
    const open = () => openStore({ ...location.config, catalog, logger: silentLogger, queryMs: 60_000 });
    stores = [await open(), await open()];
    await storeOf(0).prepare();
  });

  afterAll(async () => {
    for (const store of stores) await store.close();
  });

  const storeOf = (n: number) => stores[n] ?? expect.fail('no such writer');

  it('undone newest first ends at nothing, and gives each state that a read gave', async (context) => {
    if (!storeOf(0).capabilities.changes) context.skip('the store keeps no change log');
    const isMongo = location.config.mongodbUrl !== undefined;
    const numRuns = isMongo ? roundsOf({ usual: 3, long: 60 }) : roundsOf({ usual: 30, long: 1_000 });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60, size: 'max' }), async (steps) => {
        const first = sequences++ * assetsAtOnce;
        const ids = Array.from({ length: assetsAtOnce }, (_, n) => idOf(first + n));
        const moments = new Map<string, Moment[]>(ids.map((id) => [id, []]));
        for (const step of steps) await take(step, ids, moments);
        await checkLog(ids, moments);
        await checkPastStates(ids, moments);
        await deleteAll(ids);
      }),
      {
        numRuns,
        ...(isMongo ? {} : { examples: [[longHistory]] }),
        interruptAfterTimeLimit: roundsOf({ usual: 60_000, long: 1_800_000 }),
      },
    );
    // Histories shorter than the distance of kept states would prove little.
    if (!isMongo) expect(longest).toBeGreaterThan(64);
  }, 3_600_000);

  /** Carries out a step, and adds what reads give after each of its writes. */
  async function take(
    { writer, changes, atomic }: Step,
    ids: readonly string[],
    moments: Map<string, Moment[]>,
  ) {
    const writes = changes.map((change) => toWrite(change, ids, moments));
    const origin = { by: { kind: 'client' as const, id: `writer ${writer}` }, atMs: versions };
    const outcomes = await storeOf(writer)
      .write(writes, { atomic, origin })
      .catch((error: unknown) => {
        fc.pre(!isDomainError(error, 'store_busy'));
        throw error;
      });
    // Whether a write was applied that ran out of time on a busy machine is unknown.
    fc.pre(outcomes.every((outcome) => outcome.kind !== 'failed' || outcome.error.code !== 'store_busy'));
    for (const [index, write] of writes.entries()) {
      if (outcomes[index]?.kind !== 'done') continue;
      const before = moments.get(idOfWrite(write));
      before?.push(applied(write, before.at(-1)?.state));
    }
    const { found } = await storeOf(1 - writer).getMany(ids);
    for (const id of ids) {
      const expected = moments.get(id)?.at(-1);
      expect([found.get(id)?.asset, found.get(id)?.version]).toEqual([expected?.state, expected?.version]);
    }
  }

  function toWrite(
    { kind, asset, fields, unset, condition }: Change,
    ids: readonly string[],
    moments: ReadonlyMap<string, readonly Moment[]>,
  ): AssetWrite {
    const id = ids[asset] ?? '';
    const version = `v${++versions}`;
    const present = moments.get(id)?.at(-1)?.version;
    const ifVersion =
      condition === 'none' ? {} : { ifVersion: condition === 'other' ? 'other' : (present ?? 'other') };
    const own = {
      ...fields,
      ...(typeof fields.slug === 'string' ? { slug: `${fields.slug} ${ids[0]}` } : {}),
    };
    if (kind === 'insert') return { kind, asset: { _id: id, _type: type, ...own }, version };
    if (kind === 'delete') return { kind, id, type, change: version, ...ifVersion };
    const removed = unset.filter((name) => !Object.hasOwn(own, name));
    return { kind: 'patch', id, type, set: own, unset: removed, version, ...ifVersion };
  }

  function applied(write: AssetWrite, before: Asset | undefined): Moment {
    switch (write.kind) {
      case 'insert':
        return { state: write.asset, version: write.version };
      case 'delete':
        return { state: undefined, version: undefined };
      case 'patch': {
        if (!before) return expect.fail('a patch of nothing was done');
        const kept = Object.entries(before).filter(([name]) => !write.unset.includes(name));
        return { state: { ...Object.fromEntries(kept), ...write.set } as Asset, version: write.version };
      }
    }
  }

  async function checkLog(
    ids: readonly string[],
    moments: ReadonlyMap<string, readonly Moment[]>,
  ): Promise<void> {
    for (const id of ids) {
      const expected = moments.get(id) ?? [];
      longest = Math.max(longest, expected.length);
      const entries = await readNumbered(id, expected.length);
      expect(entries.map(({ number }) => number)).toEqual(
        expected.map((_, index) => expected.length - index),
      );
      let state = (await storeOf(0).get(id))?.asset;
      for (const entry of entries) {
        const [after, before] = [expected[entry.number - 1], expected[entry.number - 2]];
        expect(state).toEqual(after?.state);
        expect([entry.version, entry.previousVersion]).toEqual([after?.version, before?.version]);
        expect(entry.changed.toSorted()).toEqual(changedBetween(before?.state, after?.state));
        state = undoChange(state, entry);
      }
      expect(state).toBeUndefined();
      expect(await readHistory(id)).toEqual(entries);
    }
  }

  async function checkPastStates(ids: readonly string[], moments: ReadonlyMap<string, readonly Moment[]>) {
    for (const id of ids) {
      for (const [index, { state, version }] of (moments.get(id) ?? []).entries()) {
        const { changes } = storeOf(index % 2);
        const expected = state
          ? { kind: 'exists', asset: state, version, number: index + 1 }
          : { kind: 'deleted' };
        expect(await changes.stateOf(id, { number: index + 1 })).toEqual(expected);
        if (version !== undefined) expect(await changes.stateOf(id, { version })).toEqual(expected);
      }
    }
  }

  /** Reads the entries of an asset from the log, newest first, when all of them are numbered. */
  async function readNumbered(
    asset: string,
    count: number,
  ): Promise<readonly (ChangeEntry & { seq: number })[]> {
    const read = async () => {
      const { entries, next } = await storeOf(0).changes.read({
        order: 'newest first',
        limit: 1_000,
        filter: { asset },
      });
      expect(next).toBeUndefined();
      return entries;
    };
    await vi.waitFor(async () => expect(await read()).toHaveLength(count), { timeout: 60_000, interval: 20 });
    return read();
  }

  async function readHistory(asset: string): Promise<readonly ChangeEntry[]> {
    const { entries } = await storeOf(1).changes.history({ asset, limit: 1_000 });
    return entries;
  }

  /** Frees the unique values, and makes the log independent of what is left. */
  async function deleteAll(ids: readonly string[]): Promise<void> {
    await storeOf(0).write(ids.map((id) => ({ kind: 'delete', id, type })));
  }
});

/** The names of the fields with another value; none for a deletion. */
function changedBetween(before: Asset | undefined, after: Asset | undefined): string[] {
  if (!after) return [];
  const valueIn = (asset: Asset | undefined, name: string) =>
    asset && Object.hasOwn(asset, name) ? JSON.stringify(asset[name]) : undefined;
  return names.filter((name) => valueIn(before, name) !== valueIn(after, name)).toSorted();
}
