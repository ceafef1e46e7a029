/**
 * A process that writes through a store until it is killed. It prints each write that the store has acknowledged.
 *
 * Started as `crash-writer.ts <file> <first number> [early]`. Each line names the number of an asset and the last write to it. With
 * `early` it writes while its indexes are being filled.
 */
import { silentLogger } from '../../../src/base/runtime.ts';
import { createSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import { assetOf, idOf, suiteCatalog } from './suite-content.ts';

const [file = '', first = '0', early] = process.argv.slice(2);
const writersAtOnce = 24;
let next = Number(first);

const store = await createSqliteStore({ file, catalog: suiteCatalog('indexed'), logger: silentLogger });
const prepared = store.prepare();
if (!early) await prepared;
const acknowledge = (n: number, done: string) => process.stdout.write(`${n} ${done}\n`);
await Promise.all(Array.from({ length: writersAtOnce }, () => writeOn()));

async function writeOn(): Promise<void> {
  for (;;) {
    const n = next++;
    const fields = { name: `name ${n}`, tags: [`tag ${n % 7}`, `own ${n}`], body: 'text '.repeat(n % 500) };
    await store.insert({ asset: assetOf('Item', n, fields), version: 'inserted' });
    acknowledge(n, 'inserted');
    const ref = { id: idOf(n), type: 'suite.Item' };
    if (n % 3 === 0) {
      await store.patch({
        ...ref,
        set: { tags: ['patched'], count: n },
        unset: ['name'],
        version: 'patched',
      });
      acknowledge(n, 'patched');
    } else if (n % 3 === 1) {
      await store.delete(ref);
      acknowledge(n, 'deleted');
    }
  }
}
