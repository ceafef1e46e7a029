/** A drill for mirrors: random writes to a server while the server and the mirror are killed again and again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { CommandProcess, Environment, ServingProcess } from './command-line.ts';
import {
  authorOf,
  authorType,
  type FoundAsset,
  type MirrorBench,
  mirrorId,
  sectionOf,
} from './mirror-bench.ts';
import { isLong } from './rounds.ts';

/** How much a drill does. */
export interface DrillSize {
  /** Successful writes. */
  readonly writes: number;
  /** The least number of kills of each side. */
  readonly kills: number;
}

/** What a drill did. */
export interface DrillFigures {
  readonly writes: Readonly<Record<string, number>>;
  readonly serverKills: number;
  readonly mirrorKills: number;
}

const writers = 4;

/** Assets below this number are deleted and created as another type; those from it on are erased. */
const retyped = 150;
const assets = 300;
const slugs = 400;

const random = (below: number) => Math.floor(Math.random() * below);

/** Runs the drill; ends with a server that runs, and with the mirror killed. */
export async function runDrill(
  bench: MirrorBench,
  {
    writes,
    kills,
    words,
    environment = {},
  }: DrillSize & { words: readonly string[]; environment?: Environment },
): Promise<DrillFigures> {
  const done: Record<string, number> = {};
  let total = 0;
  let server: ServingProcess = await bench.serve();
  let mirror: CommandProcess = bench.mirror(words, environment);
  const killed = { server: 0, mirror: 0 };
  const isDone = () => total >= writes && killed.server >= kills && killed.mirror >= kills;

  async function write(): Promise<void> {
    while (!isDone()) {
      try {
        const kind = await writeOnce(bench);
        if (kind === undefined) continue;
        done[kind] = (done[kind] ?? 0) + 1;
        total++;
      } catch (error) {
        // The server was killed.
        if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
        await sleep(50);
      }
    }
  }

  /** Chooses whom to kill: at random, unless only one side needs more kills. */
  function isServerNext(): boolean {
    const [server, mirror] = [killed.server < kills, killed.mirror < kills];
    return server === mirror ? Math.random() < 0.5 : server;
  }

  async function killAll(): Promise<void> {
    while (!isDone()) {
      await sleep(isLong ? 500 + random(3_000) : 200 + random(600));
      if (isServerNext()) {
        server.signal('SIGKILL');
        await server.ended;
        killed.server++;
        server = await bench.serve();
      } else {
        mirror.signal('SIGKILL');
        const { exitCode, stderr } = await mirror.ended;
        expect(exitCode, `the mirror ended by itself: ${stderr}`).toBeNull();
        killed.mirror++;
        mirror = bench.mirror(words, environment);
      }
    }
  }

  await Promise.all([...Array.from({ length: writers }, write), killAll()]);
  mirror.signal('SIGKILL');
  await mirror.ended;
  return { writes: done, serverKills: killed.server, mirrorKills: killed.mirror };
}

/** Carries out a random write. Returns its kind if it succeeded; conflicts with other writes are refused. */
async function writeOnce(bench: MirrorBench): Promise<string | undefined> {
  const n = random(assets);
  const kind = chooseKind(n);
  const id = mirrorId(n);
  const slug = `author-${random(slugs)}`;
  switch (kind) {
    case 'create': {
      const asset = n < retyped && Math.random() < 0.3 ? sectionOf(n) : authorOf(n, slug);
      return isOk(await bench.send('POST', '', asset)) ? kind : undefined;
    }
    case 'update': {
      const change = Math.random() < 0.5 ? { slug } : { name: `Author ${random(1_000_000)}` };
      return isOk(await bench.send('PUT', `/${id}`, change)) ? kind : undefined;
    }
    case 'delete':
      return isOk(await bench.send('DELETE', `/${id}`)) ? kind : undefined;
    case 'retype': {
      const { status, result } = await bench.send('GET', `/${id}`);
      if (status !== 200 || !isOk(await bench.send('DELETE', `/${id}`))) return undefined;
      const other = result._type === authorType ? sectionOf(n) : authorOf(n, slug);
      return isOk(await bench.send('POST', '', other)) ? kind : 'delete';
    }
    case 'erase':
      return isOk(await bench.send('DELETE', `/${id}?erase=true`)) ? kind : undefined;
    case 'exchange':
      return (await exchange(bench, id, mirrorId(random(assets)))) ? kind : undefined;
  }
}

function chooseKind(n: number) {
  const chance = Math.random();
  if (chance < 0.35) return 'create';
  if (chance < 0.7) return 'update';
  if (chance < 0.8) return 'delete';
  if (chance < 0.92) return 'exchange';
  // Erasing rewrites the file of the store, so it is rare.
  if (n >= retyped) return chance < 0.93 ? 'erase' : 'update';
  return 'retype';
}

/** Lets two authors exchange their unique values. */
async function exchange(bench: MirrorBench, ...ids: readonly [string, string]): Promise<boolean> {
  const found = await Promise.all(ids.map((id) => bench.send('GET', `/${id}`)));
  const [one, other] = found.map(({ result }) => result as FoundAsset | undefined);
  if (!one || !other || one._id === other._id) return false;
  if (one._type !== authorType || other._type !== authorType) return false;
  const update = (_id: string, slug: unknown) => ({
    action: 'update',
    asset: { _id, _type: authorType, slug },
  });
  const operations = [
    update(one._id, `free-${random(1_000_000)}`),
    update(other._id, one.slug),
    update(one._id, other.slug),
  ];
  return isOk(await bench.send('POST', '/batch', { atomic: true, operations }));
}

/** Whether a write succeeded. Errors: any status that a conflict of writes cannot have. */
function isOk({ status }: { readonly status: number }): boolean {
  if (status !== 200) expect([400, 404, 409, 412, 429, 503]).toContain(status);
  return status === 200;
}
