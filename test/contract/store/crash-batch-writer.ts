/**
 * A process that writes batches of assets through a store until it is killed. It prints the number of each batch that the store
 * has acknowledged. Batches with even numbers are atomic.
 *
 * Started as `crash-batch-writer.ts <file> <first number>`; batch `n` writes the 100 assets from number `100 * n`.
 */
import { silentLogger } from '../../../src/base/runtime.ts';
import type { AssetWrite } from '../../../src/store/port.ts';
import { createSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import { assetOf, idOf, suiteCatalog } from './suite-content.ts';

const [file = '', first = '0'] = process.argv.slice(2);
const writersAtOnce = 3;
let next = Number(first);

const store = await createSqliteStore({ file, catalog: suiteCatalog('indexed'), logger: silentLogger });
await store.prepare();
await Promise.all(Array.from({ length: writersAtOnce }, () => writeOn()));

async function writeOn(): Promise<void> {
  for (;;) {
    const batch = next++;
    const outcomes = await store.write(
      Array.from({ length: 100 }, (_, n) => writeOf(100 * batch + n)).flat(),
      {
        atomic: batch % 2 === 0,
      },
    );
    if (outcomes.every(({ kind }) => kind === 'done')) process.stdout.write(`${batch}\n`);
  }
}

/** Inserts an asset and then changes it. */
function writeOf(n: number): AssetWrite[] {
  const fields = { name: `name ${n}`, tags: [`tag ${n % 7}`], body: 'text '.repeat(n % 100) };
  return [
    { kind: 'insert', asset: assetOf('Item', n, fields), version: 'inserted' },
    { kind: 'patch', id: idOf(n), type: 'suite.Item', set: { count: n }, unset: [], version: 'patched' },
  ];
}
