/** Mirrors of a server while the server and the mirror are killed: equal to their source, asset by asset. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  createMirrorBench,
  type MirrorBench,
  readMirrorFile,
  readStore,
} from '../../support/mirror-bench.ts';
import { runDrill } from '../../support/mirror-drill.ts';
import { isLong, roundsOf } from '../../support/rounds.ts';
import { describeKillsOnEachStore, type StoreLocation } from '../../support/stores.ts';

vi.setConfig({ testTimeout: roundsOf({ usual: 900_000, long: 3_600_000 }) });

let bench: MirrorBench;
beforeEach(async () => {
  bench = await createMirrorBench();
});
afterEach(() => bench.remove());

/** On a busy machine a server that was killed takes long to answer again. */
const patient = ['--attempts', '100'];

/** Runs the drill, lets the mirror catch up, and compares it with its source. */
async function drill(
  to: string,
  { writes, kills }: { writes: number; kills: number },
  read: () => Promise<ReadonlyMap<string, object>> | ReadonlyMap<string, object>,
): Promise<void> {
  const figures = await runDrill(bench, { writes, kills, words: ['--to', to, ...patient] });
  const caughtUp = await bench.mirrorOnce(['--to', to, ...patient]);
  const source = await bench.readSource();
  const target = await read();
  if (isLong) console.log(JSON.stringify({ to, ...figures, caughtUp, assets: source.size }));
  expect(source.size).toBeGreaterThan(20);
  expect(target).toEqual(source);
  expect(await bench.mirrorOnce(['--to', to, ...patient])).toEqual({ written: 0, removed: 0, restarts: 0 });
}

it('a file of lines of JSON is equal to its source after kills of both', async () => {
  const path = bench.path('copy.ndjson');
  await drill(path, sizeOf({ writes: 20_000, kills: 100 }), () => readMirrorFile(path));
});

describeKillsOnEachStore('a mirror under kills', (locations) => {
  let target: StoreLocation;
  beforeEach(() => {
    target = locations();
  });
  afterEach(() => target.remove());

  it('is equal to its source', async () => {
    const { mongodbUrl, dataDir } = target.config;
    const size = mongodbUrl === undefined ? { writes: 20_000, kills: 100 } : { writes: 2_000, kills: 10 };
    await drill(mongodbUrl ?? dataDir, sizeOf(size), () => readStore(target));
  });
});

/** The whole size in the long tests, a hundredth in the ordinary ones. */
function sizeOf({ writes, kills }: { writes: number; kills: number }) {
  const part = roundsOf({ usual: 100, long: 1 });
  return { writes: Math.ceil(writes / part), kills: Math.ceil(kills / part) };
}
