/** Which files are deleted: those that no asset names, in its value or in the history that is kept, for a week and an hour. */
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { storedCatalog } from '../../../../src/access/system-types.ts';
import type { ContentService } from '../../../../src/content/content-service.ts';
import {
  fileClass,
  fileRecordId,
  fileUseClass,
  fileUseId,
} from '../../../../src/content/files/file-record.ts';
import {
  createFileCleaner,
  createFileUses,
  createUnusedFiles,
  type FileCleaner,
  type UnusedFiles,
} from '../../../../src/content/files/unused-files.ts';
import type { JsonObject } from '../../../../src/model/content-type.ts';
import type { FilePlace } from '../../../../src/store/file-place.ts';
import { openFilePlace } from '../../../../src/store/open-store.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { contentOver, openStoreAt } from '../../../support/content.ts';
import { createFakeClock, createRecordingLogger, type FakeClock } from '../../../support/runtime.ts';
import { describeOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import { catalogOf, systemCatalog } from '../../../support/types.ts';

const catalog = catalogOf(`
type Page @contentType(class: "lib.Page") { name: String photo: File text: RichText }
`);
const hashOf = (digit: string) => digit.repeat(64);
const minute = 60_000;
const day = 1440 * minute;

describeOnEachStore('unused files', (locations) => {
  let location: StoreLocation;
  let store: ContentStore;
  let place: FilePlace;
  let clock: FakeClock;
  let content: ContentService;
  let system: ContentService;
  let files: UnusedFiles;

  beforeEach(async () => {
    location = locations();
    store = await openStoreAt(location, storedCatalog(systemCatalog(), catalog));
    place = await openFilePlace(location.config);
    clock = createFakeClock(Date.now());
    content = contentOver(catalog, store, { clock });
    system = contentOver(systemCatalog(), store, { clock });
    files = createUnusedFiles({ system, place, clock, uses: createFileUses({ system, store }) });
  });
  afterEach(async () => {
    await place.close();
    await store.close();
  });

  /** Stores a file that was uploaded now. */
  async function upload(digit: string): Promise<string> {
    const hash = hashOf(digit);
    await place.write(`key-${digit}`, Readable.from([Buffer.from(digit)]));
    const facts = { name: 'x.txt', mediaType: 'text/plain', bytes: 1, uploadedAt: clock.nowMs() };
    await system.create(
      { _id: fileRecordId(hash), _type: fileClass, hash, key: `key-${digit}`, ...facts },
      {},
    );
    return hash;
  }
  const isThere = async (digit: string) => {
    const record = await store.get(fileRecordId(hashOf(digit)));
    const bytes = await place.find(`key-${digit}`);
    expect(bytes !== undefined).toBe(record !== undefined);
    return record !== undefined;
  };
  const createPage = async (fields: JsonObject) =>
    (await content.create({ _type: 'lib.Page', ...fields }, {})).asset._id;

  /** Looks at all files that are a week old, as the cleaner does once a day. */
  async function look(): Promise<Record<string, string>> {
    const looks: Record<string, string> = {};
    const now = clock.nowMs();
    for await (const file of files.each({ uploadedTo: now - 7 * day })) {
      looks[String(file.asset.hash)[0] ?? ''] = await files.look(file, { markedTo: now - 60 * minute });
    }
    return looks;
  }

  it('are deleted an hour after they were found unused, with their bytes and uses', async () => {
    const hash = await upload('a');
    const page = await createPage({ photo: { hash } });
    clock.advance(7 * day);
    expect(await look()).toEqual({ a: 'used' });
    await content.history.erase({ id: page, eraseCopies: async () => {} }, {});
    expect(await look()).toEqual({ a: 'waiting' });
    clock.advance(59 * minute);
    expect(await look()).toEqual({ a: 'waiting' });
    clock.advance(minute);
    expect(await look()).toEqual({ a: 'deleted' });
    expect(await isThere('a')).toBe(false);
    expect(await store.get(fileUseId(hash, page))).toBeUndefined();
    await expect(createPage({ photo: { hash } })).rejects.toMatchObject({ code: 'missing_file' });
  });

  it('are looked at only a week after they were uploaded last', async () => {
    await upload('a');
    clock.advance(7 * day - 1);
    expect(await look()).toEqual({});
    clock.advance(1);
    expect(await look()).toEqual({ a: 'waiting' });
  });

  it('are none that a value names, the history of an asset keeps, or a deleted asset had', async () => {
    const [valued, linked, replaced, deleted] = [
      await upload('a'),
      await upload('b'),
      await upload('c'),
      await upload('d'),
    ];
    await upload('e');
    await createPage({ photo: { hash: valued } });
    await createPage({ text: `<img src="/files/${linked}/x.png">` });
    const id = await createPage({ photo: { hash: replaced } });
    for (let times = 0; times < 3; times++)
      await content.update({ id, body: { photo: null, name: `${times}` } }, {});
    await content.delete({ id: await createPage({ photo: { hash: deleted } }) }, {});
    clock.advance(8 * day);
    expect(await look()).toEqual({ a: 'used', b: 'used', c: 'used', d: 'used', e: 'waiting' });
    // The last entry of the log is never trimmed.
    await createPage({ name: 'last' });
    await store.changes.waitUntilNumbered();
    while ((await store.changes.trim({ beforeMs: clock.nowMs() + day, limit: 100 })) > 0);
    expect(await look()).toEqual({ a: 'used', b: 'used', c: 'waiting', d: 'waiting', e: 'waiting' });
  });

  it('stay when an asset names them before they are deleted, or they are uploaded again', async () => {
    const [a] = [await upload('a'), await upload('b')];
    clock.advance(8 * day);
    expect(await look()).toEqual({ a: 'waiting', b: 'waiting' });
    await createPage({ photo: { hash: a } });
    await system.update(
      { id: fileRecordId(hashOf('b')), body: { unusedSince: null, uploadedAt: clock.nowMs() } },
      {},
    );
    clock.advance(60 * minute);
    expect(await look()).toEqual({ a: 'used' });
    clock.advance(7 * day);
    expect(await look()).toEqual({ a: 'used', b: 'waiting' });
  });

  it('stay when an asset names them while they are looked at', async () => {
    const hash = await upload('a');
    clock.advance(8 * day);
    await look();
    clock.advance(60 * minute);
    for await (const file of files.each({ uploadedTo: clock.nowMs() })) {
      // A write between the read of the record and its deletion.
      await createPage({ photo: { hash } });
      expect(await files.look(file, { markedTo: clock.nowMs() })).toBe('used');
      const { asset, version } = file;
      const looker = createUnusedFiles({
        system,
        place,
        clock,
        uses: { ...createFileUses({ system, store }), findUser: async () => undefined },
      });
      expect(await looker.look({ asset, version }, { markedTo: clock.nowMs() })).toBe('used');
    }
    expect(await isThere('a')).toBe(true);
  });

  it('stay when an asset named them before they were marked and is written between both looks', async () => {
    const hash = await upload('a');
    const page = await createPage({ name: 'before' });
    // As a write does that is slow: its use is recorded, its asset not yet written.
    await system.create({ _id: fileUseId(hash, page), _type: fileUseClass, hash, asset: page }, {});
    clock.advance(8 * day);
    expect(await look()).toEqual({ a: 'waiting' });
    await store.patch({ id: page, type: 'lib.Page', set: { photo: { hash } }, unset: [], version: 'slow' });
    clock.advance(60 * minute);
    expect(await look()).toEqual({ a: 'used' });
    expect((await store.get(fileRecordId(hash)))?.asset).not.toHaveProperty('unusedSince');
  });

  it('are deleted at once when no use was ever recorded, and are marked otherwise', async () => {
    const hash = await upload('a');
    await upload('b');
    const page = await createPage({ photo: { hash } });
    await upload('c');
    await createPage({ photo: { hash: hashOf('c') } });
    await content.history.erase({ id: page, eraseCopies: async () => {} }, {});
    const looks: string[] = [];
    for await (const file of files.each()) looks.push(`${file.asset.key} ${await files.deleteNow(file)}`);
    expect(looks.toSorted()).toEqual(['key-a waiting', 'key-b deleted', 'key-c used']);
    expect([await isThere('a'), await isThere('b')]).toEqual([true, false]);
    expect((await store.get(fileRecordId(hashOf('c'))))?.asset).not.toHaveProperty('unusedSince');
  });

  it('of an erased asset are deleted with it, unless others use them', async () => {
    const [a, b] = [await upload('a'), await upload('b')];
    const [first, second] = [
      await createPage({ photo: { hash: a }, text: `/files/${b}/x` }),
      await createPage({ photo: { hash: b } }),
    ];
    const erase = async (id: string) => {
      await content.history.erase({ id, eraseCopies: async () => {} }, {});
      await files.deleteOf(id);
    };
    await erase(first);
    expect([await isThere('a'), await isThere('b')]).toEqual([false, true]);
    await erase(second);
    // The use by the first is still recorded.
    expect((await store.get(fileRecordId(b)))?.asset).toHaveProperty('unusedSince');
  });

  it('never lack where an asset names them, while writes and deletions race', async () => {
    const named: [string, string][] = [];
    for (const digit of ['a', 'b', 'c', 'd', 'e', 'f', '0', '1']) {
      const hash = await upload(digit);
      const deleting = (async () => {
        for await (const file of files.each()) if (file.asset.hash === hash) await files.deleteNow(file);
      })();
      const writes = [createPage({ photo: { hash } }), createPage({ photo: { hash } })];
      for (const outcome of await Promise.allSettled(writes)) {
        if (outcome.status === 'fulfilled') named.push([digit, outcome.value]);
        else expect(outcome.reason).toMatchObject({ code: 'missing_file' });
      }
      await deleting;
    }
    for (const [digit] of named) expect(await isThere(digit)).toBe(true);
  });

  it('have bytes; bytes without a record are orphans', async () => {
    await upload('a');
    await place.write('orphan', Readable.from([Buffer.from('x')]));
    const orphansOf = async (writtenTo: number) => {
      const keys: string[] = [];
      for await (const key of files.eachOrphan(writtenTo)) keys.push(key);
      return keys;
    };
    expect(await orphansOf(Date.now() + day)).toEqual(['orphan']);
    expect(await orphansOf(Date.now() - day)).toEqual([]);
  });

  it('are deleted in the background', async () => {
    const hash = await upload('a');
    await createPage({ photo: { hash: await upload('b') } });
    await place.write('orphan', Readable.from([Buffer.from('x')]));
    clock.advance(8 * day);
    const { logger, lines } = createRecordingLogger();
    const timing = { firstPauseMs: 0, restMs: 10, pauseFactor: 1 };
    const cleaner: FileCleaner = createFileCleaner({
      ...{ files, place, clock, logger, timing },
      clockWatch: { mayAct: async () => true },
    });
    cleaner.start();
    const marked = async () => (await store.get(fileRecordId(hash)))?.asset.unusedSince !== undefined;
    await vi.waitUntil(marked, { timeout: 60_000 });
    await setTimeout(100);
    expect(await isThere('a')).toBe(true);
    clock.advance(61 * minute);
    await vi.waitUntil(async () => (await place.find('key-a')) === undefined, { timeout: 60_000 });
    await setTimeout(100);
    expect(await place.find('orphan')).toBeDefined();
    clock.advance(day);
    await vi.waitUntil(async () => (await place.find('orphan')) === undefined, { timeout: 60_000 });
    await cleaner.stop();
    expect([await isThere('a'), await isThere('b')]).toEqual([false, true]);
    expect(lines).toEqual([{ level: 'info', message: 'Unused files were deleted', files: 1 }]);
  });
});
