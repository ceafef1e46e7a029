/**
 * Conditions with many comparisons of a long text: a server reads the text once for all of them, keeps no copy for each, and ends a
 * search that takes longer than its budget.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { environmentOf, type ServingProcess, startServing } from '../../../support/command-line.ts';
import { type ClientHeaders, startInstance } from '../../../support/instance.ts';
import { roundsOf } from '../../../support/rounds.ts';
import { sqliteLocation } from '../../../support/stores.ts';
import { expectShortWait } from '../../../support/worst-wait.ts';
import { open } from '../routes/routes-context.ts';

const contents = '/api/rest/cma/contents';
const from = 'com.colophon.cms.db.Text';
const release = 'drafts';
/** The longest that a body has room for, without any of the parts that are looked for. */
const text = 'Some words of a long text. '.repeat(144_444);
const comparisons = roundsOf({ usual: 300, long: 999 });
/** A copy for each comparison would take a gigabyte, in `npm run test:long` four. */
const maxBytes = roundsOf({ usual: 250, long: 150 }) * 1e6;

const repeat = (of: (n: number) => string, operator: 'and' | 'or' = 'or') =>
  Array.from({ length: comparisons }, (_, n) => of(n)).join(` ${operator} `);
const contains = repeat((n) => `text contains "part${n}"`);

const location = sqliteLocation();
let serving: ServingProcess;
let headers: ClientHeaders;

beforeAll(async () => {
  const instance = await startInstance(location);
  const { content, graphqlEndpoints } = instance.services;
  await content.create({ _type: from, name: 'Long', text }, {});
  await graphqlEndpoints.create({ ...open, path: 'open' });
  headers = await instance.createClient({ scopes: ['cma:read', 'cma:draft', 'admin'] });
  await instance.stop();
  serving = await startServing(environmentOf(location));
  const sent = await post(`${contents}?release=${release}`, { _type: from, name: 'Drafted', text });
  expect(sent.status).toBe(200);
});

async function post(path: string, body: unknown) {
  const response = await fetch(serving.url + path, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

const memoryOf = (name: 'VmHWM' | 'VmRSS') =>
  Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${serving.pid}/status`, 'utf8'))?.[1]) *
  1_024;

/** Sends a request until nobody waited long beside it, and checks that it took little memory. */
async function attack<Response>(send: () => Promise<Response>): Promise<Response> {
  writeFileSync(`/proc/${serving.pid}/clear_refs`, '5');
  const before = memoryOf('VmRSS');
  const responses: Response[] = [];
  await expectShortWait(serving, async () => {
    responses.push(await send());
  });
  expect(memoryOf('VmHWM') - before).toBeLessThan(maxBytes);
  const last = responses.at(-1);
  if (!last) throw new Error('Nothing was sent');
  return last;
}

const found = { status: 200, body: { status: 'ok', result: { items: [] } } };
const tooCostly = { status: 400, body: { error: { code: 'query_too_costly' } } };
/** On a busy machine a search may use up its budget. */
const isFoundOrRefused = (answer: unknown) =>
  expect(
    [found, tooCostly].some((wanted) => matches(answer, wanted)),
    JSON.stringify(answer).slice(0, 300),
  ).toBe(true);

function matches(answer: unknown, wanted: object): boolean {
  try {
    expect(answer).toMatchObject(wanted);
    return true;
  } catch {
    return false;
  }
}

describe.runIf(process.platform === 'linux')('many comparisons of a long text', () => {
  it.each([
    ['parts of the text', contains],
    ['parts that it must not have', repeat((n) => `not text contains "part${n}"`, 'and')],
    ['its beginnings', repeat((n) => `text startsWith "part${n}"`)],
    ['parts, whatever their case', repeat((n) => `text contains[c] "PART${n}"`)],
    ['the whole text', repeat((n) => `text < "A${n}"`)],
  ])('take little memory: %s', async (_name, where) => {
    isFoundOrRefused(await attack(() => post(`${contents}/query`, { from, where, limit: 0 })));
  });

  it('take little memory in a release', async () => {
    const query = { from, where: contains, limit: 0 };
    expect(await attack(() => post(`${contents}/query?release=${release}`, query))).toMatchObject(tooCostly);
  });

  it('take little memory in GraphQL, for anyone', async () => {
    const where = { or: Array.from({ length: comparisons }, (_, n) => ({ text: { contains: `part${n}` } })) };
    const query = 'query ($where: TextFilter) { textList(filter: $where) { count } }';
    const answer = await attack(() => post('/graphql/open', { query, variables: { where } }));
    const refused = { body: { errors: [{ extensions: { code: 'query_too_costly' } }] } };
    expect(matches(answer, { body: { data: { textList: { count: 0 } } } }) || matches(answer, refused)).toBe(
      true,
    );
  });

  it('are refused in a feed, which tests each change', async () => {
    const where = Array.from({ length: 26 }, (_, n) => `text contains "part${n}"`).join(' or ');
    const response = await fetch(
      `${serving.url}${contents}/changes?${new URLSearchParams({ from, where })}`,
      { headers },
    );
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: 'invalid_parameter', message: expect.stringContaining('at most 25 comparisons') },
    });
  });
});
