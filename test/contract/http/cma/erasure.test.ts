/** Erasing over the CMA: no file of an SQLite store contains a value of the asset, its history or a stored response any more. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startInstance } from '../../../support/instance.ts';
import { sqliteLocation } from '../../../support/stores.ts';
import { text } from './cma-content.ts';

const word = 'zanzibarquux';

it('an erased asset leaves no bytes in the files of the store', async () => {
  const location = sqliteLocation();
  const instance = await startInstance(location);
  const admin = await instance.createClient({ scopes: ['admin'] });
  await instance.refresh();
  const { dataDir } = location.config;
  const countFiles = () =>
    readdirSync(dataDir).filter((name) => readFileSync(join(dataDir, name)).includes(word)).length;
  const withKey = (key: string) => ({
    ...instance.headers,
    'Content-Type': 'application/json',
    'Idempotency-Key': key,
  });
  const body = JSON.stringify({ _type: text, name: word, text: `${word} `.repeat(300) });
  const created = await fetch(instance.cmaUrl, { method: 'POST', headers: withKey('create'), body });
  const { result } = Object(await created.json());
  const url = `${instance.cmaUrl}/${result._id}`;
  const changes = JSON.stringify({ name: 'another', text: null });
  const { headers: read } = await fetch(url, { headers: instance.headers });
  await fetch(url, {
    method: 'PUT',
    headers: withKey('again'),
    body: JSON.stringify({ name: `${word} again` }),
  });
  await fetch(url, { method: 'PUT', headers: withKey('other'), body: changes });
  const late = { ...withKey('late'), 'X-Base-Version': read.get('etag') ?? '' };
  const conflict = await fetch(url, { method: 'PUT', headers: late, body: JSON.stringify({ name: 'late' }) });
  expect([conflict.status, await conflict.text()]).toEqual([409, expect.stringContaining(word)]);
  expect(countFiles()).toBeGreaterThan(0);
  expect((await fetch(`${url}?erase=true`, { method: 'DELETE', headers: admin })).status).toBe(200);
  expect(countFiles()).toBe(0);
  await instance.stop();
  expect(countFiles()).toBe(0);
  await location.remove();
});
