/** Searches texts of the largest size a request may have. A statement once kept all of them in memory. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { credentialsOf, type ServingProcess, startServing } from '../support/command-line.ts';
import { sqliteLocation } from '../support/stores.ts';

const credentials = {
  'X-Client-Id': 'costly',
  'X-Client-Secret': 'costly-secret-costly-secret-costly-secret',
};
const from = 'com.colophon.cms.db.Text';
const location = sqliteLocation();
let serving: ServingProcess;

const texts = 150;
const text = 'Alpha bravo Charlie delta '.repeat(157_000);

beforeAll(async () => {
  serving = await startServing({
    COLOPHON_DATA_DIR: location.config.dataDir,
    ...credentialsOf(credentials),
    // The searches read 600 MB each.
    COLOPHON_QUERY_MS: '600000',
  });
  for (let n = 0; n < texts; n++) {
    const response = await fetch(`${serving.url}/api/rest/cma/contents`, {
      method: 'POST',
      headers: { ...credentials, 'Content-Type': 'application/json' },
      body: JSON.stringify({ _type: from, name: `Text ${n}`, text }),
    });
    expect(response.status).toBe(200);
  }
}, 120_000);

const peakMb = () =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${serving.pid}/status`, 'utf8'))?.[1]) / 1024;

it.skipIf(process.platform !== 'linux')(
  'a search keeps only a few large texts in memory at a time',
  async () => {
    const beforeMb = peakMb();
    const query = new URLSearchParams({ from, where: 'text contains[c] "ZULU"', limit: '3' });
    const response = await fetch(`${serving.url}/api/rest/cma/contents?${query}`, { headers: credentials });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ result: { count: 0 } });
    // Keeping all texts, twice, would take 1.2 GB.
    expect(peakMb() - beforeMb).toBeLessThan(400);
  },
  120_000,
);
