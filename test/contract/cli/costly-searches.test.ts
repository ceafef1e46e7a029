/** Searches that scan all assets, sent by a client with ordinary credentials to a dedicated server. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { credentialsOf, type ServingProcess, startServing } from '../../support/command-line.ts';
import { controlMs } from '../../support/control-work.ts';
import { processMs } from '../../support/processor-time.ts';
import { sqliteLocation } from '../../support/stores.ts';

const credentials = {
  'X-Client-Id': 'costly',
  'X-Client-Secret': 'costly-secret-costly-secret-costly-secret',
};
const from = 'com.colophon.cms.db.Text';
const location = sqliteLocation();
let serving: ServingProcess;

const texts = 600;
const words = 'alpha Bravo charlie Delta echo foxtrot golf hotel india Juliet'.split(' ');
const textOf = (n: number) =>
  Array.from({ length: 3_000 }, (_, word) => words[(n * 7 + word * 3 + (word >> 3)) % 10]).join(' ');

beforeAll(async () => {
  serving = await startServing({
    COLOPHON_DATA_DIR: location.config.dataDir,
    ...credentialsOf(credentials),
  });
  for (let at = 0; at < texts; at += 100) {
    const operations = Array.from({ length: 100 }, (_, n) => ({
      action: 'create',
      asset: { _type: from, name: `Text ${at + n}`, text: textOf(at + n) },
    }));
    const response = await fetch(`${serving.url}/api/rest/cma/contents/batch`, {
      method: 'POST',
      headers: { ...credentials, 'Content-Type': 'application/json' },
      body: JSON.stringify({ operations }),
    });
    expect(response.status).toBe(200);
  }
});

const find = (where: string, signal?: AbortSignal) =>
  fetch(`${serving.url}/api/rest/cma/contents?${new URLSearchParams({ from, where, limit: '3' })}`, {
    headers: credentials,
    ...(signal && { signal }),
  });
const findByGraphql = (where: string, signal: AbortSignal) =>
  fetch(`${serving.url}/graphql/management`, {
    method: 'POST',
    headers: { ...credentials, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      query: 'query ($where: String) { textList(where: $where) { count } }',
      variables: { where },
    }),
    signal,
  });
const anyOf = (terms: number, term: (n: number) => string) =>
  Array.from({ length: terms }, (_, n) => term(n)).join(' or ');

/** Returns the peak memory of the server, in MB. */
const peakMb = () =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${serving.pid}/status`, 'utf8'))?.[1]) / 1024;

/** The processor time of the server, which other programs do not lengthen as they lengthen a wait. */
const usedMs = () => processMs(serving.pid ?? 0);

/** Sends cheap searches one after the other; returns the most work that the server did during one of them. */
async function watchOthers(isOver: () => boolean): Promise<number> {
  let longestMs = 0;
  while (!isOver()) {
    const startedMs = usedMs();
    expect((await find('name = "Text 7"')).status).toBe(200);
    longestMs = Math.max(longestMs, usedMs() - startedMs);
    await sleep(20);
  }
  return longestMs;
}

describe.skipIf(process.platform !== 'linux')('a case-insensitive search of a hundred terms', () => {
  it('uses little memory and does not delay other searches', async () => {
    const beforeMb = peakMb();
    let isOver = false;
    const others = watchOthers(() => isOver);
    const response = await find(anyOf(100, (n) => `text contains[c] "ZULU ${n}"`));
    isOver = true;
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ result: { count: 0 } });
    // Keeping two copies of the 12 MB of texts for each of the hundred terms would take 2.4 GB.
    expect(peakMb() - beforeMb).toBeLessThan(300);
    expect(await others).toBeLessThan(30 * controlMs());
  });
});

describe('searches whose clients disconnect', () => {
  it('stop and free both reader threads', async () => {
    const costly = anyOf(700, (n) => `text contains z${n}`);
    const leaving = new AbortController();
    const left = [
      ...Array.from({ length: 4 }, () => find(costly, leaving.signal)),
      findByGraphql(costly, leaving.signal),
    ].map((search) => expect(search).rejects.toThrow('aborted'));
    await sleep(1_000);
    leaving.abort();
    await Promise.all(left);
    const startedMs = usedMs();
    expect((await find('text contains "never there"')).status).toBe(200);
    // Each of the searches would occupy a reader thread for about ten seconds.
    expect(usedMs() - startedMs).toBeLessThan(30 * controlMs());
  });

  it('are logged as aborted, not as failures', async () => {
    const linesWith = (text: string) =>
      serving
        .stderr()
        .split('\n')
        .filter((line) => line.includes(text));
    await expect.poll(() => linesWith('"status":"aborted"')).toHaveLength(5);
    expect(linesWith('"level"').filter((line) => /"level":(50|60|"error"|"fatal")/.test(line))).toEqual([]);
    expect((await fetch(`${serving.url}/readyz`)).status).toBe(200);
  });
});
