/**
 * `node test/bench/releases.ts`: what a release of 1,000 drafts among 5,000 articles costs on SQLite, as ratios to the same work on live
 * content: its publication to a batch of as many updates, and reads in it to live reads.
 *
 * BENCH_ROUNDS sets the number of rounds (7), and words after the command choose rows by a part of their names.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { loadSystemTypes, storedCatalog } from '../../src/access/system-types.ts';
import { randomIds, silentLogger, systemClock } from '../../src/base/runtime.ts';
import { createContentService } from '../../src/content/content-service.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { ContentStore } from '../../src/store/port.ts';
import { loadTypes } from '../../src/types/load-types.ts';
import { readTypeSources, shippedTypesFolder } from '../../src/types/type-sources.ts';
import { articleType, idOf } from './articles.ts';
import { fillStore } from './fill-store.ts';
import { median } from './median.ts';
import { startColophon } from './servers/colophon.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 7);
const chosen = process.argv.slice(2);
const articles = 5_000;
const drafts = 1_000;
const everyone = {};

const catalog = loadTypes(readTypeSources(shippedTypesFolder));
const folder = mkdtempSync(join(tmpdir(), 'colophon-bench-'));
await fillStore(folder, articles);
const opened = await openStore({
  dataDir: folder,
  catalog: storedCatalog(loadSystemTypes(), catalog),
  logger: silentLogger,
});
await opened.prepare();

/** What the writes of the last measured work have cost: the time and the processor time of all calls. */
let atomic = { ms: 0, cpuMs: 0 };
const store: ContentStore = {
  ...opened,
  async write(writes, options) {
    const [startMs, before] = [performance.now(), process.cpuUsage()];
    const outcomes = await opened.write(writes, options);
    const { user, system } = process.cpuUsage(before);
    atomic = { ms: atomic.ms + performance.now() - startMs, cpuMs: atomic.cpuMs + (user + system) / 1_000 };
    return outcomes;
  },
};
const content = createContentService({
  catalog,
  store,
  clock: systemClock,
  ids: randomIds,
  rules: { siteOwnerRequired: false, referencesChecked: true },
  runs: { assertMayWrite: async () => {}, assertCouldWrite: async () => {} },
});

let edits = 0;
/** Updates of different articles, spread over all. */
const updates = (count: number) => {
  edits++;
  return Array.from({ length: count }, (_, n) => ({
    action: 'update' as const,
    by: '_id',
    asset: {
      _type: articleType,
      _id: idOf('01', n * Math.floor(articles / count)),
      headline: `Edited ${edits} ${n}`,
    },
  }));
};
const batch = (to: Pick<typeof content, 'batch'>, count: number, atomic = true) =>
  to.batch({ operations: updates(count), atomic, references: 'checked', updateDates: undefined }, everyone);

const print = (name: string, values: readonly (string | number)[]) =>
  console.log([name.padEnd(44), ...values].join('  '));
const isChosen = (name: string) => chosen.length === 0 || chosen.some((word) => name.includes(word));

interface Measured {
  readonly ms: number;
  readonly cpuMs: number;
  /** Of the writes alone. */
  readonly atomicMs: number;
  readonly atomicCpuMs: number;
  /** The longest that another write has waited. */
  readonly waitMs: number;
}

async function measure(work: () => Promise<unknown>, withProbe: boolean): Promise<Measured> {
  let isDone = false;
  let waitMs = 0;
  const probe = async () => {
    for (let n = 0; !isDone; n++) {
      const startMs = performance.now();
      await opened.patch({
        id: idOf('03', n % 20),
        type: 'com.example.news.Section',
        set: { order: n },
        unset: [],
        version: randomIds.version(),
      });
      waitMs = Math.max(waitMs, performance.now() - startMs);
      await setTimeout(2);
    }
  };
  atomic = { ms: 0, cpuMs: 0 };
  const probing = withProbe ? probe() : undefined;
  const [startMs, before] = [performance.now(), process.cpuUsage()];
  await work();
  const ms = performance.now() - startMs;
  const { user, system } = process.cpuUsage(before);
  isDone = true;
  await probing;
  return { ms, cpuMs: (user + system) / 1_000, atomicMs: atomic.ms, atomicCpuMs: atomic.cpuMs, waitMs };
}

const ofKey = (all: readonly Measured[], key: keyof Measured) => median(all.map((one) => one[key]));

async function comparePublication(): Promise<void> {
  for (const withProbe of [false, true]) {
    const live: Measured[] = [];
    const published: Measured[] = [];
    for (let round = 0; round <= rounds; round++) {
      const name = `release-${randomIds.version()}`;
      await content.releases.create({ name });
      const release = content.inRelease(name, everyone);
      await batch(release, drafts);
      const one = await measure(() => batch(content, drafts), withProbe);
      // The drafts begin with what is live, so that nothing conflicts.
      const other = `release-${randomIds.version()}`;
      await content.releases.create({ name: other });
      await batch(content.inRelease(other, everyone), drafts);
      const two = await measure(() => content.releases.publish({ release: other }), withProbe);
      if (round === 0) continue;
      live.push(one);
      published.push(two);
    }
    const label = withProbe ? 'publication beside other writes' : 'publication';
    const keys = withProbe
      ? (['ms', 'atomicMs', 'waitMs'] as const)
      : (['ms', 'cpuMs', 'atomicMs', 'atomicCpuMs'] as const);
    for (const key of keys) {
      const [a, b] = [ofKey(published, key), ofKey(live, key)];
      const ratio = median(published.map((one, n) => one[key] / (live[n]?.[key] ?? Number.NaN)));
      print(`${label}: ${key}`, [a.toFixed(1), b.toFixed(1), ratio.toFixed(2)]);
    }
  }
}

/** Returns a function that reads a page over HTTP, live or in a release. */
async function createPageReader() {
  const { url, headers } = await startColophon(folder, { isFurther: true });
  return async (query: Readonly<Record<string, string>>, release?: string): Promise<void> => {
    const params = new URLSearchParams({
      from: articleType,
      limit: '20',
      ...query,
      ...(release && { release }),
    });
    const response = await fetch(`${url}/api/rest/cma/contents?${params}`, { headers: { ...headers } });
    const body = await response.text();
    if (response.status !== 200) throw new Error(body);
  };
}

interface ReadRow {
  readonly name: string;
  readonly query: Readonly<Record<string, string>>;
  /** Absent means the one with drafts of articles. */
  readonly release?: string;
  /** Is done before each page. */
  readonly afterWrite?: () => Promise<unknown>;
}

/** The release that has drafts of authors, to which articles refer. */
const targets = 'targets';

async function compareReads(): Promise<void> {
  const name = 'reads';
  await content.releases.create({ name });
  const release = content.inRelease(name, everyone);
  await batch(release, drafts);
  await content.releases.create({ name: targets });
  const operations = Array.from({ length: drafts }, (_, n) => ({
    action: 'update' as const,
    by: '_id',
    asset: { _type: 'com.example.news.Author', _id: idOf('02', n * 5), email: `author-${n}@example.com` },
  }));
  await content
    .inRelease(targets, everyone)
    .batch({ operations, atomic: true, references: 'checked' }, everyone);
  const readPage = await createPageReader();
  const sort = 'headline';
  const ofSection = "section/slug = 'section-3'";
  const afterWrite = () => batch(content, 1);
  const rows: readonly ReadRow[] = [
    { name: 'page by _id', query: {} },
    { name: 'sorted page', query: { sort } },
    { name: 'sorted page with count', query: { sort, count: 'true' } },
    { name: 'filtered, sorted page', query: { where: "status = 'DRAFT'", sort } },
    { name: 'path through a reference', query: { where: ofSection } },
    { name: 'sorted path through a reference', query: { where: "author/name = 'Author 3'", sort } },
    { name: 'path to drafted targets', query: { where: "author/name = 'Author 5'" }, release: targets },
    {
      name: 'path to many drafted targets',
      query: { where: "author/name >= 'Author 1' and status = 'DRAFT'" },
      release: targets,
    },
    { name: 'first sorted page after a live write', query: { sort }, afterWrite },
    { name: 'first path after a live write', query: { where: ofSection }, afterWrite },
  ];
  for (const row of rows.filter(({ name }) => isChosen(name))) {
    const times: Record<'live' | 'release', { ms: number; cpuMs: number }[]> = { live: [], release: [] };
    const repeats = row.afterWrite ? 1 : 10;
    for (let round = 0; round <= rounds * 3; round++) {
      for (const which of round % 2 === 0 ? (['live', 'release'] as const) : (['release', 'live'] as const)) {
        await row.afterWrite?.();
        const { ms, cpuMs } = await measure(async () => {
          for (let n = 0; n < repeats; n++)
            await readPage(row.query, which === 'live' ? undefined : (row.release ?? name));
        }, false);
        if (round > 2) times[which].push({ ms: ms / repeats, cpuMs: cpuMs / repeats });
      }
    }
    const cells = (['ms', 'cpuMs'] as const).flatMap((key) => {
      const [a, b] = [
        median(times.release.map((one) => one[key])),
        median(times.live.map((one) => one[key])),
      ];
      return [a.toFixed(2), b.toFixed(2), (a / b).toFixed(2)];
    });
    print(row.name, cells);
  }
}

try {
  console.log('release, live, ratio');
  if (isChosen('publication')) await comparePublication();
  await compareReads();
} catch (error) {
  console.error(error);
} finally {
  await opened.close();
  rmSync(folder, { recursive: true, force: true });
  // The server of the reads is still open.
  process.exit();
}
