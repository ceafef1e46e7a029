/** `Idempotency-Key` on mutations, of GraphQL endpoints and of mapped routes: a repeated request gets the first response. */
import { beforeAll, describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../../../src/access/idempotency/idempotent-requests.ts';
import { storeBusy } from '../../../../src/base/errors.ts';
import type { JsonObject } from '../../../../src/model/content-type.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../../../support/instance.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { createRoutesContext } from '../routes/routes-context.ts';
import { article, asJson, author, createGraphqlContext, noAsset } from './graphql-context.ts';

const create =
  'mutation ($name: String!, $text: RichText) { createText(input: {name: $name, text: $text}) { _id name text } }';
const update =
  'mutation ($id: ID!, $name: String) { updateText(_id: $id, input: {name: $name}) { _id name } }';
const remove = 'mutation ($id: ID!) { deleteText(_id: $id) }';

describeOnEachStore('a mutation with an Idempotency-Key', (locations) => {
  let instance: TestInstance;
  let client: ClientHeaders;
  let keys = 0;
  const graphql = createGraphqlContext(() => instance);
  const routes = createRoutesContext(() => instance);
  const newKey = () => `key-${keys++}`;
  const send = (key: string, query: string, variables: object = {}, path = 'management') =>
    graphql.send('POST', path, {
      body: { query, variables },
      headers: { ...client, ...asJson, 'Idempotency-Key': key },
    });
  const codesOf = ({ body }: { body: { errors: { extensions: JsonObject }[] } }) =>
    body.errors.map(({ extensions }) => [extensions.code, extensions.path]);
  const countOf = async (name: string) =>
    (await graphql.cma('GET', `?from=com.colophon.cms.db.Text&where=name%20=%20'${name}'&limit=0`)).result
      .count;

  beforeAll(async () => {
    instance = await startInstance(locations());
    client = await graphql.createClient();
    await graphql.createEndpoint({ name: 'open', writeTypes: ['*'] });
  });

  it('creates once when it is sent ten times at once, and again after the asset was deleted', async () => {
    const key = newKey();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => send(key, create, { name: 'once' })),
    );
    expect(new Set(responses.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(responses.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(9);
    expect(await countOf('once')).toBe(1);
    const { _id } = responses[0]?.body.data.createText ?? {};
    await graphql.cma('DELETE', `/${_id}`);
    expect((await send(key, create, { name: 'once' })).body).toEqual(responses[0]?.body);
    expect(await countOf('once')).toBe(0);
  });

  it('may be an update and a deletion, which leave what others write later', async () => {
    const body = {
      _id: '0190a0c0-0000-7000-8000-0000000000e1',
      _type: 'com.colophon.cms.db.Text',
      name: 'a',
    };
    await graphql.create(body);
    const [updating, deleting] = [newKey(), newKey()];
    const sendUpdate = () => send(updating, update, { id: body._id, name: 'mine' });
    const sendDeletion = () => send(deleting, remove, { id: body._id });
    const updated = await sendUpdate();
    await graphql.cma('PUT', `/${body._id}`, { name: 'of others' });
    expect((await sendUpdate()).body).toEqual(updated.body);
    expect((await graphql.cma('GET', `/${body._id}`)).result.name).toBe('of others');
    const deleted = await sendDeletion();
    await graphql.create(body);
    expect([deleted.body.data, (await sendDeletion()).body]).toEqual([{ deleteText: true }, deleted.body]);
    expect((await graphql.cma('GET', `/${body._id}`)).status).toBe(200);
  });

  describe('whose process died before the response', () => {
    /** Runs a mutation as a process does that dies before it stores the response. */
    async function dieAfter(key: string, query: string, variables: JsonObject): Promise<void> {
      const { requests, graphqlEndpoints, apis } = instance.services;
      const endpoint = (await graphqlEndpoints.list()).find(({ path }) => path === 'management');
      const operation = endpoint && apis.get(endpoint).prepare(query);
      if (!operation || 'problems' in operation) throw new Error('not prepared');
      const mediaType = 'application/json; charset=utf-8';
      const fingerprint = fingerprintOf('/graphql/management', {
        ...{ query, operationName: null, variables, mediaType },
      });
      const dying = requests.run({ key, owner: client['X-Client-Id'], fingerprint }, async (reserved) => {
        await operation.run({ variables, caller: {}, reserved });
        throw storeBusy('the process has died');
      });
      await expect(dying).rejects.toThrow('died');
    }

    it('recognizes what it has written', async () => {
      const [creating, updating, deleting] = [newKey(), newKey(), newKey()];
      await dieAfter(creating, create, { name: 'late' });
      const { _id: id } = (await send(creating, create, { name: 'late' })).body.data.createText;
      expect(await countOf('late')).toBe(1);
      await dieAfter(updating, update, { id, name: 'later' });
      await graphql.cma('PUT', `/${id}`, { name: 'latest' });
      const { body } = await send(updating, update, { id, name: 'later' });
      expect(body.data).toEqual({ updateText: { _id: id, name: 'latest' } });
      await dieAfter(deleting, remove, { id });
      expect((await send(deleting, remove, { id })).body.data).toEqual({ deleteText: true });
    });
  });

  it('gets 409 with other variables, another document and another endpoint, and 400 where no key is allowed', async () => {
    const key = newKey();
    await send(key, create, { name: 'b' });
    const reused = [['idempotency_key_reused', undefined]];
    expect(codesOf(await send(key, create, { name: 'c' }))).toEqual(reused);
    expect(codesOf(await send(key, `${create} `, { name: 'b' }))).toEqual(reused);
    const refused = [['invalid_parameter', 'Idempotency-Key']];
    const several =
      'mutation { a: createText(input: {name: "d"}) { name } ...B } fragment B on Mutation { deleteText(_id: "1") }';
    expect(codesOf(await send(newKey(), several))).toEqual(refused);
    expect(codesOf(await send('a b', create, { name: 'd' }))).toEqual(refused);
    expect(codesOf(await send(newKey(), create, { name: 'd' }, 'open'))).toEqual(refused);
    expect(await countOf('d')).toBe(0);
    const typed = 'mutation { __typename createText(input: {name: "e"}) { name } }';
    expect((await send(newKey(), typed)).status).toBe(200);
  });

  it('is a query without effect', async () => {
    const { status, headers } = await send(newKey(), '{ textList { count } }', {}, 'open');
    expect([status, headers['idempotency-replayed']]).toEqual([200, undefined]);
  });

  it('gets the same refusal again', async () => {
    const key = newKey();
    const missing = { id: noAsset, name: 'x' };
    const first = await send(key, update, missing);
    const again = await send(key, update, missing);
    expect([first.body.errors[0].extensions.code, again.body]).toEqual(['not_found', first.body]);
    expect(again.headers['idempotency-replayed']).toBe('true');
  });

  it('does not keep a response of more than 1 MiB, and still creates once', async () => {
    const key = newKey();
    const variables = { name: 'large', text: 'x'.repeat(1_100_000) };
    const first = await send(key, create, variables);
    const again = await send(key, create, variables);
    expect([first.status, again.status, codesOf(again)]).toEqual([
      200,
      400,
      [['answer_too_large', undefined]],
    ]);
    expect([again.body.extensions, await countOf('large')]).toEqual([first.body.extensions, 1]);
  });

  it('gets 404 after an asset of its response was erased, also one that it only refers to', async () => {
    const { _id } = await graphql.create({ _type: author, slug: 'gone', name: 'Forgotten' });
    const query =
      'mutation ($input: CreateArticleInput!) { createArticle(input: $input) { author { name } } }';
    const input = { slug: 'kept', headline: 'Kept', status: 'DRAFT', author: { _ref: _id } };
    const key = newKey();
    expect((await send(key, query, { input })).body.data).toEqual({
      createArticle: { author: { name: 'Forgotten' } },
    });
    const { content, erase } = instance.services;
    const { items } = await content.find({ from: article, offset: 0, limit: 1, withCount: false }, {});
    await content.delete({ id: String(items[0]?.asset._id) }, {});
    await erase({ id: _id }, {});
    const { status, body } = await send(key, query, { input });
    expect([status, body.errors[0].extensions.code, JSON.stringify(body).includes('Forgotten')]).toEqual([
      404,
      'not_found',
      false,
    ]);
  });

  it('may be sent to a mapped route, whose document has the parameter', async () => {
    const named = create.replace('mutation', 'mutation Add');
    const mappings = [
      { name: 'Add', query: named },
      { name: 'Add by GET', query: named, methods: ['GET'] },
    ];
    await routes.publish({ name: 'Texts', source: 'management', mappings });
    await routes.publish({ name: 'Anyone', source: 'management', access: 'ANYONE', mappings });
    const add = (key: string, name: string, path = '/texts/add') =>
      routes.call('POST', path, { json: { name }, headers: { ...client, 'Idempotency-Key': key } });
    const key = newKey();
    const responses = await Promise.all([add(key, 'routed'), add(key, 'routed'), add(key, 'routed')]);
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    const replayed = responses.filter(({ headers }) => headers['idempotency-replayed'] === 'true');
    expect([replayed.length, await countOf('routed')]).toEqual([2, 1]);
    expect(new Set(responses.map(({ headers }) => headers['x-change'])).size).toBe(1);
    expect(codesOf(await add(key, 'other'))).toEqual([['idempotency_key_reused', undefined]]);
    expect(codesOf(await add(newKey(), 'other', '/anyone/add'))).toEqual([
      ['invalid_parameter', 'Idempotency-Key'],
    ]);
    const byGet = { ...client, 'Idempotency-Key': newKey() };
    const got = [1, 2].map(() => routes.call('GET', '/texts/add-by-get?name=got', { headers: byGet }));
    expect(new Set((await Promise.all(got)).map(({ text }) => text)).size).toBe(1);
    expect(await countOf('got')).toBe(1);
  });
});
