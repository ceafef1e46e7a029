/**
 * A process that writes through a store on MongoDB, and prints the version of each write that the store has acknowledged.
 *
 * Started as `log-writer.ts <URL> <name> <number of writes>`. A write whose outcome is unknown is printed with a question mark.
 */
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { isDomainError } from '../../../../../src/base/errors.ts';
import { silentLogger } from '../../../../../src/base/runtime.ts';
import { createMongoStore } from '../../../../../src/store/mongo/mongo-store.ts';
import { drillCatalog, noteType } from './log-content.ts';

const [url = '', name = '', count = '0'] = process.argv.slice(2);
const writersAtOnce = 4;
let left = Number(count);
const store = await createMongoStore({ url, catalog: drillCatalog(), logger: silentLogger });
await Promise.all(Array.from({ length: writersAtOnce }, () => writeOn()));
await store.close();

/** Creates assets and changes each twice; writes that fail are not repeated. */
async function writeOn(): Promise<void> {
  for (let step = 0, id = randomUUID(); left > 0; step++) {
    left--;
    if (step % 3 === 0) id = randomUUID();
    const version = `${name}-${randomUUID()}`;
    try {
      if (step % 3 === 0) {
        await store.insert({ asset: { _id: id, _type: noteType, text: name, count: 0 }, version });
      } else {
        const patched = await store.patch({ id, type: noteType, set: { count: step }, unset: [], version });
        if (!patched) continue;
      }
      writeSync(1, `${version}\n`);
    } catch (error) {
      if (!isDomainError(error, 'store_busy')) throw error;
      writeSync(1, `${version}?\n`);
    }
  }
}
