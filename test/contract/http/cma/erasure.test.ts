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
  const headers = { ...instance.headers, 'Content-Type': 'application/json', 'Idempotency-Key': 'erased' };
  const body = JSON.stringify({ _type: text, name: word, text: `${word} `.repeat(300) });
  const created = await fetch(instance.cmaUrl, { method: 'POST', headers, body });
  const { result } = Object(await created.json());
  const url = `${instance.cmaUrl}/${result._id}`;
  const changes = JSON.stringify({ name: 'another', text: null });
  await fetch(url, { method: 'PUT', headers, body: changes });
  expect(countFiles()).toBeGreaterThan(0);
  expect((await fetch(`${url}?erase=true`, { method: 'DELETE', headers: admin })).status).toBe(200);
  expect(countFiles()).toBe(0);
  await instance.stop();
  expect(countFiles()).toBe(0);
  await location.remove();
});
