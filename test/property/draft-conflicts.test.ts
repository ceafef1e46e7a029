/**
 * Generated writes of an asset, live and in a release: a publication replaces no live value that nobody had read who drafted another one,
 * and a draft is not refused for changes that nobody made.
 */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { storedCatalog } from '../../src/access/system-types.ts';
import { isDomainError } from '../../src/base/errors.ts';
import type { ContentService } from '../../src/content/content-service.ts';
import type { ReleaseContent } from '../../src/content/drafts/releases.ts';
import type { Asset, JsonObject } from '../../src/model/content-type.ts';
import type { ContentStore } from '../../src/store/port.ts';
import { contentOver, openStoreAt } from '../support/content.ts';
import { roundsOf } from '../support/rounds.ts';
import { sqliteLocation } from '../support/stores.ts';
import { catalogOf, systemCatalog } from '../support/types.ts';

const catalog = catalogOf('type Note @contentType(class: "x.Note") { a: String, b: String }');
const names = ['a', 'b'] as const;
const everyone = {};

type Values = { readonly [Name in (typeof names)[number]]?: string | null };
type Place = 'live' | 'release';
/** How a writer says what it has read. */
type Base = (typeof bases)[number];
type Step =
  | { readonly kind: 'read'; readonly reader: number; readonly place: Place }
  | { readonly kind: 'write'; readonly values: Values }
  | { readonly kind: 'draft'; readonly reader: number; readonly base: Base; readonly values: Values }
  | { readonly kind: Action };
type Action = 'delete' | 'create' | 'discard' | 'rebase' | 'publish';

const bases = ['merge', 'batch merge', 'condition', 'batch condition', 'patch', 'none'] as const;
const values = fc
  .tuple(fc.constantFrom(...names), fc.constantFrom('v', 'w', 'x', 'y', 'z', null))
  .map(([name, value]): Values => ({ [name]: value }));
const reader = fc.nat(1);
const place = fc.constantFrom<Place>('live', 'release', 'release');
const base = fc.constantFrom(...bases);
const plain = (...kinds: Action[]) => fc.constantFrom(...kinds).map((kind): Step => ({ kind }));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('read'), reader, place }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('write'), values }) },
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('draft'), reader, base, values }) },
  { weight: 3, arbitrary: plain('publish') },
  { weight: 1, arbitrary: plain('delete', 'create', 'discard', 'rebase') },
);
const steps = fc.array(step, { minLength: 4, maxLength: 24, size: 'max' });

let store: ContentStore;
let content: ContentService;
beforeAll(async () => {
  store = await openStoreAt(sqliteLocation(), storedCatalog(systemCatalog(), catalog));
  content = contentOver(catalog, store);
});

/** What a reader has read. */
interface Reading {
  readonly version: string;
  readonly shown: Asset;
}

/** Runs steps on a new asset, and follows which value the first drafter of each field had read. */
async function follow(steps: readonly Step[], release: string) {
  const { _id: id } = (await content.create({ _type: 'x.Note', a: '0', b: '0' }, everyone)).asset;
  await content.releases.create({ name: release });
  const drafts = content.inRelease(release, everyone);
  const readings = new Map<number, Reading>();
  /** The values that the first drafter of each field had read; all of them for a drafted deletion. */
  let read = new Map<string, unknown>();
  const counts = { published: 0, conflicts: 0, merged: 0 };
  const liveNow = async () => (await content.get(id, everyone)).asset;
  const draftedNow = () => drafts.get(id, everyone).catch(toNothing);

  /** Notes what the writer of a draft had read of the fields that it drafts first. */
  async function note(live: Asset): Promise<void> {
    const [present, drafted] = [await liveNow(), (await draftedNow())?.asset];
    const before = read;
    read = new Map();
    for (const name of names)
      if (present[name] !== drafted?.[name]) read.set(name, before.has(name) ? before.get(name) : live[name]);
  }

  async function draft({ reader, base, values }: Extract<Step, { kind: 'draft' }>): Promise<void> {
    const reading = readings.get(reader);
    const present = await draftedNow();
    if (!present) return;
    if (base !== 'none' && !reading) return;
    const [live, { version = '' } = {}] = [await liveNow(), reading];
    try {
      await send(drafts, { id, base, version, values });
    } catch (error) {
      const isConflict = isDomainError(error, 'edit_conflict') || isDomainError(error, 'precondition_failed');
      if (!isConflict) throw error;
      counts.conflicts++;
      expect(version).not.toBe(present.version);
      // Somebody has changed what the writer had read.
      if (isDomainError(error, 'edit_conflict'))
        expect(without(reading?.shown)).not.toEqual(without(present.asset));
      return;
    }
    if (reading && reading.version !== present.version) counts.merged++;
    await note(base === 'none' ? live : (reading?.shown ?? live));
  }

  async function publish(): Promise<void> {
    const [before, wanted] = [await liveNow(), await draftedNow()];
    try {
      const { items } = await content.releases.publish({ release });
      if (items.length === 0) return;
    } catch (error) {
      if (!isDomainError(error, 'publication_refused')) throw error;
      return;
    }
    counts.published++;
    const replaced = names.filter((name) => before[name] !== wanted?.asset[name]);
    expect(replaced.map((name) => [name, before[name]])).toEqual(
      replaced.map((name) => [name, read.get(name)]),
    );
    if (!wanted) await content.create(before, everyone);
    read = new Map();
  }

  for (const step of steps) {
    switch (step.kind) {
      case 'read': {
        const shown = step.place === 'live' ? await content.get(id, everyone) : await draftedNow();
        if (shown) readings.set(step.reader, { version: shown.version, shown: shown.asset });
        break;
      }
      case 'write':
        await content.update({ id, body: step.values }, everyone);
        break;
      case 'draft':
        await draft(step);
        break;
      case 'delete': {
        if (!(await draftedNow())) break;
        const live = await liveNow();
        await drafts.delete({ id }, everyone);
        // A draft that is there already keeps what its writer had read.
        read = new Map(names.map((name) => [name, read.has(name) ? read.get(name) : live[name]]));
        break;
      }
      case 'create':
        if (await draftedNow()) break;
        await drafts.create({ _id: id, _type: 'x.Note', a: 'new', b: 'new' }, everyone);
        await note(await liveNow());
        break;
      case 'discard':
        await drafts.discard({ id }, everyone).catch(toNothing);
        read = new Map();
        break;
      case 'rebase':
        await content.releases.rebase({ release, asset: id }).catch(toNothing);
        read = new Map();
        await note(await liveNow());
        break;
      case 'publish':
        await publish();
        break;
    }
  }
  return counts;
}

interface Sent {
  readonly id: string;
  readonly base: Base;
  readonly version: string;
  readonly values: Values;
}

async function send(drafts: ReleaseContent, { id, base, version, values }: Sent): Promise<unknown> {
  const body: JsonObject = values;
  const batch = (condition: { baseVersion?: string; ifVersions?: string[] }) =>
    drafts.batch(
      {
        operations: [{ action: 'update', by: '_id', asset: { _id: id, ...body }, ...condition }],
        atomic: true,
        references: 'checked',
      },
      everyone,
    );
  switch (base) {
    case 'merge':
      return drafts.update({ id, body, baseVersion: version }, everyone);
    case 'batch merge':
      return batch({ baseVersion: version });
    case 'condition':
      return drafts.update({ id, body, ifVersions: [version] }, everyone);
    case 'batch condition':
      return batch({ ifVersions: [version] });
    case 'patch':
      return drafts.patch({ id, patch: () => body, ifVersions: [version] }, everyone);
    case 'none':
      return drafts.update({ id, body }, everyone);
  }
}

const toNothing = (error: unknown): undefined => {
  if (!isDomainError(error, 'not_found')) throw error;
};

const without = (asset: Asset | undefined) => asset && names.map((name) => asset[name]);

it('publishes no draft over a live value that its writer had not read', async () => {
  let round = 0;
  const sums = { published: 0, conflicts: 0, merged: 0 };
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const counts = await follow(all, `r${round++}`);
      for (const name of ['published', 'conflicts', 'merged'] as const) sums[name] += counts[name];
    }),
    { numRuns: roundsOf({ usual: 250, long: 5_000 }) },
  );
  expect(Math.min(...Object.values(sums))).toBeGreaterThan(20);
});
