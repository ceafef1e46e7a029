/**
 * Generated sequences of writes under former and present names, and of backfills that go on, are stopped and go back: every read gives
 * what was written last, and every past state what was written then.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isDomainError } from '../../src/base/errors.ts';
import { silentLogger } from '../../src/base/runtime.ts';
import type { Asset, Json, JsonObject } from '../../src/model/content-type.ts';
import { bindPredicate } from '../../src/query/bind.ts';
import { createPredicateCompiler } from '../../src/query/prepare.ts';
import type { ContentStore } from '../../src/store/port.ts';
import { openRenamedStore } from '../../src/store/renames/open-renamed-store.ts';
import { runBackfill } from '../../src/store/renames/run-backfill.ts';
import { readRecordedNames } from '../../src/store/sqlite/recorded-names.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { roundsOf } from '../support/rounds.ts';
import { catalogOf } from '../support/types.ts';

const type = 't.Note';
const former = catalogOf(`
  type Note @contentType(class: "t.Note") {
    title: String @indexed
    code: String @indexed(unique: true)
    place: Place
    stops: [Place!]
  }
  type Place { town: String inner: Place }
`);
const present = catalogOf(`
  type Note @contentType(class: "t.Note") {
    heading: String @indexed @was(name: "title")
    number: String @indexed(unique: true) @was(name: "code")
    location: Place @was(name: "place")
    stops: [Place!]
  }
  type Place { city: String @was(name: "town") inner: Place }
`);
const compiler = createPredicateCompiler(present);

const renamed: Readonly<Record<string, string>> = {
  heading: 'title',
  number: 'code',
  location: 'place',
  city: 'town',
};

/** Gives the members of an object their former names. */
function toFormer(value: Json): Json {
  if (Array.isArray(value)) return value.map(toFormer);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [renamed[name] ?? name, toFormer(one)]),
  );
}

const word = fc.constantFrom('a', 'b', 'c');
const place = fc.record({ city: word, inner: fc.record({ city: word }) }, { requiredKeys: [] });
const write = fc.record({
  kind: fc.constantFrom('insert' as const, 'patch' as const, 'patch' as const, 'delete' as const),
  isFormer: fc.boolean(),
  asset: fc.nat(2),
  set: fc.record(
    { heading: word, number: word, location: place, stops: fc.array(place, { maxLength: 2 }) },
    { requiredKeys: [] },
  ),
  unset: fc.subarray(['heading', 'number', 'location', 'stops'], { maxLength: 2 }),
});
const backfill = fc.record({
  goal: fc.constantFrom('copy' as const, 'copy' as const, 'finish' as const, 'back' as const),
  isStopped: fc.boolean(),
});
const steps = fc.array(fc.oneof({ weight: 3, arbitrary: write }, { weight: 1, arbitrary: backfill }), {
  minLength: 6,
  maxLength: 16,
});

type ValueOf<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
type Write = ValueOf<typeof write>;
type Step = Write | ValueOf<typeof backfill>;

const idOf = (n: number) => `0191f3a0-5b7e-7c11-9d2e-${String(n).padStart(12, '0')}`;

/** The assets as they should be, under present names, and their states by version. */
interface Model {
  readonly assets: Map<string, Asset>;
  readonly past: [id: string, version: string, state: Asset][];
}

/** Sequences that lead through every phase, with writes in each. */
const wholeWays = [true, false].map((isFormer) => {
  const patch = (heading: 'a' | 'b' | 'c') => ({
    kind: 'patch' as const,
    isFormer,
    asset: 0,
    set: { heading, location: { city: heading } },
    unset: [],
  });
  const insert = { ...patch('a'), kind: 'insert' as const };
  const move = (goal: 'copy' | 'finish' | 'back', isStopped = false) => ({ goal, isStopped });
  return [
    [
      insert,
      move('copy', true),
      patch('b'),
      move('copy'),
      patch('c'),
      move('back', true),
      patch('a'),
      move('back'),
    ],
    [
      ...[insert, move('copy'), move('finish', true), patch('b'), move('finish'), patch('c')],
      ...[move('back', true), patch('a'), move('back'), patch('b'), move('copy'), patch('c')],
    ],
  ];
});

it('keeps all that is written', { timeout: 600_000 }, async () => {
  await fc.assert(fc.asyncProperty(steps, follow), {
    numRuns: roundsOf({ usual: 12, long: 300 }),
    examples: wholeWays.flat().map((way): [Step[]] => [way]),
  });
});

async function follow(all: readonly Step[]) {
  const dataDir = mkdtempSync(join(tmpdir(), 'colophon-property-'));
  const file = join(dataDir, 'colophon.db');
  const open = (catalog: typeof present) =>
    openRenamedStore(catalog, {
      stored: readRecordedNames(file),
      open: (stored) => createSqliteStore({ file, catalog: stored, logger: silentLogger }),
      logger: silentLogger,
      followMs: 0,
    });
  const first = await createSqliteStore({ file, catalog: former, logger: silentLogger });
  await first.prepare();
  await first.close();
  const store = await open(present);
  const model: Model = { assets: new Map(), past: [] };
  try {
    for (const [n, step] of all.entries()) {
      if ('goal' in step) {
        const stopper = new AbortController();
        await runBackfill(
          { dataDir },
          {
            catalog: present,
            logger: silentLogger,
            goal: step.goal,
            settleMs: 0,
            signal: stopper.signal,
            onProgress: ({ progress }) => {
              if (progress && step.isStopped) stopper.abort();
            },
          },
        ).catch(ignore('transfer_failed'));
      } else {
        // Types with the former names are refused when these are gone.
        const other = step.isFormer ? await open(former).catch(ignore('bad_config')) : undefined;
        await apply(other ?? store, { step, version: `v${n}`, model, isFormer: other !== undefined });
        await other?.close();
      }
      await expectSame(store, model);
    }
    for (const [id, version, asset] of model.past) {
      expect(await store.changes.stateOf(id, { version })).toMatchObject({ kind: 'exists', asset });
    }
  } finally {
    await store.close();
    rmSync(dataDir, { recursive: true });
  }
}

const ignore =
  (code: 'transfer_failed' | 'bad_config' | 'value_in_use' | 'id_in_use') => (error: unknown) => {
    if (!isDomainError(error, code)) throw error;
    return undefined;
  };

interface Application {
  readonly step: Write;
  readonly version: string;
  readonly model: Model;
  readonly isFormer: boolean;
}

/** Writes to the store, and to the model what the store must have then. */
async function apply(store: ContentStore, { step, version, model, isFormer }: Application): Promise<void> {
  const { kind, unset } = step;
  const id = idOf(step.asset);
  const set: JsonObject = { ...step.set };
  const known = model.assets.get(id);
  const inName = (value: JsonObject) => (isFormer ? (toFormer(value) as JsonObject) : value);
  const isTaken = [...model.assets.values()].some(
    ({ _id, number }) => _id !== id && number !== undefined && number === set.number,
  );
  const keep = (asset: Asset) => {
    model.assets.set(id, asset);
    model.past.push([id, version, asset]);
  };
  if (kind === 'delete') {
    expect(await store.delete({ id, type })).toBe(known !== undefined);
    model.assets.delete(id);
  } else if (kind === 'insert' || !known) {
    if (known) return;
    const asset = { _id: id, _type: type, ...set };
    const inserted = store.insert({ asset: inName(asset) as Asset, version });
    if (isTaken) await expect(inserted).rejects.toMatchObject({ code: 'value_in_use' });
    else await inserted;
    if (!isTaken) keep(asset);
  } else {
    const removed = unset.filter((name) => !Object.hasOwn(set, name));
    const names = removed.map((name) => (isFormer ? (renamed[name] ?? name) : name));
    const patched = store.patch({ id, type, set: inName(set), unset: names, version });
    if (isTaken) await expect(patched).rejects.toMatchObject({ code: 'value_in_use' });
    else await patched;
    const left = Object.entries({ ...known, ...set }).filter(([name]) => !removed.includes(name));
    // Safe: `_id` and `_type` are not removed.
    if (!isTaken) keep(Object.fromEntries(left) as Asset);
  }
}

async function expectSame(store: ContentStore, { assets }: Model): Promise<void> {
  for (const n of [0, 1, 2]) {
    const id = idOf(n);
    expect((await store.get(id))?.asset).toEqual(assets.get(id));
    const text = (await store.texts.get(id))?.text;
    expect(text && JSON.parse(text)).toEqual(assets.get(id));
  }
  for (const value of ['a', 'b', 'c']) {
    for (const [where, matches] of [
      ['heading = ?', (asset: Asset) => asset.heading === value],
      ['number = ?', (asset: Asset) => asset.number === value],
      ['location.city = ?', (asset: Asset) => (asset.location as JsonObject)?.city === value],
      ['stops.city = ?', (asset: Asset) => (asset.stops as JsonObject[])?.some(({ city }) => city === value)],
    ] as const) {
      const request = { types: [type], where: bindPredicate(compiler.prepare([type], where), [value]) };
      const { items } = await store.find({ ...request, offset: 0, limit: 10, withCount: false });
      const expected = [...assets.values()].filter(matches).map(({ _id }) => _id);
      expect([where, value, items.map(({ asset }) => asset._id)]).toEqual([where, value, expected.sort()]);
    }
  }
}
