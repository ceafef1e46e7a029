/** A backup that is created while others write has the state of one moment, which the change log tells. */
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { randomIds } from '../../../src/base/runtime.ts';
import type { Asset } from '../../../src/model/content-type.ts';
import { type ChangeEntry, undoChange } from '../../../src/store/changes.ts';
import type { ContentStore } from '../../../src/store/port.ts';
import { describeOnEachStore, type StoreLocation } from '../../support/stores.ts';
import { catalogOf } from '../../support/types.ts';
import { type Copy, createFolder, openFor, readFile, readStore, save } from './copies.ts';

const type = 'log.Note';
const catalog = catalogOf(
  `type Note @contentType(class: "${type}") { title: String @indexed, n: Int, text: String, part: JSON }`,
);
const writers = 4;
/** So long that the assets are several blocks. */
const text = 'words '.repeat(200);

describeOnEachStore('a backup during writes', (locate) => {
  let folder: ReturnType<typeof createFolder>;
  let location: StoreLocation;
  beforeEach(() => {
    folder = createFolder();
    location = locate();
  });
  afterEach(async () => {
    await location.remove();
  });

  it('has exactly what was there at its seq', async () => {
    const store = await openFor(location, catalog);
    const ids = Array.from({ length: 700 }, () => randomIds.assetId());
    await store.write(ids.map(toInsert));
    let isOver = false;
    const written: number[] = [];
    const writing = Array.from({ length: writers }, async (_, writer) => {
      for (let n = 0; !isOver; n++) written.push(await writeOne(store, { ids, pick: n * 97 + writer * 389 }));
    });
    const saved = [];
    for (let round = 0; round < 2; round++) {
      const path = folder.path(`${round}`);
      const before = written.length;
      await save(location, path);
      saved.push({ path, during: written.length - before });
    }
    isOver = true;
    await Promise.all(writing);
    await store.close();
    const last = await readStore(location);
    for (const { path, during } of saved) {
      const copy = readFile(path);
      expect(copy.facts.isOneMoment).toBe(true);
      expect(copy.entries).toEqual(last.entries.filter(({ seq }) => seq <= copy.facts.seq));
      expect(copy.assets).toEqual(atSeq(last, copy.facts.seq));
      // Else nothing was tested.
      expect(during).toBeGreaterThan(0);
    }
    expect(new Set(saved.map(({ path }) => readFile(path).facts.seq)).size).toBe(2);
  });
});

const toInsert = (_id: string) => ({
  kind: 'insert' as const,
  asset: { _id, _type: type, title: 'new', n: 0, text, part: { a: 1 } },
  version: randomIds.version(),
});

/** Changes, deletes or creates an asset. Returns 1 when it did. */
async function writeOne(
  store: ContentStore,
  { ids, pick }: { ids: string[]; pick: number },
): Promise<number> {
  const id = ids[pick % ids.length] ?? '';
  const version = randomIds.version();
  await setImmediate();
  if (pick % 5 === 0) {
    const isGone = await store.delete({ id, type, change: version });
    if (!isGone || pick % 2 === 0) await store.insert({ ...toInsert(id), version: randomIds.version() });
    return 1;
  }
  if (pick % 7 === 0) {
    const added = randomIds.assetId();
    ids.push(added);
    await store.insert(toInsert(added));
    return 1;
  }
  const [set, unset] =
    pick % 3 === 0 ? [{ title: `${pick}` }, ['part']] : [{ n: pick, part: { b: pick } }, []];
  return (await store.patch({ id, type, set, unset, version })) ? 1 : 0;
}

/** Undoes all later entries of a store that nobody writes to any more. */
function atSeq({ assets, entries }: Copy, seq: number): Copy['assets'] {
  const state = new Map(assets);
  for (const entry of entries.filter((entry) => entry.seq > seq).toReversed()) {
    const asset = undo(state.get(entry.asset)?.asset, entry);
    const { previousVersion: version = '', number } = entry;
    if (asset) state.set(entry.asset, { id: entry.asset, type, version, number: number - 1, asset });
    else state.delete(entry.asset);
  }
  return new Map([...state].sort(([one], [other]) => (one < other ? -1 : 1)));
}

// Safe: these are assets, and the state before a change is one too.
const undo = (after: unknown, entry: ChangeEntry) => undoChange(after as Asset | undefined, entry);
