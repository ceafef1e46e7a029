/**
 * A process that writes to a store, and sends the `id`s of all changes to its parent when they are done.
 *
 * Started as `log-writer.ts <data folder> <number of the writer> <writes>`.
 */
import { randomIds, silentLogger } from '../../src/base/runtime.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { AssetWrite } from '../../src/store/port.ts';
import { catalogOf } from '../support/types.ts';

const [dataDir = '', writer = '0', count = '0'] = process.argv.slice(2);
const type = 'log.Note';
const catalog = catalogOf(`type Note @contentType(class: "${type}") { title: String @indexed }`);
const atOnce = 12;
const batchSize = 10;

const store = await openStore({ dataDir, catalog, logger: silentLogger });
await store.prepare();
const origin = () => ({ by: { kind: 'client', id: writer } as const, atMs: Date.now() });
const changes: string[] = [];
await Promise.all(Array.from({ length: atOnce }, writeOn));
await store.close();
process.send?.(changes);

async function writeOn(): Promise<void> {
  while (changes.length < Number(count)) {
    const id = randomIds.assetId();
    await store.insert({ asset: { _id: id, _type: type, title: writer }, version: mark() }, origin());
    await store.patch({ id, type, set: { title: 'new' }, unset: [], version: mark() }, origin());
    await store.write(Array.from({ length: batchSize }, newInsert), { origin: origin(), atomic: true });
    await store.delete({ id, type, change: mark() }, origin());
  }
}

function newInsert(): AssetWrite {
  return { kind: 'insert', asset: { _id: randomIds.assetId(), _type: type, title: writer }, version: mark() };
}

/** Makes the `id` of a change. A write that fails ends the process, so that each `id` is that of a change. */
function mark(): string {
  const id = randomIds.version();
  changes.push(id);
  return id;
}
