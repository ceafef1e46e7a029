/** A backup during a backfill: it carries the recorded names and the state, and is of one phase. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { backupRules } from '../../../src/access/backup-rules.ts';
import { verify } from '../../../src/app/compose-verify.ts';
import { readConfig } from '../../../src/app/config.ts';
import type { BackfillState } from '../../../src/store/backfill-calls.ts';
import type { CopiedAsset } from '../../../src/store/copy/store-copy.ts';
import { openDump } from '../../../src/store/open-store.ts';
import type { ContentStore } from '../../../src/store/port.ts';
import { describeOnEachStore, type StoreLocation, sqliteLocation } from '../../support/stores.ts';
import { catalogOf } from '../../support/types.ts';
import { codeOf } from '../store/harness.ts';
import { createFolder, load, openFor, readStore, save } from './copies.ts';

const type = 'back.Note';
/** The types, and all names under which their values may be stored. */
const sdl = `type Note @contentType(class: "${type}") { email: String! @indexed @was(name: "mail") title: String @searchable }`;
const catalog = catalogOf(
  `type Note @contentType(class: "${type}") { mail: String! email: String @indexed title: String @searchable }`,
);
const progress = { holder: 'a', startedMs: 5, total: 3 };
const state: BackfillState = {
  revision: 1,
  phase: 'copying',
  fields: [{ type, path: ['mail'], name: 'email' }],
  finished: [{ type: 'back.Old', path: ['a', 'b'], name: 'c' }],
  progress: { ...progress, seenMs: 7, type, after: '2', visited: 2, rewritten: 2 },
};

describeOnEachStore('a backup during a backfill', (locate) => {
  let folder: ReturnType<typeof createFolder>;
  let locations: StoreLocation[];
  let store: ContentStore;
  beforeEach(async () => {
    folder = createFolder();
    locations = [locate(), sqliteLocation(), locate()];
    store = await openFor(locationOf(0), catalog);
    for (const n of [1, 2, 3]) {
      const asset = { _id: `${n}`, _type: type, mail: `m${n}`, title: 'red fox' };
      await store.insert({ asset, version: `v-${n}` });
    }
    await store.backfill.writeState(state);
    const text = JSON.stringify({ _id: '2', _type: type, email: 'm2', title: 'red fox' });
    await store.backfill.rewrite([{ id: '2', type, version: 'v-2', text }]);
  });
  afterEach(async () => {
    await store.close();
    folder.remove();
    for (const location of locations) await location.remove();
  });

  const locationOf = (n: number): StoreLocation => {
    const location = locations[n];
    if (!location) throw new Error(`There is no store ${n}`);
    return location;
  };

  it('carries the recorded names and the state, whose phase begins again, and verify finds no fault', async () => {
    await store.serve({ sources: [{ file: 'n.graphql', text: sdl }], folder: '/n', areShipped: false });
    const before = await readStore(locationOf(0));
    const restarted = { ...state, progress: { ...progress, seenMs: 0, visited: 0, rewritten: 0 } };
    expect(before.facts.backfill).toEqual(restarted);
    expect(before.facts.names?.[type]).toEqual(expect.arrayContaining(['email', 'mail', 'title']));
    expect(before.assets.get('2')?.asset).toMatchObject({ email: 'm2' });
    for (const [from, to] of [
      [0, 1],
      [1, 2],
    ] as const) {
      await save(locationOf(from), folder.path(`${to}`));
      await load(locationOf(to), folder.path(`${to}`));
      const { findings } = await verify(
        { ...readConfig({}), ...locationOf(to).config },
        { isRepairing: false, progress: () => {} },
      );
      expect(findings).toEqual([]);
    }
    const after = await readStore(locationOf(2));
    expect(after.facts.backfill).toEqual(restarted);
    expect(after.facts.names).toEqual(before.facts.names);
    expect(after.assets).toEqual(before.assets);
    const restored = await openFor(locationOf(2), catalogOf(sdl));
    try {
      expect(await restored.backfill.readState()).toEqual(restarted);
      expect(await restored.backfill.writeState({ ...state, revision: 2 })).toBe(true);
    } finally {
      await restored.close();
    }
  });

  it('has assets of one phase, under all names where they changed meanwhile, or fails', async () => {
    const dump = await openDump(locationOf(0).config, backupRules());
    const set = { mail: 'new', email: 'new' };
    await store.patch({ id: '1', type, set, unset: [], copies: ['email'], version: 'w-1' });
    await store.delete({ id: '3', type });
    await store.backfill.writeState({ ...state, revision: 2 });
    const read = await readAll(dump.assets()).finally(dump.close);
    const values = read.map(({ text }) => JSON.parse(text) as Record<string, unknown>);
    expect(values.map(({ _id, mail }) => [_id, mail]).toSorted()).toEqual([
      ['1', 'm1'],
      ['2', undefined],
      ['3', 'm3'],
    ]);
    expect(
      values.every(({ email, mail }) => email === mail || email === undefined || mail === undefined),
    ).toBe(true);

    const other = await openDump(locationOf(0).config, backupRules());
    await store.backfill.writeState({ ...state, revision: 3, phase: 'copied' });
    const code = await codeOf(readAll(other.assets()).finally(other.close));
    // SQLite reads the state as of the beginning, MongoDB each asset as it is then.
    expect(code).toBe(store.system === 'sqlite' ? undefined : 'transfer_failed');
  });
});

async function readAll(blocks: AsyncIterable<readonly CopiedAsset[]>): Promise<CopiedAsset[]> {
  const all: CopiedAsset[] = [];
  for await (const block of blocks) all.push(...block);
  return all;
}
