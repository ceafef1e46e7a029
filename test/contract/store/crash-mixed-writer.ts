/**
 * A process that sends mixed writes to few assets until it is killed: single ones, batches, atomic batches, and ones that fail.
 * It prints each acknowledged change.
 *
 * Started as `crash-mixed-writer.ts <file> <first number>`. Each line has the number of a change and the number of its asset.
 */
import { isDomainError } from '../../../src/base/errors.ts';
import { silentLogger } from '../../../src/base/runtime.ts';
import type { AssetWrite } from '../../../src/store/port.ts';
import { createSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import { assetOf, idOf, suiteCatalog } from './suite-content.ts';

const [file = '', first = '0'] = process.argv.slice(2);
const writersAtOnce = 16;
const assetsOfWriter = 8;
let next = Number(first);

const store = await createSqliteStore({ file, catalog: suiteCatalog('indexed'), logger: silentLogger });
await store.prepare();
await Promise.all(Array.from({ length: writersAtOnce }, (_, writer) => writeOn(writer)));

async function writeOn(writer: number): Promise<void> {
  for (;;) {
    const count = Math.random() < 0.7 ? 1 : 12;
    const writes = Array.from({ length: count }, () => randomWrite(writer));
    if (count === 1 && Math.random() < 0.5) await writeOne(writes[0]);
    else await writeSeveral(writes, Math.random() < 0.5);
    if (Math.random() < 0.02) await store.changes.trim({ beforeMs: 0, limit: 10 });
  }
}

function randomWrite(writer: number): AssetWrite {
  const change = next++;
  const n = 1 + writer * assetsOfWriter + Math.floor(Math.random() * assetsOfWriter);
  const fields = { name: `name ${change}`, tags: [`tag ${change % 7}`], body: 'text '.repeat(change % 300) };
  const kind = Math.random();
  if (kind < 0.3) return { kind: 'insert', asset: assetOf('Item', n, fields), version: `v-${change}` };
  const ref = { id: idOf(n), type: 'suite.Item' };
  if (kind < 0.4) return { kind: 'delete', ...ref, change: `v-${change}` };
  return {
    kind: 'patch',
    ...ref,
    set: { ...fields, count: change },
    unset: ['tags'],
    version: `v-${change}`,
  };
}

async function writeOne(write: AssetWrite | undefined): Promise<void> {
  try {
    if (write?.kind === 'insert') await store.insert(write);
    else if (write?.kind === 'patch' && (await store.patch(write)) === undefined) return;
    else if (write?.kind === 'delete' && !(await store.delete(write))) return;
    acknowledge(write);
  } catch (error) {
    if (!isDomainError(error, 'id_in_use')) throw error;
  }
}

async function writeSeveral(writes: readonly AssetWrite[], atomic: boolean): Promise<void> {
  const outcomes = await store.write(writes, { atomic });
  for (const [index, { kind }] of outcomes.entries()) if (kind === 'done') acknowledge(writes[index]);
}

function acknowledge(write: AssetWrite | undefined): void {
  const version = write && (write.kind === 'delete' ? write.change : write.version);
  process.stdout.write(`${version?.slice(2)} done\n`);
}
