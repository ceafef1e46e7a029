/**
 * Compares writes of a store with and without the change log, by processor time for each asset, and measures the bytes of the log.
 * Both stores are open in this process and take turns, so that drifts of the machine's speed affect both alike.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { randomIds, silentLogger } from '../../src/base/runtime.ts';
import { createCatalog } from '../../src/model/catalog.ts';
import type { Asset, Json } from '../../src/model/content-type.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { AssetWrite, ContentStore } from '../../src/store/port.ts';
import { loadTypes } from '../../src/types/load-types.ts';
import { readTypeSources, shippedTypesFolder } from '../../src/types/type-sources.ts';
import { article, articleType } from './articles.ts';
import { median } from './median.ts';

/** A store to measure. `ids` are those of its assets, by class name. */
interface Contender {
  readonly file: string;
  readonly store: ContentStore;
  readonly ids: Map<string, string[]>;
}

/** A kind of assets, and what an update of one sets. */
interface Subject {
  readonly name: string;
  readonly type: string;
  make(n: number, id: string): Asset;
  edit(n: number): Record<string, Json>;
}

/** A kind of write; `size` assets are written at once. */
interface Work {
  readonly name: string;
  readonly subject: Subject;
  readonly size: number;
  write(contender: Contender, n: number): AssetWrite;
}

const writesInRound = 4_000;
/** The first number of an asset that no round creates. */
const beyondRounds = 1_000 * writesInRound;
/** The number of single writes in progress at once, as requests of several clients. */
const concurrent = 32;
const origin = () => ({
  by: { kind: 'client', id: 'bench', name: 'Bench' } as const,
  atMs: Date.now(),
  requestId: randomIds.assetId(),
});

const textType = 'com.colophon.cms.db.Text';
const subjects: readonly Subject[] = [
  {
    name: 'article',
    type: articleType,
    make: article,
    edit: (n) => ({ headline: `Edited ${n}`, status: 'PUBLISHED', 'cms.content.updateDate': n }),
  },
  {
    name: 'text',
    type: textType,
    make: (n, id) => ({ _id: id, _type: textType, name: `Text ${n}` }),
    edit: (n) => ({ name: `Edited ${n}`, 'cms.content.updateDate': n }),
  },
];

const works: readonly Work[] = subjects.flatMap((subject) =>
  [1, 100].flatMap((size) => {
    const suffix = size === 1 ? '' : ` ${size}`;
    return [
      { name: `log: create ${subject.name}${suffix}`, subject, size, write: toCreate(subject) },
      { name: `log: update ${subject.name}${suffix}`, subject, size, write: toUpdate(subject) },
    ];
  }),
);

function toCreate({ type, make }: Subject): Work['write'] {
  return ({ ids }, n) => {
    const id = randomIds.assetId();
    const known = ids.get(type) ?? [];
    known[n % writesInRound] = id;
    ids.set(type, known);
    return { kind: 'insert', asset: make(n, id), version: randomIds.version() };
  };
}

function toUpdate({ type, edit }: Subject): Work['write'] {
  return ({ ids }, n) => {
    const id = ids.get(type)?.[n % writesInRound] ?? '';
    return { kind: 'patch', id, type, set: edit(n), unset: [], version: randomIds.version() };
  };
}

/** Prints a row for each kind of write: microseconds of processor time for an asset, with and without the log. */
export async function compareChangeLog({
  rounds,
  isChosen,
}: {
  rounds: number;
  isChosen: (row: { readonly name: string }) => boolean;
}): Promise<void> {
  const chosen = works.filter(isChosen);
  if (chosen.length === 0) return;
  const folder = mkdtempSync(join(tmpdir(), 'colophon-bench-'));
  const logged = await open(join(folder, 'logged'), { isLogged: true });
  const plain = await open(join(folder, 'plain'), { isLogged: false });
  try {
    console.log('µs of processor time      with the log     without          ratio  bytes of log');
    for (const work of chosen) {
      for (const contender of [logged, plain]) await createAssets(work.subject, contender);
      await compare(work, { logged, plain, rounds });
    }
  } finally {
    await Promise.all([logged.store.close(), plain.store.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Creates the assets that updates change, unless an earlier work has. */
async function createAssets(subject: Subject, contender: Contender): Promise<void> {
  if (contender.ids.has(subject.type)) return;
  const create = toCreate(subject);
  const writes = Array.from({ length: writesInRound }, (_, n) => create(contender, beyondRounds + n));
  const outcomes = await contender.store.write(writes);
  if (outcomes.some(({ kind }) => kind !== 'done')) throw new Error('an asset could not be created');
}

async function open(folder: string, { isLogged }: { isLogged: boolean }): Promise<Contender> {
  const { types, interfaces } = loadTypes(readTypeSources(shippedTypesFolder));
  const all = [...types.values(), ...interfaces.values()];
  const catalog = createCatalog(isLogged ? all : all.map((type) => ({ ...type, unlogged: 'all' as const })));
  const store = await openStore({ dataDir: folder, catalog, logger: silentLogger });
  await store.prepare();
  return { file: join(folder, 'colophon.db'), store, ids: new Map() };
}

interface Comparison {
  readonly logged: Contender;
  readonly plain: Contender;
  readonly rounds: number;
}

async function compare(work: Work, { logged, plain, rounds }: Comparison): Promise<void> {
  const times: { logged: number; plain: number }[] = [];
  const bytesBefore = bytesOfLog(logged);
  // The first round is a warm-up and does not count.
  for (let round = 0; round <= rounds; round++) {
    const first = round * writesInRound;
    const pair = { logged: 0, plain: 0 };
    for (const one of round % 2 === 0 ? (['logged', 'plain'] as const) : (['plain', 'logged'] as const)) {
      pair[one] = await measure(work, one === 'logged' ? logged : plain, first);
    }
    if (round > 0) times.push(pair);
  }
  const bytes = (bytesOfLog(logged) - bytesBefore) / (writesInRound * (rounds + 1));
  const [withLog, without] = [
    median(times.map((pair) => pair.logged)),
    median(times.map((pair) => pair.plain)),
  ];
  const ratio = median(times.map((pair) => pair.logged / pair.plain));
  const columns = [
    work.name.padEnd(24),
    withLog.toFixed(1).padEnd(15),
    without.toFixed(1).padEnd(15),
    ratio.toFixed(2).padEnd(5),
    bytes.toFixed(0),
  ];
  console.log(columns.join('  '));
}

/** Writes a round; returns the microseconds of processor time for each asset, of all threads. */
async function measure({ size, write }: Work, contender: Contender, first: number): Promise<number> {
  const { store } = contender;
  const writes = Array.from({ length: writesInRound }, (_, n) => write(contender, first + n));
  const before = process.cpuUsage();
  if (size === 1) await writeSingly(store, writes);
  else {
    for (let n = 0; n < writes.length; n += size) {
      const outcomes = await store.write(writes.slice(n, n + size), { origin: origin() });
      if (outcomes.some(({ kind }) => kind !== 'done')) throw new Error('a write of a batch failed');
    }
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / writesInRound;
}

async function writeSingly(store: ContentStore, writes: readonly AssetWrite[]): Promise<void> {
  const left = writes.values();
  const work = async () => {
    for (const one of left) {
      if (one.kind === 'insert') await store.insert(one, origin());
      if (one.kind === 'patch') await store.patch(one, origin());
    }
  };
  await Promise.all(Array.from({ length: concurrent }, work));
}

/** The size of the tables and indexes of the change log. */
function bytesOfLog({ file }: Contender): number {
  const database = new DatabaseSync(file, { readOnly: true });
  const row = database.prepare("SELECT sum(pgsize) AS bytes FROM dbstat WHERE name LIKE 'change%'").get();
  database.close();
  return Number(row?.bytes);
}
