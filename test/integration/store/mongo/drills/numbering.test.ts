/**
 * Four processes write at once while the one that numbers the log is killed or paused again and again: a follower misses no entry,
 * sees none twice, and every acknowledged write has its entry.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type OwnMongo, startOwnMongo } from '../../../../support/mongo-server.ts';
import { mongodbUrl } from '../../../../support/mongo-url.ts';
import { roundsOf } from '../../../../support/rounds.ts';

const writers = 4;
const writesOfEach = roundsOf({ usual: 40, long: 500 });
const interruptions = roundsOf({ usual: 2, long: 8 });
/** Longer than the lease of the numbering process. */
const pauseMs = 4_000;

// The transactions of killed processes would block the server of other tests for a minute.
describe.skipIf(mongodbUrl() === '' || process.env.COLOPHON_TEST_MONGODB_URL)('MongoDB', () => {
  let mongo: OwnMongo;
  let url: URL;
  let client: MongoClient;
  let children: Map<ChildProcess, string>;
  let started: number;

  beforeEach(async () => {
    const server = await startOwnMongo();
    if (!server) throw new Error('There was a server for other tests');
    mongo = server;
    url = new URL(mongo.url);
    url.pathname = `/colophon_drill_${randomUUID()}`;
    client = await MongoClient.connect(url.href);
    children = new Map();
    started = 0;
  });
  afterEach(async () => {
    for (const child of children.keys()) child.kill('SIGKILL');
    await client.close();
    await mongo.stop();
  });

  /** Starts a script; its lines are collected in `lines`. */
  function start(script: URL, { args = [], lines }: { args?: string[]; lines: string[] }): ChildProcess {
    const entry = fileURLToPath(script);
    const name = `child-${++started}`;
    const child = spawn(process.execPath, [entry, `${url.href}?appName=${name}`, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.set(child, name);
    child.once('exit', () => children.delete(child));
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    return child;
  }

  /** Finds the process that numbers the log. */
  async function findHolder(): Promise<ChildProcess | undefined> {
    const record = await client
      .db()
      .collection<{ _id: string; holder?: string }>('store')
      .findOne({ _id: 'numbering' });
    return [...children].find(([, name]) => name === record?.holder)?.[0];
  }

  /** Kills the numbering process and starts another writer in its place, or pauses it beyond its lease if it is the follower. */
  async function interrupt(follower: ChildProcess, replace: () => void): Promise<void> {
    const holder = await findHolder();
    if (holder === undefined) return;
    if (holder === follower) {
      holder.kill('SIGSTOP');
      await setTimeout(pauseMs);
      holder.kill('SIGCONT');
    } else {
      holder.kill('SIGKILL');
      await once(holder, 'exit');
      replace();
    }
  }

  test('a follower misses no entry and sees none twice', { timeout: 1_200_000 }, async () => {
    const acknowledged: string[] = [];
    const followed: string[] = [];
    const startWriter = () =>
      start(new URL('./log-writer.ts', import.meta.url), {
        args: [`w${started}`, String(writesOfEach)],
        lines: acknowledged,
      });
    for (let n = 0; n < writers; n++) startWriter();
    const follower = start(new URL('./log-follower.ts', import.meta.url), { lines: followed });
    const isWriting = () => children.size > 1;
    let interrupted = 0;
    while (interrupted < interruptions) {
      await setTimeout(500);
      if (!isWriting()) startWriter();
      const before = followed.length;
      if (!(await findHolder())) continue;
      await interrupt(follower, startWriter);
      interrupted++;
      // The next process takes over and numbers on.
      await vi.waitUntil(() => followed.length > before, { timeout: 120_000, interval: 50 });
    }
    await vi.waitUntil(() => !isWriting(), { timeout: 600_000, interval: 50 });
    const changes = client.db().collection<{ _id: string; id: string; pending?: number }>('changes');
    await vi.waitUntil(async () => (await changes.countDocuments({ pending: { $gt: 0 } })) === 0, {
      timeout: 60_000,
      interval: 50,
    });
    const entries = await changes.find({}, { sort: { seq: 1 } }).toArray();
    await vi.waitUntil(() => followed.length >= entries.length, { timeout: 120_000, interval: 50 });
    expect(followed).toEqual(entries.map((entry) => `${'seq' in entry && entry.seq} ${entry.id}`));
    const logged = new Set(entries.map(({ id }) => id));
    expect(acknowledged.filter((line) => !line.endsWith('?') && !logged.has(line))).toEqual([]);
    expect(entries.length).toBeGreaterThanOrEqual(writers * writesOfEach);
  });
});
