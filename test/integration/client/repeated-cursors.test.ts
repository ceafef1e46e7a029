/** Readers of pages against a server that returns a cursor again: each of them stops with an error. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from '../../../src/client/index.ts';
import { environmentOf, startCommand } from '../../support/command-line.ts';
import { sqliteLocation } from '../../support/stores.ts';
import { type FakeServer, startFakeServer } from './fake-server.ts';

const text = {
  _id: '01935e4a-7c1b-7d52-9a6e-2f0c8b41d3e7',
  _type: 'com.colophon.cms.db.Text' as const,
  name: 'About us',
};
const repeats = (cursor: string) => expect.stringContaining(`The cursor "${cursor}" was returned before`);

let server: FakeServer;
beforeAll(async () => {
  server = await startFakeServer();
});
afterAll(() => server.close());

const connect = () =>
  createClient({ baseUrl: server.baseUrl, clientId: 'importer', clientSecret: 's3cret', retries: 0 });
const answer = (...results: object[]) =>
  server.answer(...results.map((result) => ({ body: { status: 'ok', result } })));
const page = (next: string) => ({ items: [text], next });
const feedPage = (cursor: string) => ({
  items: [{ op: 'deleted', id: text._id }],
  cursor,
  more: true,
  phase: 'changes',
});

/** Reads at most so many values. */
async function read(values: AsyncIterable<unknown>, most = 10): Promise<number> {
  let count = 0;
  for await (const _ of values) if (++count === most) break;
  return count;
}

it('eachAsset', async () => {
  answer(page('a'), page('b'), page('a'), page('b'));
  const each = read(connect().eachAsset({ from: text._type, pageSize: 1 }));
  await expect(each).rejects.toMatchObject({ code: 'unexpected_answer', message: repeats('a') });
  expect(server.received).toHaveLength(3);
});

it('changes', async () => {
  answer(feedPage('a'), feedPage('b'), feedPage('a'), feedPage('b'));
  const changes = read(connect().changes({ from: text._type }));
  await expect(changes).rejects.toMatchObject({ code: 'unexpected_answer', message: repeats('a') });
});

const commands: [command: string, words: string[], results: object[], cursor: string][] = [
  [
    'export --sort',
    ['export', '--from', text._type, '--sort', 'name'],
    [page('a'), page('b'), page('a')],
    'a',
  ],
  ['history', ['history', text._id], [{ items: [], next: 'a' }], 'a'],
];
it.each(commands)('%s', async (_name, words, results, cursor) => {
  const location = sqliteLocation();
  try {
    answer(...results);
    const credentials = { COLOPHON_CLIENT_ID: 'reader', COLOPHON_CLIENT_SECRET: 's3cret' };
    const command = startCommand([...words, '--url', server.baseUrl], {
      ...environmentOf(location),
      ...credentials,
    });
    const { exitCode, stderr } = await command.ended;
    expect([exitCode, stderr]).toEqual([1, repeats(cursor)]);
  } finally {
    await location.remove();
  }
});
