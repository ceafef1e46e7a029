/** How a server with workers starts, refuses to start, and stops. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { runCommand, type ServingProcess, startServing } from '../../../support/command-line.ts';
import { removeRows } from '../../../support/stored-rows.ts';
import { describeKillsOnEachStore, type StoreLocation, sqliteLocation } from '../../../support/stores.ts';
import { cmaPath } from '../../../support/two-servers.ts';
import {
  credentials,
  isAlive,
  keptConnection,
  logLines,
  send,
  serveWithWorkers,
  workerPids,
} from '../../../support/workers.ts';

// Each test starts several processes.
vi.setConfig({ testTimeout: 600_000 });

const text = 'com.colophon.cms.db.Text';

describeKillsOnEachStore('a server with two workers', (locations) => {
  let location: StoreLocation;

  beforeEach(() => {
    location = locations();
  });

  it('stops after the requests in progress, of which none fails', async () => {
    const serving = await serveWithWorkers(location);
    const pids = [...workerPids(serving).values()];
    let answered = 0;
    let hasStopped = false;
    const writeOn = async () => {
      const agent = keptConnection();
      for (;;) {
        const request = { method: 'POST', path: cmaPath, body: { _type: text, name: 'kept' }, agent };
        // The last answer of a connection says that it ends.
        const answer = await send(serving, request).catch((error: NodeJS.ErrnoException) => {
          expect([error.code, hasStopped]).toEqual(['ECONNREFUSED', true]);
        });
        if (!answer) return;
        expect(answer.status).toBe(200);
        answered++;
        if (answer.headers.connection === 'close') hasStopped = true;
      }
    };
    const writing = Promise.all(Array.from({ length: 8 }, writeOn));
    await vi.waitFor(() => expect(answered).toBeGreaterThan(100), { timeout: 60_000 });
    const { exitCode } = await serving.stop();
    await writing;
    expect(exitCode).toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
    const ends = logLines(serving).filter(({ msg }) => msg === 'stopped');
    expect(new Set(ends.map(({ worker }) => worker))).toEqual(new Set([undefined, 1, 2]));
    const next = await startServing({
      COLOPHON_DATA_DIR: location.config.dataDir,
      ...(location.config.mongodbUrl ? { COLOPHON_MONGODB_URL: location.config.mongodbUrl } : {}),
    });
    const { body } = await send(next, { path: `${cmaPath}?from=${text}&limit=0` });
    expect(body.result.count).toBe(answered);
    await next.stop();
  });
});

describe('a server with workers', () => {
  let location: StoreLocation;

  beforeEach(() => {
    location = sqliteLocation();
  });

  const environment = () => ({ COLOPHON_DATA_DIR: location.config.dataDir, COLOPHON_WORKERS: '3' });

  it('prints one address and creates one client and one user, who sign in anywhere', async () => {
    const serving = await startServing(environment());
    expect(serving.stdout().match(/listening on/g)).toHaveLength(1);
    expect(serving.stdout().match(/shown this once/g)).toHaveLength(2);
    const [, id = '', secret = ''] = /^ {2}ID +(\S+)\n {2}Secret +(\S+)$/m.exec(serving.stdout()) ?? [];
    const headers = { 'X-Client-Id': id, 'X-Client-Secret': secret };
    const answers = await Promise.all(
      Array.from({ length: 9 }, () => send(serving, { path: `${cmaPath}?from=${text}`, headers })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await serving.stop()).toMatchObject({ exitCode: 0 });
  });

  it('creates no account for a worker that replaces another, even if the store has none', async () => {
    const serving = await serveWithWorkers(location);
    const database = new DatabaseSync(join(location.config.dataDir, 'colophon.db'), { timeout: 5_000 });
    removeRows(database);
    database.exec('UPDATE types SET total = 0, revision = revision + 1');
    database.close();
    const former = [...workerPids(serving).values()];
    for (const pid of former) process.kill(pid, 'SIGKILL');
    await vi.waitFor(
      () => {
        const present = [...workerPids(serving).values()];
        expect(present.filter((pid) => !former.includes(pid))).toHaveLength(2);
      },
      { timeout: 60_000 },
    );
    expect(await serving.stop()).toMatchObject({ exitCode: 0 });
    for (const kind of ['client', 'user']) {
      const { stdout } = await runCommand([kind, 'list', '--json'], {
        COLOPHON_DATA_DIR: location.config.dataDir,
      });
      expect(JSON.parse(stdout)).toEqual([]);
    }
  });

  it('ends at once by a second signal some seconds after the first', async () => {
    const serving: ServingProcess = await serveWithWorkers(location, { COLOPHON_SHUTDOWN_MS: '600000' });
    const pids = [...workerPids(serving).values()];
    // A request whose body never ends delays the stop.
    const upload = request(serving.url + cmaPath, {
      method: 'POST',
      headers: {
        ...credentials,
        'Content-Type': 'application/json',
        'Content-Length': 9,
        Expect: '100-continue',
      },
    });
    upload.on('error', () => {});
    upload.flushHeaders();
    await new Promise((resolve) => upload.once('continue', resolve));
    serving.signal('SIGTERM');
    await sleep(3_500);
    serving.signal('SIGTERM');
    expect(await serving.ended).toMatchObject({ exitCode: 1 });
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 60_000 });
  });

  it('exits with 1 when no worker can be started any more', async () => {
    const serving = await serveWithWorkers(location);
    const pids = [...workerPids(serving).values()];
    const file = join(location.config.dataDir, 'colophon.db');
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    rmSync(file);
    mkdirSync(file);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    const { exitCode, stderr } = await serving.ended;
    expect(exitCode).toBe(1);
    expect(stderr).toContain('No worker can be started');
  });

  it('exits with 1 and the reason when its first worker cannot start', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'colophon-workers-'));
    writeFileSync(join(folder, 'a.graphql'), 'type A @contentType(class: "x.A") { size: Number }');
    const types = { COLOPHON_TYPES: folder, COLOPHON_PORT: '0' };
    const wrong = await runCommand(['serve'], { ...environment(), ...types });
    expect([wrong.exitCode, wrong.stdout]).toEqual([1, '']);
    expect(wrong.stderr).toContain('Number');
    rmSync(folder, { recursive: true });
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const refused = await runCommand(['serve'], { ...environment(), COLOPHON_PORT: `${port}` });
    expect([refused.exitCode, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('EADDRINUSE');
    other.close();
  });
});
