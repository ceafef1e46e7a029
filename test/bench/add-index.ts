/**
 * `node test/bench/add-index.ts <folder>`: adds the index of `eventDate`, whose values are spread, to a store of `fill-store.ts`, and
 * measures how long writes wait meanwhile: one client changes another article as soon as its last change is answered.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { loadSystemTypes, storedCatalog } from '../../src/access/system-types.ts';
import { silentLogger } from '../../src/base/runtime.ts';
import { openStore } from '../../src/store/open-store.ts';
import { fillStep } from '../../src/store/sqlite/indexes/index-filling.ts';
import { dropIndexes } from '../../src/store/sqlite/indexes/stored-indexes.ts';
import { loadTypes } from '../../src/types/load-types.ts';
import { readTypeSources, shippedTypesFolder } from '../../src/types/type-sources.ts';
import { articleType, idOf } from './articles.ts';

const [dataDir = ''] = process.argv.slice(2);
const database = new DatabaseSync(join(dataDir, 'colophon.db'));
const dropped = database.prepare("SELECT name FROM field_indexes WHERE field = 'eventDate' AND class = ?");
const { name } = dropped.get(articleType) ?? {};
dropIndexes(database, (other) => other !== name);
while (!fillStep(database).done);
database.close();

const catalog = storedCatalog(loadSystemTypes(), loadTypes(readTypeSources(shippedTypesFolder)));
const store = await openStore({ dataDir, catalog, logger: silentLogger });
const articles =
  (await store.find({ types: [articleType], offset: 0, limit: 0, withCount: true })).count ?? 0;

/** Changes articles until `work` is done; returns how long each change took, in order. */
async function writeDuring(work: Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  for (let n = 1; !isDone; n = (n * 7_919) % articles) {
    const startMs = performance.now();
    const id = idOf('01', n);
    await store.patch({ id, type: articleType, set: { score: n }, unset: [], version: `v${n}` });
    took.push(performance.now() - startMs);
  }
  await ended;
  return took.toSorted((a, b) => a - b);
}

const at = (took: readonly number[], part: number) =>
  `${(took[Math.floor((took.length - 1) * part)] ?? 0).toFixed(1)} ms`;
const startMs = performance.now();
const took = await writeDuring(store.prepare());
const seconds = ((performance.now() - startMs) / 1_000).toFixed(1);
console.log(
  `${articles} articles: ${seconds} s, ${took.length} writes, median ${at(took, 0.5)}, longest ${at(took, 1)}`,
);
await store.close();
