/**
 * A server whose disk is full reads on, also after a restart, and writes again once there is space. What the operating system forbids a process
 * is reported in the same way.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundleDocument, readCmaDocument } from '../../../../src/documents/openapi-document.ts';
import {
  commandLine,
  environmentOf,
  runCommand,
  type ServingProcess,
  startServing,
} from '../../../support/command-line.ts';
import { createContractAssertions } from '../../../support/contract-assertions.ts';
import { mayMount, mountSmallDisk, type SmallDisk } from '../../../support/small-disk.ts';
import { type StoreLocation, sqliteLocation } from '../../../support/stores.ts';
import { shippedCatalog } from '../../../support/types.ts';
import { createFullClient, send, untilServing } from '../../../support/workers.ts';

const type = 'com.colophon.cms.db.Text';
const contract = createContractAssertions(
  bundleDocument({ source: readCmaDocument(), catalog: shippedCatalog() }),
);
const contents = '/api/rest/cma/contents';

describe.skipIf(!mayMount()).each([1, 2])('with %i workers, a server on a full disk', (workers) => {
  let disk: SmallDisk;
  let serving: ServingProcess;

  const start = async () => {
    serving = await startServing({
      ...environmentOf(disk.location),
      ...(workers > 1 && { COLOPHON_WORKERS: String(workers) }),
    });
    if (workers > 1) await untilServing(serving);
  };
  beforeEach(async () => {
    disk = mountSmallDisk();
    await createFullClient(disk.location);
    await start();
  });
  afterEach(async () => {
    await serving.stop();
    await disk.location.remove();
  });

  async function call(method: string, path: string, body?: object) {
    const response = await send(serving, { method, path, ...(body && { body }) });
    contract.assertDocumented(method, path.split('?')[0] ?? '', response);
    return response;
  }
  const create = (name: string) => call('POST', contents, { _type: type, name });
  const count = async () => (await call('GET', `${contents}?from=${type}`)).body.result.count;
  const statusOf = async (path: string) => (await send(serving, { path, isAnonymous: true })).status;
  const readiness = async () => {
    // An outcome may be some 250 ms old.
    await setTimeout(500);
    return statusOf('/readyz');
  };
  const refusal = {
    status: 507,
    headers: { 'retry-after': '10' },
    body: { error: { code: 'store_full' } },
  };

  it('answers writes 507, reads on, says so, and writes again when there is space', async () => {
    expect(await create('before')).toMatchObject({ status: 200 });
    expect(await readiness()).toBe(200);
    disk.fill();
    expect(await create('refused')).toMatchObject(refusal);
    expect(await statusOf('/readyz')).toBe(503);
    for (let n = 0; n < 2; n++) expect(await create('refused')).toMatchObject(refusal);
    const batch = await call('POST', `${contents}/batch`, {
      operations: [{ action: 'create', asset: { _type: type, name: 'refused' } }],
    });
    expect([batch.status, batch.headers['retry-after']]).toEqual([507, '10']);
    expect(await count()).toBe(1);
    expect([await readiness(), await statusOf('/healthz')]).toEqual([503, 200]);
    disk.empty();
    expect(await create('after')).toMatchObject({ status: 200 });
    expect([await readiness(), await count()]).toEqual([200, 2]);
  });

  it.each([
    ['while it runs', true],
    ['after it has stopped', false],
  ])(
    'starts on a disk that was filled %s, and writes again without another restart',
    async (_name, whileRunning) => {
      expect(await create('before')).toMatchObject({ status: 200 });
      if (whileRunning) disk.fill();
      await serving.stop();
      disk.fill();
      await start();
      expect([await count(), await readiness(), await statusOf('/healthz')]).toEqual([1, 503, 200]);
      expect(await create('refused')).toMatchObject(refusal);
      disk.empty();
      expect(await create('after')).toMatchObject({ status: 200 });
      expect([await readiness(), await count()]).toEqual([200, 2]);
    },
  );
});

const mayLimit = existsSync('/usr/bin/prlimit') || process.env.CI === 'true';
describe.skipIf(!mayLimit)('a process that', () => {
  let location: StoreLocation;
  let serving: ServingProcess;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  beforeEach(async () => {
    location = sqliteLocation();
    await createFullClient(location);
    serving = await startServing(environmentOf(location));
  });
  afterEach(() => serving.stop());
  const limit = (what: string) => execFileSync('prlimit', ['--pid', String(serving.pid), what]);
  const create = (text: string) =>
    send(serving, { method: 'POST', path: contents, body: { _type: type, name: 'a', text } });
  const readiness = async () => (await send(serving, { path: '/readyz', isAnonymous: true })).status;

  it('may not make its files larger answers 507, and is not ready', async () => {
    expect(await create('a')).toMatchObject({ status: 200 });
    expect(await readiness()).toBe(200);
    limit('--fsize=1000000:');
    expect(await create('a'.repeat(2_000_000))).toMatchObject({
      status: 507,
      body: { error: { code: 'store_full' } },
    });
    expect(await readiness()).toBe(503);
    limit('--fsize=unlimited:');
    await setTimeout(500);
    expect([await readiness(), (await create('a'.repeat(2_000_000))).status]).toEqual([200, 200]);
  });

  it('has too many files open answers 503, and says so when it starts', async () => {
    const request = (method: string, path: string, body?: object) =>
      send(serving, { method, path, agent, ...(body && { body }) });
    expect((await request('GET', '/docs/')).status).toBe(200);
    limit('--nofile=10:');
    expect(await request('GET', '/docs/guide/')).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
    });
    limit('--nofile=1024:');
    const started = spawnSync('sh', ['-c', `ulimit -n 26; exec ${process.execPath} ${commandLine} serve`], {
      env: { ...environmentOf(location), COLOPHON_PORT: '0' },
      encoding: 'utf8',
    });
    expect(started.stderr).toContain('EMFILE');
  });
});

describe.skipIf(!mayMount())('a read-only file system', () => {
  it('is named, and is no damage', async () => {
    const disk = mountSmallDisk();
    try {
      const { location } = disk;
      await createFullClient(location);
      disk.protect();
      const stderr = `colophon: ${location.config.dataDir} cannot be written, because its file system is read-only (EROFS)\n`;
      for (const words of [['serve'], ['client', 'list'], ['verify'], ['verify', '--repair']])
        expect(await runCommand(words, environmentOf(location))).toEqual({ exitCode: 1, stdout: '', stderr });
    } finally {
      await disk.location.remove();
    }
  });
});
