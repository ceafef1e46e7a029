/** A process that follows the change log of a store on MongoDB, and prints `seq` and version of each entry. Argument: URL. */
import { writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { silentLogger } from '../../../../../src/base/runtime.ts';
import { createMongoStore } from '../../../../../src/store/mongo/mongo-store.ts';
import { drillCatalog } from './log-content.ts';

const [url = ''] = process.argv.slice(2);
const store = await createMongoStore({ url, catalog: drillCatalog(), logger: silentLogger });
for (let from = 0; ; ) {
  const { entries } = await store.changes.read({ order: 'oldest first', from, limit: 100 });
  for (const { seq, id } of entries) writeSync(1, `${seq} ${id}\n`);
  from = entries.at(-1)?.seq ?? from;
  if (entries.length === 0) await setTimeout(5);
}
