/** Large responses of GraphQL endpoints: none may delay the requests of others while it is completed, printed and sent. */
import { beforeAll, expect, it } from 'vitest';
import {
  credentialsOf,
  environmentOf,
  type ServingProcess,
  startServing,
} from '../../../support/command-line.ts';
import { sqliteLocation } from '../../../support/stores.ts';
import { expectShortWait } from '../../../support/worst-wait.ts';

const headers = {
  'X-Client-Id': 'reader',
  'X-Client-Secret': 'reader-secret-reader-secret',
  'Content-Type': 'application/json',
};
const location = sqliteLocation();
let serving: ServingProcess;

const text = 'ä long text '.repeat(25_000);
const batches = 7;
const inEach = 10;

beforeAll(async () => {
  serving = await startServing({
    ...environmentOf(location),
    ...credentialsOf(headers),
  });
  const asset = (n: number) => ({ _type: 'com.colophon.cms.db.Text', name: `Text ${n}`, text });
  for (let batch = 0; batch < batches; batch++) {
    const operations = Array.from({ length: inEach }, (_, n) => ({ action: 'create', asset: asset(n) }));
    await post('/api/rest/cma/contents/batch', { operations });
  }
});

async function post(path: string, body: object): Promise<unknown> {
  const response = await fetch(serving.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

it('a list of more than 20 MB is complete, and delays nobody', async () => {
  let body: unknown;
  await expectShortWait(serving, async () => {
    body = await post('/graphql/management', { query: '{ textList(limit: 100) { count items { text } } }' });
  });
  const count = batches * inEach;
  expect(body).toEqual({ data: { textList: { count, items: Array(count).fill({ text }) } } });
});
