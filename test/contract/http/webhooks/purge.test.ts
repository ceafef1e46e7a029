/** Webhooks that purge a cache, on a listening server with a real receiver. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readAdminDocument } from '../../../../src/documents/openapi-document.ts';
import { createContractAssertions } from '../../../support/contract-assertions.ts';
import { keepsHistory } from '../../../support/history.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../../../support/instance.ts';
import { type PurgeReceiver, startPurgeReceiver } from '../../../support/purge-receiver.ts';
import { isLong } from '../../../support/rounds.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { createAdminContext } from '../admin/admin-caller.ts';

const text = 'com.colophon.cms.db.Text';
const token = 'a-token-that-must-stay-secret';

describeOnEachStore('a webhook that purges', (locations, { isWhole }) => {
  const location = locations();
  let instance: TestInstance;
  let client: ClientHeaders;
  let receiver: PurgeReceiver;
  let isLogged = true;
  const created: string[] = [];
  const contract = createContractAssertions(readAdminDocument());
  const { call } = createAdminContext({ instance: () => instance, client: () => client, contract });
  const settings = { webhookPrivate: true, secretKey: 'a-key-that-only-tests-of-webhooks-have' };

  const start = async () => {
    instance = await startInstance(location, settings);
    client = await instance.createClient({ scopes: ['admin'] });
    await instance.refresh();
  };
  beforeAll(async () => {
    receiver = await startPurgeReceiver();
    await start();
    isLogged = await keepsHistory(instance);
  });
  afterEach(async () => {
    for (const id of created.splice(0)) await call('DELETE', `/webhooks/${id}`);
    receiver.answer(200);
    receiver.clear();
  });
  afterAll(() => receiver.stop());

  const definition = (
    purge: object = { headers: { 'Surrogate-Key': '{tags:space}' } },
    fields: object = {},
  ) => ({
    name: randomUUID(),
    kind: 'purge',
    url: `${receiver.url}/purge`,
    types: [text],
    purge,
    ...fields,
  });
  const create = async (purge?: object, fields?: object) => {
    const { status, body } = await call('POST', '/webhooks', { body: definition(purge, fields) });
    if (status !== 201) throw new Error(JSON.stringify(body));
    created.push(body.webhook.id);
    return { webhook: body.webhook, path: `/webhooks/${body.webhook.id}` };
  };
  const write = async (name: string) =>
    (await instance.services.content.create({ _type: text, name }, {})).asset._id;
  const tagsOf = (header: unknown) => String(header).split(' ');
  const purgesOf = (tag: string) =>
    receiver.requests.filter(
      ({ headers, status }) => status === 200 && tagsOf(headers['surrogate-key']).includes(tag),
    );
  const untilPurged = (tag: string, times = 2) =>
    receiver.until(() => purgesOf(tag).length >= times, `${times} purges of ${tag}`);

  it('sends the tags of changes together, and once more some seconds later', async ({ skip }) => {
    if (!isLogged) skip();
    await create({
      method: 'PURGE',
      headers: { 'Surrogate-Key': '{tags:space}' },
      secretHeaders: { 'X-Token': token },
      body: '{"comma":"{tags:comma}","json":{tags:json},"regex":"{tags:regex}"}',
      maxTags: 100,
    });
    const { content } = instance.services;
    const [one, other] = [await write('One'), await write('Other')];
    await content.update({ id: one, body: { name: 'One again' } }, {});
    await content.delete({ id: other }, {});
    for (const id of [one, other]) await untilPurged(id);
    const [first] = purgesOf(one);
    const tags = tagsOf(first?.headers['surrogate-key']);
    expect(tags).toEqual(expect.arrayContaining(['colophon:any', `${text}:any`, one]));
    expect(tags).toHaveLength(new Set(tags).size);
    expect(first).toMatchObject({ method: 'PURGE', headers: { 'x-token': token } });
    expect(first?.headers['webhook-signature']).toMatch(/^v1,/);
    const body = JSON.parse(String(first?.body).replaceAll('\\', '\\\\'));
    expect([body.comma.split(','), body.json]).toEqual([tags, tags]);
    expect(tags.every((tag) => new RegExp(`^${body.regex}$`).test(tag))).toBe(true);
    expect(purgesOf(text)).toEqual([]);
  });

  it('is shown, tested and changed without its secrets', async ({ skip }) => {
    if (!isLogged) skip();
    const { path, webhook } = await create({
      headers: { 'Surrogate-Key': '{tags:space}' },
      secretHeaders: { 'X-Token': token },
    });
    expect(webhook).toMatchObject({ kind: 'purge', purge: { method: 'POST', secretHeaders: ['X-Token'] } });
    const purge = { headers: { 'X-Purge': '{tags:comma}' } };
    const changed = await call('PATCH', path, { body: { purge } });
    expect(changed.body.purge).toEqual({
      method: 'POST',
      maxTags: 30,
      secretHeaders: ['X-Token'],
      ...purge,
    });
    const test = await call('POST', `${path}/test`);
    expect(receiver.requests.at(-1)?.headers).toMatchObject({
      'x-token': token,
      'x-purge': 'colophon:test',
    });
    expect(test.body).toMatchObject({ delivered: true, request: { url: `${receiver.url}/purge` } });
    // The receiver repeats the headers of the request.
    expect(test.body.response.body).toContain('[secret]');
    const { items } = await instance.services.audit.page({ filter: { asset: webhook.id }, limit: 10 });
    const shown = [webhook, changed.body, test.body, (await call('GET', '/webhooks')).body, items];
    expect(JSON.stringify(shown)).not.toContain(token);
    const removed = await call('PATCH', path, { body: { purge: { ...purge, secretHeaders: {} } } });
    expect(removed.body.purge.secretHeaders).toEqual([]);
    await call('POST', `${path}/test`);
    expect(receiver.requests.at(-1)?.headers).not.toHaveProperty('x-token');
  });

  it('loses nothing while its receiver fails, nor when its process ends', async ({ skip }) => {
    if (!isLogged) skip();
    const { path } = await create();
    receiver.answer(503);
    const id = await write('Missed');
    await receiver.until(() => receiver.requests.length > 0, 'a failure');
    await expect
      .poll(async () => (await call('GET', path)).body, { timeout: 60_000 })
      .toMatchObject({ state: 'failing', lastError: 'The receiver answered 503' });
    await instance.stop();
    receiver.answer(200);
    await start();
    instance.advanceClock(6_000);
    await untilPurged(id);
    await expect
      .poll(async () => (await call('GET', path)).body, { timeout: 60_000 })
      .not.toHaveProperty('lastError');
  });

  it('purges each change twice while changes keep coming', async ({ skip }) => {
    if (!isLogged) skip();
    await create();
    const ids: string[] = [];
    // Changes are always gathering while earlier ones are sent again.
    while (ids.length === 0 || purgesOf(ids[0] ?? '').length < 2) {
      ids.push(await write('One of many'));
      await sleep(200);
    }
    for (const id of ids) await untilPurged(id);
  });

  // The worker must read 1,200 changes within some seconds, which a busy machine does not allow.
  it.runIf(isWhole && isLong)('purges types instead of assets after very many changes', async () => {
    await create();
    receiver.answer(503);
    const ids = await Promise.all(Array.from({ length: 1_200 }, (_, n) => write(`Flood ${n}`)));
    await receiver.until(() => receiver.requests.length > 0, 'a failure');
    // By then the worker has read the whole log.
    await sleep(5_000);
    receiver.answer(200);
    instance.advanceClock(6_000);
    await untilPurged(text);
    const purges = receiver.requests.filter(({ status }) => status === 200);
    expect(purges.length).toBeLessThan(5);
    expect(JSON.stringify(purges)).not.toContain(ids[600]);
  });

  it('makes a request for each tag if the template says so', async ({ skip }) => {
    if (!isLogged) skip();
    await create({ method: 'DELETE' }, { url: `${receiver.url}/purge/{tag}?soft=1` });
    const id = await write('Single');
    const wanted = ['colophon%3Aany', `${text}%3Aany`, id].map((tag) => `/purge/${tag}?soft=1`);
    await receiver.until(
      () => wanted.every((path) => receiver.requests.filter((each) => each.path === path).length >= 2),
      'two purges of each tag',
    );
    expect(new Set(receiver.requests.map(({ path }) => path))).toEqual(new Set(wanted));
  });

  it('can be created from the examples of the guide', async () => {
    const guide = readFileSync('docs/webhooks.md', 'utf8');
    const examples = [...guide.matchAll(/```json\n([^`]*"kind": "purge"[^`]*)```/g)].map(
      ([, json = '']) => json,
    );
    expect(examples).toHaveLength(3);
    for (const example of examples) {
      const { status, body } = await call('POST', '/webhooks', { body: JSON.parse(example) });
      expect([example, status]).toEqual([example, isLogged ? 201 : 501]);
      // Before its worker sends anything to the Internet.
      if (isLogged) await call('DELETE', `/webhooks/${body.webhook.id}`);
    }
  });

  describe('a definition that is refused', () => {
    it.each<[string, string, object, object?]>([
      ['without a placeholder', 'purge', {}],
      ['with an unknown placeholder', 'purge.body', { body: '{tags:pipe}' }],
      ['with {tags}', 'purge.headers.X', { headers: { X: '{tags}' } }],
      ['with {tag} beside others', 'purge', { headers: { X: '{tag}', Y: '{tags:comma}' } }],
      ['with a placeholder in the host', 'url', {}, { url: 'http://{tag}.example.com/' }],
      ['with a header of the connection', 'purge.headers.Host', { headers: { Host: 'x', X: '{tag}' } }],
      [
        'with a header twice',
        'purge.secretHeaders.x',
        { headers: { X: '{tag}' }, secretHeaders: { x: '1' } },
      ],
      ['with a line break', 'purge.headers.X', { headers: { X: '{tag}\r\nY: 1' } }],
      ['with another method', 'purge.method', { method: 'TRACE', headers: { X: '{tag}' } }],
      ['with a predicate', 'where', { headers: { X: '{tag}' } }, { where: "name = 'x'" }],
      ['with some actions', 'actions', { headers: { X: '{tag}' } }, { actions: ['create'] }],
      ['with assets', 'payload', { headers: { X: '{tag}' } }, { payload: 'asset' }],
      ['of the kind changes', 'purge', { headers: { X: '{tag}' } }, { kind: 'changes' }],
      ['without a template', 'purge', {}, { purge: undefined }],
    ])('%s', async (_name, path, purge, fields) => {
      const { status, body } = await call('POST', '/webhooks', { body: definition(purge, fields) });
      if (!isLogged) return expect(status).toBe(501);
      expect(status).toBe(400);
      expect(body.problems.map((each: { path: string }) => each.path)).toEqual([path]);
    });
  });
});
