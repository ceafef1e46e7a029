/** A check of a store finds nothing in a sound one, also while others write, and every kind of damage in a damaged one. */
import { copyFileSync, readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verify } from '../../../src/app/compose/compose-verify.ts';
import { readConfig } from '../../../src/app/config/config.ts';
import { randomIds } from '../../../src/base/runtime.ts';
import type { ContentStore } from '../../../src/store/port.ts';
import { environmentOf, runCommand } from '../../support/command-line.ts';
import { mongodbUrl } from '../../support/mongo-url.ts';
import {
  describeOnEachStore,
  mongoLocation,
  type StoreLocation,
  sqliteLocation,
} from '../../support/stores.ts';
import { catalogOf } from '../../support/types.ts';
import { toWhere } from '../store/suite-content.ts';
import { openFor } from './copies.ts';

const type = 'log.Note';
const sdl = `type Note @contentType(class: "${type}") {
  slug: String @indexed(unique: true), title: String @indexed @searchable, tags: [String!] @indexed, n: Int @indexed, next: Note, must: Int @constraint(max: 5) }`;
const catalog = catalogOf(sdl);
const ids = Array.from({ length: 300 }, () => randomIds.assetId());
const first = ids[0] ?? '';

const toInsert = (_id: string, n: number) => ({
  kind: 'insert' as const,
  asset: {
    _id,
    _type: type,
    slug: `s${n}`,
    title: `word${n} and others`,
    tags: [`t${n % 7}`, `u${n}`],
    n,
    next: { _ref: ids[(n + 1) % ids.length] ?? '', _type: type },
  },
  version: randomIds.version(),
});
const toPatch = (id: string, n: number) => ({
  kind: 'patch' as const,
  id,
  type,
  set: { title: `changed ${n}`, n },
  unset: ['tags'],
  version: randomIds.version(),
});

async function fill(store: ContentStore): Promise<void> {
  await store.serve({ sources: [{ file: 'types.graphql', text: sdl }], folder: '/types', areShipped: false });
  await store.write(ids.map(toInsert));
  await store.write(ids.slice(0, 90).map(toPatch));
  // Entries that are erased before they have a number leave no gap, and a later gap of the same size would pass for theirs.
  await store.changes.waitUntilNumbered();
  for (const id of ids.slice(5, 8)) await store.changes.erase({ id, change: randomIds.version() });
  await store.delete({ id: ids[9] ?? '', type });
  await store.insert(toInsert(ids[9] ?? '', 9));
  await store.patch({ ...toPatch(ids[10] ?? '', 10), set: { must: 9 } });
}

const check = async ({ config }: StoreLocation, isRepairing = false) => {
  const parts = new Set<string>();
  const order = { isRepairing, begin: (part: string) => void parts.add(part), progress: () => {} };
  const { findings } = await verify({ ...readConfig({}), ...config }, order);
  expect([...parts]).toContain('totals');
  return {
    faults: findings.filter(({ isFault }) => isFault).map(({ part, message }) => `${part}: ${message}`),
    notices: findings.filter(({ isFault }) => !isFault),
  };
};

describeOnEachStore('a sound store', (locate) => {
  it('has no faults, also while others write; dangling references and unfit assets are notices', async () => {
    const location = locate();
    const store = await openFor(location, catalog);
    await fill(store);
    let isOver = false;
    const writing = (async () => {
      for (let n = 0; !isOver; n++) await store.patch(toPatch(ids[20 + (n % 50)] ?? '', n));
    })();
    const { faults, notices } = await check(location);
    isOver = true;
    await writing;
    expect(faults).toEqual([]);
    expect(notices).toMatchObject([
      { part: 'types', count: 1, ids: [ids[10]] },
      { part: 'references', count: 1, ids: [ids[4]] },
    ]);
    await store.close();
    await location.remove();
  });
});

describeOnEachStore('a store with long words', (locate) => {
  it('has no faults, before and after its words are merged, and finds each of them', async () => {
    const location = locate();
    const store = await openFor(location, catalog);
    await store.serve({
      sources: [{ file: 'types.graphql', text: sdl }],
      folder: '/types',
      areShipped: false,
    });
    // Hashes of these had "-" or "_" in the former form.
    const words = Array.from({ length: 40 }, (_, n) => [
      `${'\u65e5\u672c\u8a9e'.repeat(25)}${n}`,
      `${'\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22'.repeat(12)}${n}`,
      `${'letter'.repeat(11)}${n}`,
      `Mixed\u6f22\u5b57\u0e01${'9'.repeat(80)}${n}`,
    ]);
    const inserts = words.map((own, n) => ({
      ...toInsert(ids[n] ?? '', n),
      asset: { _id: ids[n] ?? '', _type: type, title: `short ${own.join(' ')}` },
    }));
    await store.write(inserts);
    expect(await check(location)).toMatchObject({ faults: [] });
    await store.prepare();
    expect(await check(location)).toMatchObject({ faults: [] });
    const where = toWhere(catalog, {
      classes: [type],
      text: `title matchesAll "${words[7]?.join(' ').toUpperCase()}"`,
    });
    const { count } = await store.find({ types: [type], where, offset: 0, limit: 10, withCount: true });
    expect(count).toBe(1);
    await store.close();
  });
});

describe('a damaged SQLite store', () => {
  let location: StoreLocation;
  let file: string;
  beforeEach(async () => {
    location = sqliteLocation();
    file = join(location.config.dataDir, 'colophon.db');
    const store = await openFor(location, catalog);
    await fill(store);
    await store.close();
  });
  afterEach(() => location.remove());

  function change(sql: string): void {
    const database = new DatabaseSync(file);
    database.function('checksum', (document) => crc32(String(document)));
    database.exec(sql);
    database.close();
  }
  const nameOf = (sql: string) => {
    const database = new DatabaseSync(file);
    const row = database.prepare(sql).get();
    database.close();
    return row ?? {};
  };
  const pageBytes = 4096;
  /** Overwrites a part of a page. */
  function overwrite(page: number, from = 0): void {
    const bytes = readFileSync(file);
    bytes.fill(0xa5, (page - 1) * pageBytes + from, page * pageBytes);
    writeFileSync(file, bytes);
  }

  it('is repaired when indexes, words or totals are wrong', async () => {
    const { name: list } = nameOf(
      "SELECT name FROM field_indexes WHERE kind = 'list' AND class = 'log.Note'",
    );
    const { name: words } = nameOf(
      "SELECT name FROM field_indexes WHERE kind = 'words' AND class = 'log.Note'",
    );
    const { name: column } = nameOf(
      "SELECT name FROM field_indexes WHERE class = 'log.Note' AND field = 'n'",
    );
    const { number } = nameOf("SELECT number FROM types WHERE class = 'log.Note'");
    change(`UPDATE type_${number} SET ${column} = NULL WHERE id = '${ids[200]}';
      UPDATE type_${number} SET ${column} = -1 WHERE id = '${ids[201]}';
      DELETE FROM type_${number} WHERE id = '${ids[202]}';
      INSERT INTO type_${number} (key, id) VALUES (1000000, 'x');
      DELETE FROM ${list} WHERE key IN (SELECT key FROM ${list} LIMIT 3);
      INSERT INTO ${list} VALUES ('nobody', 1);
      DELETE FROM ${words} WHERE rowid = (SELECT key FROM assets WHERE id = '${ids[200]}');
      UPDATE types SET total = total + 1 WHERE class = '${type}'`);
    const { faults } = await check(location);
    expect(faults).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^totals: the total of log.Note is 298, and there are 297/),
        expect.stringMatching(/^indexes: the table of log.Note lacks assets/),
        expect.stringMatching(/^indexes: the table of log.Note has assets too many/),
        'indexes: the index of log.Note n lacks entries',
        'indexes: the index of log.Note n has entries too many',
        'indexes: the index of log.Note tags lacks entries',
        'indexes: the index of log.Note tags has entries too many',
        'words: the words of log.Note title are not those of the asset',
      ]),
    );
    expect(await runCommand(['verify'], environmentOf(location))).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('`colophon verify --repair`'),
    });
    expect((await check(location, true)).faults).toEqual([]);
    const { rootpage } = nameOf(
      "SELECT rootpage FROM sqlite_schema WHERE type = 'index' AND name IN (SELECT name FROM field_indexes WHERE class = 'log.Note' AND field = 'n')",
    );
    overwrite(Number(rootpage), 8);
    expect((await check(location)).faults.join()).toContain('database: ');
    expect((await check(location, true)).faults).toEqual([]);
    expect(await runCommand(['verify', '--json'], environmentOf(location))).toMatchObject({ exitCode: 0 });
  });

  it.each([
    ['an entry is missing', 'DELETE FROM changes WHERE seq = 250', 'log: entries are missing'],
    [
      'an entry follows another version',
      "UPDATE changes SET previous = 'x' WHERE seq = 310",
      'log: an entry does not continue',
    ],
    [
      'an asset was changed without an entry',
      `UPDATE assets SET version = 'x' WHERE id = '${first}'`,
      'log: the asset is not as',
    ],
    [
      'an asset was removed without an entry',
      `DELETE FROM assets WHERE id = '${first}'`,
      'log: the asset is not as',
    ],
    [
      'a document is no JSON',
      `UPDATE assets SET document = 'x', checksum = checksum('x') WHERE id = '${ids[200]}'`,
      'assets: the stored text is no JSON',
    ],
    [
      'a document has another _id',
      `UPDATE assets SET document = json_set(document, '$._id', 'x') WHERE id = '${first}';
       UPDATE assets SET checksum = checksum(document)`,
      'assets: the stored asset has another',
    ],
    [
      'one letter of a document was changed',
      `UPDATE assets SET document = replace(document, 'word200 and', 'word200 end') WHERE id = '${ids[200]}'`,
      'assets: the stored text is not as it was written',
    ],
    [
      'what an entry changed is no JSON',
      'UPDATE changes SET before = substr(before, 2) WHERE seq = 310',
      'log: what an entry changed cannot be read',
    ],
    [
      'the list of the fields that an entry changed is no JSON',
      'UPDATE changes SET changed = substr(changed, 2) WHERE seq = 310',
      'log: what an entry changed cannot be read',
    ],
  ])('is reported when %s', async (_name, sql, fault) => {
    const { name: words } = nameOf(
      "SELECT name FROM field_indexes WHERE kind = 'words' AND class = 'log.Note'",
    );
    const { names = '' } = nameOf(
      "SELECT group_concat(name) AS names FROM sqlite_schema WHERE type = 'trigger'",
    );
    // Without the triggers, which would refuse such a document.
    const dropped = String(names)
      .split(',')
      .map((name) => `DROP TRIGGER ${name};`);
    change(`${dropped.join('')} ${sql}`);
    expect(words).toBeDefined();
    expect((await check(location)).faults.some((one) => one.startsWith(fault))).toBe(true);
  });

  it('is reported when its pages are overwritten, with no repair when the assets are lost', async () => {
    const { rootpage } = nameOf("SELECT rootpage FROM sqlite_schema WHERE name = 'assets'");
    overwrite(Number(rootpage));
    expect((await check(location)).faults.join()).toContain('database: ');
    expect(await runCommand(['verify', '--repair'], environmentOf(location))).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/Restore a backup|restore a backup/),
    });
  });

  it('stays as it is when a repair meets another format, or content that is lost', async () => {
    const folder = () =>
      readdirSync(location.config.dataDir).map((name) => [
        name,
        readFileSync(join(location.config.dataDir, name), 'base64'),
      ]);
    const { user_version: format } = nameOf('PRAGMA user_version');
    change('PRAGMA user_version = 7');
    const former = folder();
    expect(await runCommand(['verify', '--repair'], environmentOf(location))).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/has format 7, and this version of Colophon uses format \d+ alone/),
    });
    expect(folder()).toEqual(former);
    change(
      `PRAGMA user_version = ${format}; UPDATE assets SET document = replace(document, 'word200', 'word201')`,
    );
    const names = readdirSync(location.config.dataDir);
    expect(await runCommand(['verify', '--repair'], environmentOf(location))).toMatchObject({ exitCode: 1 });
    expect(readdirSync(location.config.dataDir)).toEqual(names);
  });

  it('is reported at the start of a server, with what to do', async () => {
    const good = `${file}.good`;
    copyFileSync(file, good);
    const damages: [() => void, string][] = [
      [() => overwrite(1), 'is damaged or is no database'],
      [() => truncateSync(file, 3 * pageBytes), 'is damaged or is no database'],
      [() => writeFileSync(file, 'no database at all'.repeat(500)), 'is damaged or is no database'],
      [
        () => {
          writeFileSync(file, '');
          utimesSync(file, 1, 1);
        },
        'is empty. If it had content, restore a backup',
      ],
    ];
    for (const [damage, message] of damages) {
      copyFileSync(good, file);
      damage();
      const ended = await runCommand(['serve'], { ...environmentOf(location), COLOPHON_PORT: '0' });
      expect(ended).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(message) });
      expect(ended.stderr).not.toMatch(/^\s+at /m);
    }
  });
});

const serverUrl = mongodbUrl();
describe.skipIf(serverUrl === '')('a damaged MongoDB store', () => {
  it('is reported, and repaired when words or counts are wrong', async () => {
    const location = mongoLocation(serverUrl);
    const store = await openFor(location, catalog);
    await fill(store);
    await store.close();
    const client = await MongoClient.connect(location.config.mongodbUrl ?? '');
    const [assets, changes, types] = ['assets', 'changes', 'types'].map((name) =>
      client.db().collection<{ _id: string; seq?: number }>(name),
    );
    await assets?.updateOne({ _id: first }, { $set: { '_colophon.index.title': ['others'] } });
    await types?.updateOne({ _id: type }, { $set: { changes: 3 } });
    expect((await check(location)).faults).toEqual([
      'words: the words of log.Note are not those of the asset',
      'totals: the count of changes of log.Note is less than there are',
    ]);
    expect((await check(location, true)).faults).toEqual([]);
    const indexes = (await assets?.listIndexes().toArray()) ?? [];
    const [title, unique] = ['field:title', 'unique:log.Note:slug'];
    for (const name of [title, unique]) await assets?.dropIndex(name);
    expect((await check(location)).faults).toEqual([
      'indexes: the index of log.Note slug is gone',
      'indexes: the index of log.Note title is gone',
    ]);
    const { key = {}, partialFilterExpression } = indexes.find(({ name }) => name === unique) ?? {};
    await assets?.createIndex(key, { name: unique, partialFilterExpression });
    expect((await check(location)).faults).toContain(
      'indexes: the index of log.Note slug does not keep it unique',
    );
    expect((await check(location, true)).faults).toEqual([]);
    const newest = await changes?.find().sort({ seq: -1 }).limit(1).next();
    await changes?.deleteOne({ _id: newest?._id ?? '' });
    expect((await check(location)).faults).toContain('log: entries are missing');
    if (newest) await changes?.insertOne(newest);
    expect((await check(location)).faults).toEqual([]);
    await assets?.updateOne({ _id: first }, { $set: { '_colophon.version': 'x' } });
    await changes?.deleteOne({ _id: `${ids[50]} 000000000001` });
    expect((await check(location, true)).faults).toEqual([
      'log: entries are missing',
      'log: the asset is not as its last change has left it',
    ]);
    await client.close();
    await location.remove();
  });
});
