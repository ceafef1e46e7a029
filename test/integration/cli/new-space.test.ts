/** V8's room for new objects, measured in separate processes that allocate much and keep some of it for a while. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const tuning = new URL('../../../src/cli/serving/gc-tuning.ts', import.meta.url).href;

/**
 * Allocates in short turns until the room has not grown for three seconds of processor time, and prints its size in MB. On a busy machine,
 * three seconds of the clock may be too little work for the room to reach its size.
 */
const program = (limit: boolean) => `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { limitNewSpace } from ${JSON.stringify(tuning)};
  if (${limit}) limitNewSpace();
  const workedMs = () => process.cpuUsage().user / 1_000;
  let [kept, largest, sinceMs] = [[], 0, workedMs()];
  const turn = () => {
    for (let n = 0; n < 5_000; n += 1) kept.push({ n, list: [n] });
    if (kept.length > 100_000) kept = [];
    const size = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size;
    if (size > largest) [largest, sinceMs] = [size, workedMs()];
    if (workedMs() - sinceMs < 3_000) setTimeout(turn, 1);
    else { console.log(largest / 1024 / 1024); process.exit(); }
  };
  turn();
`;

async function largestMb(limit: boolean): Promise<number> {
  const words = ['--input-type=module', '--eval', program(limit)];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  return Number(stdout);
}

test('stays well below the size to which V8 lets it grow', async () => {
  const [limited, usual] = await Promise.all([largestMb(true), largestMb(false)]);
  expect(limited).toBeLessThanOrEqual(usual / 2);
});
