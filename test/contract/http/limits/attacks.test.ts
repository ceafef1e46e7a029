/** Requests within the size limits that are made to cost much: none may hold up the requests of others. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environmentOf, type ServingProcess, startServing } from '../../../support/command-line.ts';
import { type RawResponse, sendRaw } from '../../../support/raw-http.ts';
import { sqliteLocation } from '../../../support/stores.ts';
import { longestWaitMs, measureWorstWait } from '../../../support/worst-wait.ts';

const credentials = { 'X-Client-Id': 'attacker', 'X-Client-Secret': 'attacker-secret-attacker-secret' };
const contents = '/api/rest/cma/contents';
const text = 'com.colophon.cms.db.Text';
const article = 'com.example.news.Article';

const location = sqliteLocation();
let serving: ServingProcess;

beforeAll(async () => {
  serving = await startServing({
    ...environmentOf(location),
    COLOPHON_CLIENT_ID: credentials['X-Client-Id'],
    COLOPHON_CLIENT_SECRET: credentials['X-Client-Secret'],
  });
});
afterAll(async () => {
  await serving.stop();
  await location.remove();
});

const listOf = <Item>(length: number, make: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, index) => make(index));
const unknownMembers = (count: number) => Object.fromEntries(listOf(count, (n) => [`m${n}`, 1]));

/** Posts a body during the measurement; checks that nobody waits too long, and returns the last response. */
async function attackWith(path: string, body: unknown): Promise<RawResponse> {
  const raw = typeof body === 'string' ? body : JSON.stringify(body);
  const responses: RawResponse[] = [];
  const worstMs = await measureWorstWait(serving, async () => {
    const headers = { ...credentials, 'Content-Type': 'application/json' };
    responses.push(await sendRaw(serving.url, { method: 'POST', path, headers, body: raw }));
  });
  expect(worstMs).toBeLessThan(longestWaitMs);
  const last = responses.at(-1);
  if (!last) throw new Error('the attack was not sent');
  return last;
}

describe('a body', () => {
  const create = (fields: object) => ({ _type: text, name: 'x', ...fields });
  const articleWith = (importData: unknown) => ({ _type: article, importData });
  it.each<[name: string, body: unknown, status: number, code: string]>([
    ['with 300,000 members', create(unknownMembers(300_000)), 413, 'too_many_values'],
    ['with 20,000 unknown members', create(unknownMembers(19_998)), 400, 'invalid_body'],
    ['with 300,000 values in a JSON scalar', articleWith(listOf(300_000, () => 1)), 413, 'too_many_values'],
    [
      'with 49,000 objects, each with another name',
      articleWith(listOf(49_000, (n) => ({ [`n${n}`]: 'v' }))),
      400,
      'invalid_body',
    ],
    ['with four million brackets', '['.repeat(4_000_000), 400, 'invalid_json'],
    ['with a number of four million digits', `{"a":${'1'.repeat(4_000_000)}}`, 400, 'invalid_body'],
    [
      'with 90,000 numbers that cannot be kept',
      `{"a":[${'1234567890123456789,'.repeat(90_000)}1]}`,
      400,
      'invalid_body',
    ],
    ['with one name 600,000 times', `{${'"a":1,'.repeat(600_000)}"a":1}`, 413, 'too_many_values'],
  ])('%s is refused at once', async (_name, body, status, code) => {
    const response = await attackWith(contents, body);
    expect([response.status, JSON.parse(response.text).error.code]).toEqual([status, code]);
    expect(response.text.length).toBeLessThan(20_000);
  });
});

describe('a batch', () => {
  const batch = `${contents}/batch`;
  it('of 49,000 operations is refused at once', async () => {
    const { status, text: answer } = await attackWith(batch, { operations: listOf(49_000, () => ({})) });
    const { error } = JSON.parse(answer);
    expect([status, error.problems]).toEqual([
      400,
      [{ path: 'operations', message: 'must have at most 1000 items' }],
    ]);
  });

  it('of 1,000 operations with 90 unknown members each is refused for each operation', async () => {
    const operations = listOf(1000, () => ({
      action: 'create',
      asset: { _type: text, name: 'x' },
      ...unknownMembers(90),
    }));
    const { status, text: answer } = await attackWith(batch, { operations });
    const { result } = JSON.parse(answer);
    expect([status, result.failed]).toEqual([200, 1000]);
    expect(result.results[0].error.problems).toHaveLength(90);
    expect(result.results[999].error).toMatchObject({ code: 'invalid_body', path: 'm0' });
  });
});
