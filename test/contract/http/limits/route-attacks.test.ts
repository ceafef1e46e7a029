/** Requests to mapped routes, and endpoints as they are saved, that are made to cost much: none may delay the requests of others. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { environmentOf, type ServingProcess, startServing } from '../../../support/command-line.ts';
import { type ClientHeaders, startInstance } from '../../../support/instance.ts';
import { type RawResponse, sendRaw } from '../../../support/raw-http.ts';
import { roundsOf } from '../../../support/rounds.ts';
import { sqliteLocation } from '../../../support/stores.ts';
import { expectShortWait } from '../../../support/worst-wait.ts';
import { by, open } from '../routes/routes-context.ts';

const location = sqliteLocation();
let serving: ServingProcess;
let admin: ClientHeaders;

const list = `query List($where: String, $values: [JSON!], $input: [SortInput!]) {
  textList(where: $where, values: $values, sortBy: $input, limit: 1) { count items { name } }
}`;
const routes = {
  name: 'Attacked',
  source: open.name,
  mappings: [{ name: 'List', methods: ['GET', 'POST'], query: list, cacheSeconds: 60 }],
};

beforeAll(async () => {
  const { services, createClient, stop } = await startInstance(location);
  const { content, graphqlEndpoints, restEndpoints } = services;
  await graphqlEndpoints.create({ ...open, path: 'open' });
  const { id } = await restEndpoints.create({ body: routes, by });
  await restEndpoints.publish({ id, by });
  await content.create({ _type: 'com.colophon.cms.db.Text', name: 'Text' }, {});
  admin = await createClient({ scopes: ['admin', 'cma:read'] });
  await stop();
  serving = await startServing(environmentOf(location));
});

const repeat = (count: number, make: (index: number) => string, separator = '&') =>
  Array.from({ length: count }, (_, index) => make(index)).join(separator);

/** Sends a request during the measurement; checks that nobody waits too long, and returns the last response. */
async function attackWith(request: Parameters<typeof sendRaw>[1]): Promise<RawResponse> {
  const responses: RawResponse[] = [];
  await expectShortWait(serving, async () => {
    responses.push(await sendRaw(serving.url, request));
  });
  const last = responses.at(-1);
  if (!last) throw new Error('the attack was not sent');
  expect(last.text.length).toBeLessThan(100_000);
  return last;
}

describe('a form', () => {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  it.each([
    ['with 100,000 unknown parameters', repeat(100_000, (n) => `p${n}=${'1'.repeat(30)}`)],
    ['with 4,000,000 empty parameters', '&'.repeat(4_000_000)],
  ])('%s is answered at once', async (_name, body) => {
    const { status, text } = await attackWith({ method: 'POST', path: '/attacked/list', headers, body });
    expect([status, JSON.parse(text).data.textList.count]).toEqual([200, 1]);
  });

  it.each([
    ['with 1,000,000 unknown parameters of one name', 'a=1&'.repeat(1_000_000)],
    ['with 400,000 unknown parameters', repeat(400_000, (n) => `p${n}=1`)],
    ['with 300,000 items of a list', repeat(300_000, () => 'values[]=1')],
    ['with a name of a million parts', `values${'/a'.repeat(1_000_000)}=1`],
    [
      'with 100,000 names of many parts',
      repeat(100_000, (n) => `input[${n}]/field/a/b/c/d=1`).slice(0, 4_000_000),
    ],
    ['with four million percent signs', `where=${'%'.repeat(4_000_000)}`],
    ['with a text of percent-encoded characters', `where=${'%C3%A9'.repeat(600_000)}`],
    ['with a text of four million characters', `where=${'('.repeat(4_000_000)}`],
    ['with four million plus signs', `where=${'+'.repeat(4_000_000)}`],
    ['with an index of a billion', 'values[999999999]=1'],
  ])('%s is refused at once', async (_name, body) => {
    const { status, text } = await attackWith({ method: 'POST', path: '/attacked/list', headers, body });
    expect([status, JSON.parse(text).errors.length]).toEqual([400, 1]);
  });
});

describe('an endpoint that is saved', () => {
  const unknownFields = repeat(9_000, (n) => `f${n}`, ' ');
  const save = (mappings: readonly object[], name = 'Hostile') => {
    const body = JSON.stringify({ name, source: open.name, mappings });
    const headers = { ...admin, 'Content-Type': 'application/json' };
    return attackWith({ method: 'POST', path: '/api/admin/rest-endpoints', headers, body });
  };
  const query = (text: string, name = 'Hostile') => [{ name, query: text }];

  it.each<[name: string, mappings: readonly object[], problem: RegExp]>([
    ['with 9,000 unknown fields', query(`{ ${unknownFields} }`), /Cannot query field "f0"/],
    ['with a document of four million brackets', query('{'.repeat(4_000_000)), /at most 100000 characters/],
    ['with a document of a million comments', query('#\n'.repeat(1_000_000)), /at most 100000 characters/],
    [
      'with a predicate of three million characters',
      query(`{ textList(where: "${'('.repeat(3_000_000)}") { count } }`),
      /at most 100000 characters/,
    ],
    [
      'with a predicate of 90,000 brackets',
      query(`query Hostile { textList(where: "${'('.repeat(90_000)}") { count } }`),
      /parenthes|nest|levels/,
    ],
    [
      'with 2,400 unknown variables',
      query(`query Hostile(${repeat(2_400, (n) => `$v${n}: X${n}`, ' ')}) { textList { count } }`),
      /Variable "\$v0" is never used/,
    ],
    [
      'with a name of three million characters',
      query('{ textList { count } }', 'x'.repeat(3_000_000)),
      /at most 100 characters/,
    ],
    ['with 40,000 mappings', Array.from({ length: 40_000 }, () => ({})), /at most 500 items/],
  ])('%s is refused at once, with a short error', async (_name, mappings, problem) => {
    const { status, text } = await save(mappings);
    expect(status).toBe(400);
    expect(text.length).toBeLessThan(20_000);
    const { problems } = JSON.parse(text) as { problems: { message: string }[] };
    expect(problems.length).toBeLessThanOrEqual(101);
    expect(problems.map(({ message }) => message).join('\n')).toMatch(problem);
  });

  it('with a hostile name is refused at once', async () => {
    const { status, text } = await save([], `${'<script>'.repeat(400_000)}`);
    expect(status).toBe(400);
    expect(text.length).toBeLessThan(2_000);
  });
});

describe.skipIf(process.platform !== 'linux')('requests of which no two are alike', () => {
  const requests = roundsOf({ usual: 1_500, long: 100_000 });
  const long = 'x'.repeat(1_500);
  const peakMb = () =>
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${serving.pid}/status`, 'utf8'))?.[1]) / 1024;
  const form = { 'Content-Type': 'application/json' };

  it.each<[name: string, requestOf: (n: number) => Parameters<typeof sendRaw>[1]]>([
    [
      'predicates and query strings',
      (n) => {
        const query = { from: 'com.colophon.cms.db.Text', where: `name = "${n}${long}" or name = "${n}"` };
        return {
          method: 'GET',
          path: `/api/rest/cma/contents?${new URLSearchParams(query)}`,
          headers: admin,
        };
      },
    ],
    [
      'GraphQL documents',
      (n) => ({
        method: 'POST',
        path: '/graphql/open',
        headers: form,
        body: JSON.stringify({ query: `{ a${n}: textList(where: "name = '${n}'") { count } } # ${long}` }),
      }),
    ],
    [
      'variables of a mapped route',
      (n) => ({ method: 'GET', path: `/attacked/list?where=name%20=%20%22${n}${long}%22` }),
    ],
  ])(
    '%s take a limited amount of memory',
    async (_name, requestOf) => {
      let sent = 0;
      const send = async (count: number) => {
        const end = sent + count;
        const sender = async () => {
          while (sent < end) expect((await sendRaw(serving.url, requestOf(sent++))).status).toBe(200);
        };
        await Promise.all([sender(), sender(), sender(), sender()]);
      };
      // Fills the caches, whose entries are limited in number and in size.
      await send(requests);
      const beforeMb = peakMb();
      await send(requests);
      expect(peakMb() - beforeMb).toBeLessThan(60);
    },
    roundsOf({ usual: 60_000, long: 1_200_000 }),
  );
});
