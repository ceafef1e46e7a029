/** Workers and parents that end in any way, while clients send requests. */
import { writeFileSync } from 'node:fs';
import type { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type ServingProcess, startServing } from '../../../support/command-line.ts';
import { temporaryFolder } from '../../../support/opened.ts';
import { describeKillsOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import { cmaPath } from '../../../support/two-servers.ts';
import {
  connectToEach,
  isAlive,
  keptConnection,
  send,
  serveWithWorkers,
  untilServing,
  workerPids,
} from '../../../support/workers.ts';

// Each test starts several processes.
vi.setConfig({ testTimeout: 600_000 });

describeKillsOnEachStore('a server with two workers', (locations, { isWhole }) => {
  let location: StoreLocation;
  let serving: ServingProcess;
  let folder: string;

  beforeEach(async () => {
    location = locations();
    folder = temporaryFolder();
    const sdl = 'type Note @contentType(class: "x.Note") { name: String }';
    writeFileSync(join(folder, 'note.graphql'), sdl);
    serving = await serveWithWorkers(location, { COLOPHON_TYPES: folder });
  });
  afterEach(async () => {
    const pids = [...workerPids(serving).values()];
    serving.signal('SIGKILL');
    await serving.ended;
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 60_000 });
  });

  const create = (name: string, agent?: Agent) =>
    send(serving, {
      method: 'POST',
      path: cmaPath,
      body: { _type: 'x.Note', name },
      ...(agent && { agent }),
    });
  const count = async (where = '') => {
    const condition = where && `&where=${encodeURIComponent(where)}`;
    const { body } = await send(serving, { path: `${cmaPath}?from=x.Note&limit=0${condition}` });
    return body.result.count;
  };

  it.runIf(isWhole)(
    'gives connections that a stopped worker has not taken to the others when it ends',
    async () => {
      const pid = workerPids(serving).get(1) ?? 0;
      process.kill(pid, 'SIGSTOP');
      const requests = Array.from({ length: 12 }, (_, n) => create(`waiting ${n}`));
      await sleep(500);
      process.kill(pid, 'SIGKILL');
      const answers = await Promise.allSettled(requests);
      const failed = answers.filter(({ status }) => status === 'rejected');
      // Node.js takes what arrives into the process itself, so the first connection may count as taken.
      expect(failed.length).toBeLessThanOrEqual(1);
      expect(await count()).toBeGreaterThanOrEqual(11);
    },
  );

  it.runIf(isWhole)('replaces a worker that was asked to end, after its requests', async () => {
    const pid = workerPids(serving).get(2) ?? 0;
    let isOver = false;
    const writeOn = async () => {
      for (let n = 0; !isOver; n++) expect((await create(`${n}`)).status).toBe(200);
    };
    const writing = Promise.all([writeOn(), writeOn()]);
    process.kill(pid, 'SIGTERM');
    await vi.waitFor(() => expect(workerPids(serving).get(2)).not.toBe(pid), { timeout: 60_000 });
    await untilServing(serving);
    isOver = true;
    await writing;
    expect(isAlive(pid)).toBe(false);
  });

  it.runIf(isWhole)(
    'serves the types of its start from every worker, whatever happens to their folder',
    async () => {
      writeFileSync(join(folder, 'note.graphql'), 'type Other @contentType(class: "x.Other") { n: Int }');
      const pid = workerPids(serving).get(1) ?? 0;
      process.kill(pid, 'SIGKILL');
      await vi.waitFor(() => expect(workerPids(serving).get(1)).not.toBe(pid), { timeout: 60_000 });
      await untilServing(serving);
      const agents = await connectToEach(serving, '/healthz/unknown');
      for (const agent of agents.values()) {
        expect((await create('still a note', agent)).status).toBe(200);
        agent.destroy();
      }
    },
  );

  it('takes its workers along when the parent is killed', async () => {
    const pids = [...workerPids(serving).values()];
    const { port } = new URL(serving.url);
    const agent = keptConnection();
    expect((await create('before', agent)).status).toBe(200);
    serving.signal('SIGKILL');
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 60_000 });
    agent.destroy();
    const next = await startServing({
      COLOPHON_PORT: port,
      COLOPHON_DATA_DIR: location.config.dataDir,
      COLOPHON_TYPES: folder,
      ...(location.config.mongodbUrl === undefined
        ? {}
        : { COLOPHON_MONGODB_URL: location.config.mongodbUrl }),
    });
    expect((await send(next, { path: `${cmaPath}?from=x.Note` })).body.result.count).toBe(1);
    await next.stop();
  });
});
