/** A process killed while it writes to a SQLite file: no acknowledged write is lost and the file stays sound. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { idOf } from './suite-content.ts';

const rounds = 20;
const writer = fileURLToPath(new URL('./crash-writer.ts', import.meta.url));
const severalWriter = fileURLToPath(new URL('./crash-several-writer.ts', import.meta.url));
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'colophon-crash-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test(`${rounds} kills under writes lose nothing that was acknowledged`, { timeout: 300_000 }, async () => {
  const file = join(folder, 'content.db');
  const acknowledged = new Map<number, string>();
  for (let round = 0; round < rounds; round++) {
    const before = acknowledged.size;
    await writeUntilKilled({ entry: writer, file, first: (round + 1) * 1_000_000, acknowledged });
    expect(acknowledged.size).toBeGreaterThan(before);
    expect(findLosses(file, acknowledged)).toEqual({
      integrity: 'ok',
      lost: [],
      miscounted: [],
      misindexed: [],
    });
  }
});

test('kills under several writes at a time leave each lot whole or not at all', {
  timeout: 300_000,
}, async () => {
  const file = join(folder, 'several.db');
  const acknowledged = new Map<number, string>();
  for (let round = 0; round < rounds / 2; round++) {
    const entry = severalWriter;
    await writeUntilKilled({ entry, file, first: (round + 1) * 10_000, acknowledged });
    const lots = countLots(file);
    expect([...lots.values()].filter((count) => count !== 100)).toEqual([]);
    expect([...acknowledged.keys()].filter((lot) => !lots.has(lot))).toEqual([]);
    expect(findLosses(file, new Map())).toEqual({
      integrity: 'ok',
      lost: [],
      miscounted: [],
      misindexed: [],
    });
  }
});

/** How many assets of each lot have been made and changed; one that was made alone counts for none. */
function countLots(file: string): ReadonlyMap<number, number> {
  const database = new DatabaseSync(file);
  const rows = database.prepare('SELECT id, version FROM assets').all();
  database.close();
  const lots = Map.groupBy(rows, ({ id }) => Math.floor(Number.parseInt(String(id).slice(-12), 16) / 100));
  return new Map(
    [...lots].map(([lot, items]) => [lot, items.filter(({ version }) => version === 'patched').length]),
  );
}

/** Lets a writer write, kills it at a random moment, and notes what it had told by then. */
async function writeUntilKilled({
  entry,
  file,
  first,
  acknowledged,
}: {
  entry: string;
  file: string;
  first: number;
  acknowledged: Map<number, string>;
}): Promise<void> {
  const child = spawn(process.execPath, [entry, file, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<NodeJS.Signals | null>((resolve) => {
    child.once('exit', (_, signal) => resolve(signal));
  });
  let isKilled = false;
  for await (const line of createInterface({ input: child.stdout })) {
    const [n = '', done = ''] = line.split(' ');
    acknowledged.set(Number(n), done);
    if (isKilled) continue;
    isKilled = true;
    void sleep(Math.random() * 150).then(() => child.kill('SIGKILL'));
  }
  expect(await exited).toBe('SIGKILL');
}

/** What the file holds, against what was acknowledged: a later write may have been stored, an earlier state may not stand. */
function findLosses(file: string, acknowledged: ReadonlyMap<number, string>) {
  const database = new DatabaseSync(file);
  try {
    const stored = new Map(
      database
        .prepare('SELECT id, version FROM assets')
        .all()
        .map((row) => [String(row.id), String(row.version)]),
    );
    const isKept = ([n, done]: readonly [number, string]) => {
      const version = stored.get(idOf(n));
      switch (done) {
        case 'inserted':
          return n % 3 === 1 || version === 'inserted' || version === 'patched';
        case 'patched':
          return version === 'patched';
        default:
          return version === undefined;
      }
    };
    return {
      integrity: database.prepare('PRAGMA integrity_check').get()?.integrity_check,
      lost: [...acknowledged].filter((entry) => !isKept(entry)),
      miscounted: database
        .prepare('SELECT class FROM types WHERE total <> (SELECT count(*) FROM assets WHERE type = number)')
        .all(),
      misindexed: findMisindexed(database),
    };
  } finally {
    database.close();
  }
}

/** Rows of the table kept for `tags` that no document accounts for, and the other way round. */
function findMisindexed(database: DatabaseSync): unknown[] {
  const [{ name = '' } = {}] = database
    .prepare(`SELECT name FROM field_indexes WHERE field = 'tags' AND class = 'suite.Item'`)
    .all();
  const kept = `SELECT value, key FROM ${name}`;
  const meant = `SELECT item.value, assets.key FROM assets, json_each(document, '$.tags') AS item`;
  return [`${kept} EXCEPT ${meant}`, `${meant} EXCEPT ${kept}`].flatMap((sql) => database.prepare(sql).all());
}
