/**
 * `node test/bench/changes.ts [writes]`: what the change log costs on SQLite. Creates and updates the same assets in a store that
 * logs their types and in one that does not, in turns, and prints processor time and bytes of log for each write.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { randomIds, silentLogger } from '../../src/base/runtime.ts';
import { createCatalog } from '../../src/model/catalog.ts';
import type { Asset, Catalog, Json } from '../../src/model/content-type.ts';
import { loadTypes } from '../../src/model/load-types.ts';
import { readTypeSources, shippedTypesFolder } from '../../src/model/types/type-sources.ts';
import type { AssetWrite, ContentStore } from '../../src/store/port.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { article } from './articles.ts';

const writes = Number(process.argv[2] ?? 2_000);
const rounds = 6;
const folder = mkdtempSync(join(tmpdir(), 'colophon-changes-'));
const catalog = loadTypes(readTypeSources(shippedTypesFolder));
const origin = () => ({
  by: { kind: 'client', id: 'bench', name: 'Bench' } as const,
  atMs: Date.now(),
  requestId: randomIds.assetId(),
});

/** Two kinds of assets, and what an update of each sets. */
const subjects: Record<string, { make(n: number): Asset; edit(n: number): Record<string, Json> }> = {
  'article of 1 KB': {
    make: (n) => article(n, randomIds.assetId()),
    edit: (n) => ({ headline: `Edited ${n}`, status: 'PUBLISHED', 'cms.content.updateDate': Date.now() }),
  },
  'small text': {
    make: (n) => ({ _id: randomIds.assetId(), _type: 'com.colophon.cms.db.Text', name: `Text ${n}` }),
    edit: (n) => ({ name: `Edited ${n}`, 'cms.content.updateDate': Date.now() }),
  },
};

function withoutLog({ types, interfaces }: Catalog): Catalog {
  const unlogged = [...types.values()].map((type) => ({ ...type, unlogged: 'all' as const }));
  return createCatalog([...unlogged, ...interfaces.values()]);
}

async function openStore(name: string, types: Catalog) {
  const file = join(folder, `${name}.db`);
  const store = await createSqliteStore({ file, catalog: types, logger: silentLogger });
  await store.prepare();
  return { store, file };
}

/** Runs work and returns the processor time of all threads, in microseconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function writeSingly(store: ContentStore, all: readonly AssetWrite[]): Promise<void> {
  const waiting = all.values();
  const writer = async () => {
    for (const write of waiting) {
      if (write.kind === 'insert') await store.insert(write, origin());
      else if (write.kind === 'patch') await store.patch(write, origin());
    }
  };
  await Promise.all(Array.from({ length: 32 }, writer));
}

async function writeInBatches(store: ContentStore, all: readonly AssetWrite[]): Promise<void> {
  for (let n = 0; n < all.length; n += 100) {
    await store.write(all.slice(n, n + 100), { origin: origin() });
  }
}

const bytesOfLog = (file: string) => {
  const database = new DatabaseSync(file, { readOnly: true });
  const row = database.prepare("SELECT sum(pgsize) AS bytes FROM dbstat WHERE name LIKE 'change%'").get();
  database.close();
  return Number(row?.bytes);
};

const stores = [
  await openStore('logged', catalog),
  await openStore('unlogged', withoutLog(catalog)),
] as const;
for (const [subject, { make, edit }] of Object.entries(subjects)) {
  for (const [way, write] of [
    ['single', writeSingly],
    ['batches of 100', writeInBatches],
  ] as const) {
    const total = { create: [0, 0], update: [0, 0] };
    const bytes = { create: 0, update: 0 };
    for (let round = 0; round < rounds; round++) {
      const assets = Array.from({ length: writes }, (_, n) => make(round * writes + n));
      const work: Record<'create' | 'update', readonly AssetWrite[]> = {
        create: assets.map((asset) => ({ kind: 'insert', asset, version: randomIds.version() })),
        update: assets.map(({ _id, _type }, n) => ({
          kind: 'patch',
          id: _id,
          type: _type,
          set: edit(n),
          unset: [],
          version: randomIds.version(),
        })),
      };
      for (const kind of ['create', 'update'] as const) {
        const before = bytesOfLog(stores[0].file);
        const order = round % 2 === 0 ? [0, 1] : [1, 0];
        for (const index of order) {
          const { store } = stores[index === 0 ? 0 : 1];
          const spent = await timed(() => write(store, work[kind]));
          // The first round warms up.
          if (round > 0) total[kind][index] = (total[kind][index] ?? 0) + spent;
        }
        bytes[kind] += bytesOfLog(stores[0].file) - before;
      }
    }
    for (const kind of ['create', 'update'] as const) {
      const [logged = 0, plain = 0] = total[kind].map((spent) => spent / writes / (rounds - 1));
      const more = Math.round((logged / plain - 1) * 100);
      const each = Math.round(bytes[kind] / writes / rounds);
      console.log(
        `${subject}, ${kind}, ${way}: ${logged.toFixed(1)} µs with the log, ${plain.toFixed(1)} µs without, ` +
          `${more} % more; ${each} bytes of log`,
      );
    }
  }
}
await Promise.all(stores.map(({ store }) => store.close()));
rmSync(folder, { recursive: true });
