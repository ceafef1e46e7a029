/**
 * A store whose file is damaged in one page or one byte: every rescue has each asset that can still be read, and nothing that ends with
 * success has lost something. `npm run test:long` damages many places.
 */
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { environmentOf, runCommand } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/opened.ts';
import { isLong, roundsOf } from '../../support/rounds.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { type StoreLocation, sqliteLocation } from '../../support/stores.ts';
import { catalogOf } from '../../support/types.ts';
import { openFor } from './copies.ts';

const type = 'log.Note';
const sdl = `type Note @contentType(class: "${type}") { title: String @indexed @searchable, n: Int @indexed, body: String, tags: [String!] @indexed }`;
const catalog = catalogOf(sdl);
const assetCount = 1_200;
const pageBytes = 4_096;
const idOf = (n: number) => `0190a0c0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const ids = Array.from({ length: assetCount }, (_, n) => idOf(n));

/** Most documents fit in a page, and some need several. */
const assetOf = (n: number) => ({
  _id: idOf(n),
  _type: type,
  title: `word${n} and others`,
  n,
  body: `body ${n} `.repeat(n % 40 === 0 ? 900 : 20),
  tags: [`tag${n % 7}`, `tag${n % 11}`],
});

let sound: StoreLocation;
let folder: string;
const soundFile = () => join(sound.config.dataDir, 'colophon.db');
const { seed, below } = createSeededRandom(isLong ? undefined : 7);

beforeAll(async () => {
  sound = sqliteLocation();
  folder = temporaryFolder();
  const store = await openFor(sound, catalog);
  await store.serve({ sources: [{ file: 'types.graphql', text: sdl }], folder: '/types', areShipped: false });
  for (let n = 0; n < assetCount; n++) await store.insert({ asset: assetOf(n), version: `v${n}` });
  await store.close();
});

/** Reads each asset as a GET does; returns those that are as they were written. */
async function readEach(location: StoreLocation): Promise<Set<string>> {
  const intact = new Set<string>();
  const store = await openFor(location, catalog).catch(() => undefined);
  if (!store) return intact;
  for (const [n, id] of ids.entries()) {
    const found = await store.get(id).catch(() => undefined);
    if (isDeepStrictEqual(found?.asset, assetOf(n))) intact.add(id);
  }
  await store.close();
  return intact;
}

/** Copies the sound store and damages the copy. */
function damagedCopy(damage: (bytes: Buffer) => void): StoreLocation {
  const location = sqliteLocation();
  const bytes = readFileSync(soundFile());
  damage(bytes);
  writeFileSync(join(location.config.dataDir, 'colophon.db'), bytes);
  return location;
}

function copyOf({ config }: StoreLocation): StoreLocation {
  const location = sqliteLocation();
  copyFileSync(join(config.dataDir, 'colophon.db'), join(location.config.dataDir, 'colophon.db'));
  return location;
}

const run = (location: StoreLocation, ...words: string[]) => runCommand(words, environmentOf(location));
const lacking = (readable: Iterable<string>, rescued: ReadonlySet<string>) =>
  [...readable].filter((id) => !rescued.has(id)).slice(0, 5);

/** Runs every rescue on a damaged store; throws what is wrong with one. */
async function drill(damaged: StoreLocation): Promise<void> {
  const readable = await readEach(copyOf(damaged));
  const isWhole = readable.size === assetCount;
  const codes = [0, 1];

  const backup = join(folder, 'rescue.backup');
  const created = await run(copyOf(damaged), 'backup', 'create', backup, '--force');
  expect(codes, created.stderr).toContain(created.exitCode);
  const restoredTo = sqliteLocation();
  const isSaved = existsSync(backup);
  if (isSaved) {
    const restored = await run(restoredTo, 'backup', 'restore', backup);
    expect(restored, 'restoring the backup').toMatchObject({ exitCode: 0 });
  }
  const saved = isSaved ? await readEach(restoredTo) : new Set<string>();
  expect(lacking(readable, saved), `lacking in the backup: ${created.stderr}`).toEqual([]);
  if (created.exitCode === 0) expect(saved.size, 'a backup that says it is whole').toBe(assetCount);
  const named = ids.filter((id) => created.stderr.includes(id));
  if (isSaved && saved.size < assetCount && !created.stderr.includes('are unknown'))
    expect(lacking(ids, new Set([...saved, ...named])), 'neither saved nor named').toEqual([]);
  rmSync(backup, { force: true });

  const exported = await run(copyOf(damaged), 'export', '--from', type);
  expect(codes, exported.stderr).toContain(exported.exitCode);
  const lines = exported.stdout.split('\n').filter((line) => line !== '');
  const written = new Set(
    lines.flatMap((line) => {
      // An export writes null for the fields that an asset does not have.
      const asset = JSON.parse(line, (_, value) => value ?? undefined);
      return isDeepStrictEqual(asset, assetOf(asset.n)) ? [asset._id] : [];
    }),
  );
  expect(lacking(readable, written), `lacking in the export: ${exported.stderr}`).toEqual([]);
  if (exported.exitCode === 0) expect(written.size, 'an export that says it is whole').toBe(assetCount);

  for (const command of ['verify', 'doctor']) {
    const checked = await run(copyOf(damaged), command);
    expect(codes, checked.stderr).toContain(checked.exitCode);
    if (!isWhole) expect(checked.exitCode, `${command}: ${checked.stdout}`).toBe(1);
  }

  const repairing = copyOf(damaged);
  const repaired = await run(repairing, 'verify', '--repair');
  expect(codes, repaired.stderr).toContain(repaired.exitCode);
  const left = await readEach(repairing);
  expect(lacking(readable, left), `lacking after a repair: ${repaired.stderr}`).toEqual([]);
  if (repaired.exitCode === 0) expect(left.size, 'a repair that says it is whole').toBe(assetCount);
  await Promise.all([damaged, repairing, restoredTo].map((location) => location.remove()));
}

/** The first byte of the root page of a table or an index. */
function rootOf(name: string): number {
  const database = new DatabaseSync(soundFile(), { readOnly: true });
  const row = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name);
  database.close();
  return (Number(row?.rootpage) - 1) * pageBytes;
}

/** The first bytes of the leaves of the table of assets below its root, which SQLite has as a tree of pages. */
function leavesOf(bytes: Buffer, page = rootOf('assets')): number[] {
  const [isLeaf, cells] = [bytes[page] === 13, bytes.readUInt16BE(page + 3)];
  if (isLeaf) return [page];
  const pointers = Array.from({ length: cells }, (_, n) => page + bytes.readUInt16BE(page + 12 + 2 * n));
  const children = [...pointers, page + 8].map((at) => (bytes.readUInt32BE(at) - 1) * pageBytes);
  return children.flatMap((child) => leavesOf(bytes, child));
}

/** Damage that SQLite meets in different ways: some of it without an error. */
const kinds: readonly [string, (bytes: Buffer) => void][] = [
  [
    'a page says that it has fewer rows',
    (bytes) => {
      const [, leaf = 0] = leavesOf(bytes);
      bytes.writeUInt16BE(bytes.readUInt16BE(leaf + 3) - 2, leaf + 3);
    },
  ],
  [
    'a page is reached twice, in the place of another one',
    (bytes) => {
      const root = rootOf('assets');
      const cells = [0, 1].map((n) => root + bytes.readUInt16BE(root + 12 + 2 * n));
      bytes.writeUInt32BE(bytes.readUInt32BE(cells[1] ?? 0), cells[0] ?? 0);
    },
  ],
  [
    'the first page of assets is gone',
    (bytes) => {
      const [leaf = 0] = leavesOf(bytes);
      bytes.fill(0, leaf, leaf + pageBytes);
    },
  ],
  [
    'the last page of assets is gone',
    (bytes) => {
      const leaf = leavesOf(bytes).at(-1) ?? 0;
      bytes.fill(0, leaf, leaf + pageBytes);
    },
  ],
  [
    'the root of the assets is gone',
    (bytes) => void bytes.fill(0, rootOf('assets'), rootOf('assets') + pageBytes),
  ],
  [
    'the root of the types is gone',
    (bytes) => void bytes.fill(0, rootOf('types'), rootOf('types') + pageBytes),
  ],
  [
    'the root of the index by _id is gone, and a page of assets',
    (bytes) => {
      const index = rootOf('sqlite_autoindex_assets_1');
      const [, , leaf = 0] = leavesOf(bytes);
      for (const page of [index, leaf]) bytes.fill(0, page, page + pageBytes);
    },
  ],
];

it.each(kinds)('when %s', async (_, damage) => {
  await drill(damagedCopy(damage));
});

const rounds = roundsOf({ usual: 4, long: 50 });
const pages = () => Math.floor(readFileSync(soundFile()).length / pageBytes);

describe(`with seed ${seed}`, () => {
  it.each(Array.from({ length: rounds }, (_, n) => n))('page damage %i', async (n) => {
    const page = below(pages());
    const fill = n % 2 === 0 ? () => 0 : () => below(256);
    const damage = (bytes: Buffer) => {
      for (let at = page * pageBytes; at < (page + 1) * pageBytes; at++) bytes[at] = fill();
    };
    await drill(damagedCopy(damage)).catch((error: unknown) => {
      throw new Error(`page ${page + 1}`, { cause: error });
    });
  });

  it.each(Array.from({ length: rounds }, (_, n) => n))('byte damage %i', async () => {
    const [at, bit] = [below(pages() * pageBytes), 1 << below(8)];
    const damage = (bytes: Buffer) => {
      bytes[at] = (bytes[at] ?? 0) ^ bit;
    };
    await drill(damagedCopy(damage)).catch((error: unknown) => {
      throw new Error(`byte ${at}, bit ${bit}`, { cause: error });
    });
  });
});
