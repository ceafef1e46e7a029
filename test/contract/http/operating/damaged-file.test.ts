/** A server whose database file is damaged in a page: it serves the rest, and its health check, its metrics and the doctor tell of it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { environmentOf, runCommand } from '../../../support/command-line.ts';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { parseMetrics } from '../../../support/parse-metrics.ts';
import { sqliteLocation } from '../../../support/stores.ts';

const type = 'com.colophon.cms.db.Text';
const pageBytes = 4_096;

it('answers 500 for what is lost, and says so in /readyz from then on', async () => {
  const location = sqliteLocation();
  const first = await startInstance(location);
  const created: string[] = [];
  for (let n = 0; n < 60; n++) created.push(await create(first, `marked ${n}. `.repeat(40)));
  await first.stop();
  const file = join(location.config.dataDir, 'colophon.db');
  const bytes = readFileSync(file);
  // The document comes before its words in the file or after them; the page of a document begins with the mark of a leaf of a table.
  let page = -1;
  for (let at = bytes.indexOf('"marked 30. '); at >= 0; at = bytes.indexOf('"marked 30. ', at + 1)) {
    const begin = at - (at % pageBytes);
    if (bytes[begin] === 13) page = begin;
  }
  expect(page).toBeGreaterThan(0);
  writeFileSync(file, bytes.fill(0, page, page + pageBytes));

  const instance = await startInstance(location);
  try {
    const statuses = new Map<number, number>();
    for (const id of created) {
      const { status } = await fetch(`${instance.cmaUrl}/${id}`, { headers: instance.headers });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([...statuses.keys()].toSorted()).toEqual([200, 500]);
    expect(statuses.get(200)).toBeGreaterThan(40);
    const ready = await fetch(`${instance.url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'damaged' }]);
    // A new process would meet the same file.
    expect((await fetch(`${instance.url}/healthz`)).status).toBe(200);
    expect(await readGauge(instance)).toBe(1);
  } finally {
    await instance.stop();
  }
  expect(await runCommand(['doctor'], environmentOf(location))).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining('the database file is damaged'),
  });
  await location.remove();
});

it('is ready while the file is sound', async () => {
  const location = sqliteLocation();
  const instance = await startInstance(location);
  expect(await (await fetch(`${instance.url}/readyz`)).json()).toEqual({ status: 'ok' });
  expect(await readGauge(instance)).toBe(0);
  await instance.stop();
  await location.remove();
});

async function create({ cmaUrl, headers }: TestInstance, name: string): Promise<string> {
  const response = await fetch(cmaUrl, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ _type: type, name }),
  });
  return Object(await response.json()).result._id;
}

async function readGauge(instance: TestInstance): Promise<number | undefined> {
  const headers = await instance.createClient({ scopes: ['metrics'] });
  await instance.refresh();
  const response = await fetch(`${instance.url}/metrics`, { headers });
  return parseMetrics(await response.text()).get('colophon_store_damaged')?.samples[0]?.value;
}
