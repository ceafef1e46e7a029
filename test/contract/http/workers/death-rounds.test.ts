/** Workers that are killed one after the other under a mixed load: what was acknowledged stays, and only their connections end. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ServingProcess } from '../../../support/command-line.ts';
import { findDisagreements } from '../../../support/log-agreement.ts';
import { findBroken, type Promised, runMixedLoad } from '../../../support/mixed-load.ts';
import { temporaryFolder } from '../../../support/opened.ts';
import { roundsOf } from '../../../support/rounds.ts';
import { describeKillsOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import { cmaPath } from '../../../support/two-servers.ts';
import {
  connectToEach,
  isAlive,
  send,
  serveWithWorkers,
  untilServing,
  workerPids,
} from '../../../support/workers.ts';

const timeoutMs = roundsOf({ usual: 600_000, long: 3_600_000 });
vi.setConfig({ testTimeout: timeoutMs });

const rounds = roundsOf({ usual: 2, long: 100 });
const type = 'x.Note';
const pageSize = 1_000;

describeKillsOnEachStore(`two workers of which one is killed ${rounds} times`, (locations, { isWhole }) => {
  let location: StoreLocation;
  let serving: ServingProcess;
  let folder: string;

  beforeEach(async () => {
    location = locations();
    folder = temporaryFolder();
    writeFileSync(join(folder, 'note.graphql'), `type Note @contentType(class: "${type}") { name: String }`);
    serving = await serveWithWorkers(location, { COLOPHON_TYPES: folder }, { timeoutMs });
  });
  afterEach(async () => {
    const pids = [...workerPids(serving).values()];
    serving.signal('SIGKILL');
    await serving.ended;
    await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 60_000 });
  });

  /** Kills a worker while clients send requests, two on kept connections and two on new ones. */
  async function runRound(round: number): Promise<Promised> {
    const agents = await connectToEach(serving, '/healthz/unknown');
    const [killed, kept] = round % 2 === 0 ? [1, 2] : [2, 1];
    const pid = workerPids(serving).get(killed) ?? 0;
    const promised: Promised = { names: new Map(), batches: new Map() };
    let isOver = false;
    const run = (name: string, number?: number) =>
      runMixedLoad(
        { serving, type, label: `${round} ${name}`, agent: agents.get(number ?? 0), promised },
        () => isOver,
      );
    const loads = Promise.all([run('killed', killed), run('kept', kept), run('new'), run('newer')]);
    await sleep(100 + Math.random() * 300);
    process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect(workerPids(serving).get(killed)).not.toBe(pid), { timeout: 60_000 });
    await untilServing(serving);
    isOver = true;
    const [ofKilled, ofKept, ...ofNew] = await loads;
    if (!ofKilled.isRenewed) expect(ofKilled.failures).toBe(1);
    if (!ofKept.isRenewed) expect(ofKept.failures).toBe(0);
    // A new connection is the killed worker's as soon as it has got it.
    for (const { failures } of [ofKilled, ofKept, ...ofNew]) expect(failures).toBeLessThanOrEqual(1);
    for (const agent of agents.values()) agent.destroy();
    return promised;
  }

  /** Reads the assets of a round. */
  async function readRound(round: number) {
    const where = encodeURIComponent(`name startsWith "${round} "`);
    const items = [];
    for (let offset = 0; ; offset += pageSize) {
      const page = `${cmaPath}?from=${type}&where=${where}&offset=${offset}&limit=${pageSize}`;
      const { body } = await send(serving, { path: page });
      items.push(...body.result.items);
      if (items.length >= body.result.count) return items;
    }
  }

  it.runIf(isWhole)(
    'lose no acknowledged write and no other connection, and the log agrees with the assets',
    async () => {
      let acknowledged = 0;
      for (let round = 0; round < rounds; round++) {
        const promised = await runRound(round);
        expect(findBroken(await readRound(round), promised)).toEqual([]);
        acknowledged += promised.names.size;
      }
      expect(acknowledged).toBeGreaterThan(rounds * 4);
      if (location.config.mongodbUrl !== undefined) return;
      expect(await serving.stop()).toMatchObject({ exitCode: 0 });
      const database = new DatabaseSync(join(location.config.dataDir, 'colophon.db'), { readOnly: true });
      expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
      // Some system records, such as the usage of routes, have no log.
      const system = database
        .prepare("SELECT replace(id, '-', '') AS id FROM assets JOIN types ON number = type WHERE class <> ?")
        .all(type);
      const systemIds = system.map(({ id }) => id);
      expect(findDisagreements(database).filter((id) => !systemIds.includes(id))).toEqual([]);
      database.close();
    },
  );
});
