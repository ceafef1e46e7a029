/**
 * Kills processes that write to a SQLite file: no acknowledged write may be lost, the file must stay intact, and the change log
 * must agree with the assets, entry by entry.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { silentLogger } from '../../../src/base/runtime.ts';
import { createFindings } from '../../../src/store/inspection/findings.ts';
import { dropIndexes } from '../../../src/store/sqlite/indexes/stored-indexes.ts';
import { createSqliteInspection } from '../../../src/store/sqlite/inspection/inspect-file.ts';
import { createSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import { findDisagreements } from '../../support/log-agreement.ts';
import { temporaryFolder } from '../../support/opened.ts';
import { roundsOf } from '../../support/rounds.ts';
import { assetOf, idOf, suiteCatalog } from './suite-content.ts';

const rounds = roundsOf({ usual: 8, long: 20 });
const fillRounds = roundsOf({ usual: 1, long: 20 });
const mixedRounds = roundsOf({ usual: 6, long: 50 });
const writer = fileURLToPath(new URL('./crash-writer.ts', import.meta.url));
const mixedWriter = fileURLToPath(new URL('./crash-mixed-writer.ts', import.meta.url));
const batchWriter = fileURLToPath(new URL('./crash-batch-writer.ts', import.meta.url));
const folder = temporaryFolder();

test(`${rounds} kills during writes lose no acknowledged write`, { timeout: 300_000 }, async () => {
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
      disagreeing: [],
    });
  }
});

test('kills during batches leave each batch complete or absent', {
  timeout: 300_000,
}, async () => {
  const file = join(folder, 'batches.db');
  const acknowledged = new Map<number, string>();
  for (let round = 0; round < rounds / 2; round++) {
    const entry = batchWriter;
    await writeUntilKilled({ entry, file, first: (round + 1) * 10_000, acknowledged });
    const batches = countBatches(file);
    expect([...batches.values()].filter((count) => count !== 100)).toEqual([]);
    expect([...acknowledged.keys()].filter((batch) => !batches.has(batch))).toEqual([]);
    expect(findLosses(file, new Map())).toEqual({
      integrity: 'ok',
      lost: [],
      miscounted: [],
      misindexed: [],
      disagreeing: [],
    });
  }
});

test(`${fillRounds} kills while indexes are filled lose nothing, and the next process completes them`, {
  timeout: 900_000,
}, async () => {
  const file = join(folder, 'filled.db');
  const catalog = suiteCatalog('indexed');
  const open = () => createSqliteStore({ file, catalog, logger: silentLogger });
  const store = await open();
  await store.prepare();
  const words = 'text '.repeat(500);
  for (let n = 0; n < 12_000; n += 1_000) {
    const assets = Array.from({ length: 1_000 }, (_, more) =>
      assetOf('Item', n + more, { name: words, tags: [`tag ${more}`] }),
    );
    await store.write(assets.map((asset) => ({ kind: 'insert', asset, version: 'inserted' })));
  }
  await store.close();
  for (let round = 0; round < fillRounds; round++) {
    const database = new DatabaseSync(file);
    dropIndexes(database, () => false);
    database.close();
    const acknowledged = new Map<number, string>();
    await writeUntilKilled({
      entry: writer,
      file,
      first: (round + 1) * 1_000_000,
      early: true,
      acknowledged,
    });
    const next = await open();
    await next.prepare();
    expect(await next.findIncompleteIndexes()).toEqual([]);
    await next.close();
    expect(findLosses(file, acknowledged)).toEqual({
      integrity: 'ok',
      lost: [],
      miscounted: [],
      misindexed: [],
      disagreeing: [],
    });
    const findings = createFindings();
    await createSqliteInspection(file, catalog).check(findings, () => {});
    expect(findings.list().filter(({ isFault }) => isFault)).toEqual([]);
  }
});

test(`${mixedRounds} kills during mixed writes leave an entry for each acknowledged change, and none without its change`, async () => {
  const file = join(folder, 'mixed.db');
  for (let round = 0; round < mixedRounds; round++) {
    const acknowledged = new Map<number, string>();
    await writeUntilKilled({ entry: mixedWriter, file, first: (round + 1) * 1_000_000, acknowledged });
    expect(acknowledged.size).toBeGreaterThan(0);
    const database = new DatabaseSync(file);
    try {
      const logged = new Set(
        database
          .prepare('SELECT id FROM changes')
          .all()
          .map(({ id }) => id),
      );
      expect([...acknowledged.keys()].filter((change) => !logged.has(`v-${change}`))).toEqual([]);
      expect(findDisagreements(database)).toEqual([]);
      expect(database.prepare('PRAGMA integrity_check').get()?.integrity_check).toBe('ok');
    } finally {
      database.close();
    }
  }
});

/** Counts, for each batch, the assets that were both inserted and changed. */
function countBatches(file: string): ReadonlyMap<number, number> {
  const database = new DatabaseSync(file);
  const rows = database.prepare('SELECT id, version FROM assets').all();
  database.close();
  const batches = Map.groupBy(rows, ({ id }) => Math.floor(Number.parseInt(String(id).slice(-12), 16) / 100));
  return new Map(
    [...batches].map(([batch, items]) => [
      batch,
      items.filter(({ version }) => version === 'patched').length,
    ]),
  );
}

/** Runs a writer, kills it at a random moment, and records the writes that it had acknowledged. */
async function writeUntilKilled({
  entry,
  file,
  first,
  early = false,
  acknowledged,
}: {
  entry: string;
  file: string;
  first: number;
  /** Whether it writes while its indexes are being filled. */
  early?: boolean;
  acknowledged: Map<number, string>;
}): Promise<void> {
  const child = spawn(process.execPath, [entry, file, String(first), ...(early ? ['early'] : [])], {
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

/** Finds acknowledged writes that the file lost. A state later than the acknowledged one is allowed, an earlier one is not. */
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
      disagreeing: findDisagreements(database),
    };
  } finally {
    database.close();
  }
}

/** Finds rows in the index table of `tags` without a matching document, and documents without their row. */
function findMisindexed(database: DatabaseSync): unknown[] {
  const [{ name = '' } = {}] = database
    .prepare(`SELECT name FROM field_indexes WHERE field = 'tags' AND class = 'suite.Item'`)
    .all();
  const kept = `SELECT value, key FROM ${name}`;
  const meant = `SELECT item.value, assets.key FROM assets, json_each(document, '$.tags') AS item`;
  return [`${kept} EXCEPT ${meant}`, `${meant} EXCEPT ${kept}`].flatMap((sql) => database.prepare(sql).all());
}
