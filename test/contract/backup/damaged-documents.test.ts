/** A store with two damaged documents: what reads it as a whole names them, goes on with the rest, and fails in the end. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { environmentOf, runCommand } from '../../support/command-line.ts';
import { type StoreLocation, sqliteLocation } from '../../support/stores.ts';
import { catalogOf } from '../../support/types.ts';
import { createFolder, openFor } from './copies.ts';

const type = 'log.Note';
const sdl = `type Note @contentType(class: "${type}") { title: String @indexed @searchable, n: Int @indexed }`;
const idOf = (n: number) => `0190a0c0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const count = 50;
/** Malformed, and well-formed with another letter. */
const [malformed, altered] = [idOf(17), idOf(31)];

let location: StoreLocation;
let folder: ReturnType<typeof createFolder>;

beforeEach(async () => {
  location = sqliteLocation();
  folder = createFolder();
  const store = await openFor(location, catalogOf(sdl));
  await store.serve({ sources: [{ file: 'types.graphql', text: sdl }], folder: '/types', areShipped: false });
  for (let n = 0; n < count; n++) {
    const asset = { _id: idOf(n), _type: type, title: `word${n} and others`, n };
    await store.insert({ asset, version: `v${n}` });
  }
  await store.close();
  changeByte('"title":"word17 and', ':', ';');
  changeByte('"title":"word31 and', 'w', 'v');
});

/** Changes one byte of the document that has the text, also where a page has a former copy of it. */
function changeByte(text: string, from: string, to: string): void {
  const file = join(location.config.dataDir, 'colophon.db');
  const bytes = readFileSync(file);
  let found = 0;
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text)) {
    bytes.write(text.replace(from, to), at);
    found++;
  }
  expect(found).toBeGreaterThan(0);
  writeFileSync(file, bytes);
}

const run = (...words: string[]) => runCommand(words, environmentOf(location));
const named = (stderr: string) => [malformed, altered].filter((id) => stderr.includes(id));

describe('verify', () => {
  it('names both, and says what a repair cannot do', async () => {
    const { exitCode, stdout } = await run('verify', '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      isSound: false,
      checked: { assets: count },
      findings: expect.arrayContaining([
        expect.objectContaining({
          part: 'assets',
          message: 'the stored text is not as it was written',
          count: 2,
          ids: [malformed, altered],
        }),
      ]),
    });
    expect(await run('verify', '--repair')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('saves what is not damaged'),
    });
  });
});

describe('backup create', () => {
  it('saves what can be read, names both, and exits with 1; the restored store still has the mark of the altered one', async () => {
    const path = folder.path('rest.backup');
    const { exitCode, stdout, stderr } = await run('backup', 'create', path, '--json');
    expect([exitCode, named(stderr)]).toEqual([1, [malformed, altered]]);
    expect(JSON.parse(stdout)).toMatchObject({
      assets: count - 1,
      entries: count,
      damaged: {
        altered: [altered],
        assets: [malformed],
        otherAssets: 0,
        entries: [],
        entryCount: 0,
        parts: [],
      },
    });
    expect(await run('backup', 'restore', path, '--replace')).toMatchObject({ exitCode: 0 });
    const exported = await run('export', '--from', type);
    expect([exported.exitCode, named(exported.stderr)]).toEqual([1, [altered]]);
    expect(exported.stdout.trim().split('\n')).toHaveLength(count - 1);
    const verified = await run('verify', '--json');
    expect(JSON.parse(verified.stdout).findings).toContainEqual(
      expect.objectContaining({ message: 'the stored text is not as it was written', ids: [altered] }),
    );
  });
});

describe('export', () => {
  const ids = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)._id)
      .sort();
  const others = Array.from({ length: count }, (_, n) => idOf(n)).filter((id) => id !== malformed);

  it.each([
    ['in the order of the identifiers', []],
    ['sorted', ['--sort=-n']],
    ['with a condition that reads all', ['--where', 'title contains others']],
    ['sorted, with a condition that reads all', ['--where', 'title contains others', '--sort', 'n']],
  ])('writes what can be read %s, names both, and exits with 1', async (_name, options) => {
    const { exitCode, stdout, stderr } = await run('export', '--from', type, ...options);
    expect([exitCode, named(stderr)]).toEqual([1, [malformed, altered]]);
    expect(ids(stdout)).toEqual(others);
  });

  it('writes the file all the same', async () => {
    const path = folder.path('rest.jsonl');
    expect(await run('export', '--from', type, '--out', path)).toMatchObject({ exitCode: 1 });
    expect(existsSync(path) && ids(readFileSync(path, 'utf8'))).toEqual(others);
  });
});
