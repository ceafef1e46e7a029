/** A server whose database file was removed or replaced acknowledges no write, and nothing says that it is well. */
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bundleDocument, readCmaDocument } from '../../../../src/documents/openapi-document.ts';
import { environmentOf, type ServingProcess, startServing } from '../../../support/command-line.ts';
import { createContractAssertions } from '../../../support/contract-assertions.ts';
import { type StoreLocation, sqliteLocation } from '../../../support/stores.ts';
import { shippedCatalog } from '../../../support/types.ts';
import { createFullClient, send, untilServing } from '../../../support/workers.ts';

const type = 'com.colophon.cms.db.Text';
const contents = '/api/rest/cma/contents';
const contract = createContractAssertions(
  bundleDocument({ source: readCmaDocument(), catalog: shippedCatalog() }),
);

/** Two servers with one worker each, and one with two workers. */
describe.each([
  ['two servers', ['1', '1']],
  ['a server with two workers', ['2']],
])('%s', (_name, workers) => {
  let location: StoreLocation;
  let servers: ServingProcess[];
  let file: string;

  beforeEach(async () => {
    location = sqliteLocation();
    file = join(location.config.dataDir, 'colophon.db');
    await createFullClient(location);
    servers = [];
    for (const count of workers) {
      const environment = count === '1' ? {} : { COLOPHON_WORKERS: count };
      const serving = await startServing({ ...environmentOf(location), ...environment });
      if (count !== '1') await untilServing(serving);
      servers.push(serving);
    }
  });
  afterEach(() => Promise.all(servers.map((serving) => serving.stop())));

  async function create(serving: ServingProcess) {
    const response = await send(serving, {
      method: 'POST',
      path: contents,
      body: { _type: type, name: 'n' },
    });
    contract.assertDocumented('POST', contents, response);
    return response;
  }
  const healthOf = async (serving: ServingProcess) =>
    Promise.all(
      ['/readyz', '/healthz'].map(async (path) => (await send(serving, { path, isAnonymous: true })).status),
    );

  const removeAll = (ends: readonly string[]) => {
    for (const end of ends) rmSync(file + end);
  };

  it.each<[string, () => void]>([
    ['the database file is removed', () => rmSync(file)],
    ['all its files are removed', () => removeAll(['', '-wal', '-shm'])],
    [
      'a copy takes its place',
      () => {
        copyFileSync(file, `${file}.copy`);
        renameSync(`${file}.copy`, file);
      },
    ],
  ])('acknowledge nothing after %s, and say so', async (_case, damage) => {
    for (const serving of servers) {
      expect(await create(serving)).toMatchObject({ status: 200 });
      expect(await healthOf(serving)).toEqual([200, 200]);
    }
    damage();
    for (const serving of servers) {
      // More requests than workers, so that each answers one.
      for (let n = 0; n < 4; n++)
        expect(await create(serving)).toMatchObject({ status: 503, body: { error: { code: 'store_gone' } } });
      await vi.waitFor(async () => expect(await healthOf(serving)).toEqual([503, 503]), { timeout: 30_000 });
    }
  });

  it('acknowledge nothing after the WAL is removed', async () => {
    for (const serving of servers) expect(await create(serving)).toMatchObject({ status: 200 });
    rmSync(`${file}-wal`);
    for (const serving of servers) {
      expect(await create(serving)).toMatchObject({ status: 503, body: { error: { code: 'store_gone' } } });
      await vi.waitFor(async () => expect((await healthOf(serving))[0]).toBe(503), { timeout: 30_000 });
    }
  });
});
