/** Documents that clients run by their hashes: trusted documents of an endpoint, and Apollo's automatic persisted queries. */
import { hash } from 'node:crypto';
import request from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import type { GraphqlEndpoint } from '../../../../src/graphql/endpoints/graphql-endpoint.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../../../support/instance.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { asGraphql, asJson, createGraphqlContext } from './graphql-context.ts';

const idOf = (text: string) => `sha256:${hash('sha256', text)}`;
const extensionsOf = (text: string) => ({ persistedQuery: { version: 1, sha256Hash: hash('sha256', text) } });
const texts = 'query Texts($limit: Int) { textList(limit: $limit) { count } }';
const two = 'query One { one: textList { count } } query Two { two: textList { count } }';
const add = 'mutation Add { createText(input: {name: "a"}) { name } }';

describeOnEachStore('documents that are run by their hashes', (locations, { isWhole }) => {
  let instance: TestInstance;
  let admin: ClientHeaders;
  let open: GraphqlEndpoint;
  const { ask, send, createEndpoint } = createGraphqlContext(() => instance);

  /** Changes the documents of an endpoint by the admin API. */
  async function change({ id }: GraphqlEndpoint, body: object) {
    const path = `/api/admin/graphql-endpoints/${id}/documents`;
    return request(instance.url).post(path).set(admin).send(body);
  }
  const codeOf = ({ status, body }: { status: number; body: { errors?: { extensions: object }[] } }) => [
    status,
    body.errors?.map(({ extensions }) => Object(extensions).code),
  ];

  beforeAll(async () => {
    instance = await startInstance(locations());
    admin = await instance.createClient({ scopes: ['admin'] });
    open = await createEndpoint({ name: 'open', writeTypes: ['*'] });
    await instance.refresh();
  });

  describe('a trusted document', () => {
    it('is run by its ID, by POST and by GET, as soon as it is stored', async () => {
      const unknown = { documentId: idOf(texts), variables: { limit: 1 } };
      expect(codeOf(await send('POST', 'open', { body: unknown, headers: asJson }))).toEqual([
        200,
        ['unknown_document'],
      ]);
      expect(codeOf(await send('POST', 'open', { body: unknown, headers: asGraphql }))).toEqual([
        400,
        ['unknown_document'],
      ]);
      const { status, body } = await change(open, { add: [texts, two, add, texts] });
      expect([status, body]).toEqual([200, { added: 3, removed: 0, stored: 3 }]);
      const data = { textList: { count: 0 } };
      expect((await send('POST', 'open', { body: unknown })).body).toEqual({ data });
      const parameters = { documentId: idOf(texts), variables: '{"limit":1}' };
      expect((await send('GET', 'open', { parameters })).body).toEqual({ data });
      const named = { documentId: idOf(two), operationName: 'Two' };
      for (const _ of [1, 2])
        expect((await send('POST', 'open', { body: named })).body).toEqual({ data: { two: { count: 0 } } });
      expect(codeOf(await send('POST', 'open', { body: { ...named, operationName: 'No' } }))).toEqual([
        200,
        ['invalid_query'],
      ]);
      expect(codeOf(await send('GET', 'open', { parameters: { documentId: idOf(add) } }))).toEqual([
        405,
        ['method_not_allowed'],
      ]);
    });

    it('is refused in wrong forms', async () => {
      const wrong = [
        [{ documentId: 1 }, 400, 'invalid_parameter'],
        [{ documentId: idOf(texts), query: texts }, 400, 'invalid_parameter'],
        [{ documentId: '' }, 200, 'unknown_document'],
        [{ documentId: 'md5:1' }, 200, 'unknown_document'],
        [{ documentId: '__proto__' }, 200, 'unknown_document'],
        [{}, 400, 'invalid_parameter'],
      ] as const;
      for (const [body, status, code] of wrong)
        expect(codeOf(await send('POST', 'open', { body, headers: asJson }))).toEqual([status, [code]]);
    });

    it('must be one that the endpoint can run, and does not exceed the limits', async () => {
      const reads = await createEndpoint({ name: 'reads', readTypes: ['com.example.news.Author'] });
      const wrong = await change(reads, {
        add: ['{ authorList { count } }', texts, '', '{', 'fragment A on B { c }'],
      });
      expect([wrong.status, wrong.body.problems.map(({ path }: { path: string }) => path)]).toEqual([
        400,
        ['add[1]', 'add[2]', 'add[3]', 'add[4]'],
      ]);
      const long = (n: number) => `{ authorList { count } } #${'x'.repeat(300_000)}${n}`;
      const most = [0, 1, 2, 3, 4, 5].map(long);
      expect((await change(reads, { add: most })).body).toMatchObject({ added: 6 });
      const excess = await change(reads, { add: [long(6)] });
      expect([excess.status, excess.body.problems[0].message]).toEqual([
        400,
        expect.stringMatching(/7 documents of 21\d{5} characters: it can have at most 2000/),
      ]);
      expect((await change(reads, {})).status).toBe(400);
      expect((await change(reads, { remove: ['x'] })).status).toBe(400);
      expect(
        (await change({ ...reads, id: '0190a0c0-0000-7000-8000-000000000000' }, { add: [] })).status,
      ).toBe(404);
    });

    it('is stored and removed while others change documents at the same time', async () => {
      const busy = await createEndpoint({ name: 'busy' });
      const documents = Array.from({ length: 12 }, (_, n) => `query Q${n} { textList { count } }`);
      const changes = await Promise.all(documents.map((document) => change(busy, { add: [document] })));
      expect(changes.map(({ body }) => body.added)).toEqual(documents.map(() => 1));
      const path = `/api/admin/graphql-endpoints/${busy.id}/documents`;
      const { body } = await request(instance.url).get(path).set(admin);
      expect(body.items.map(({ documentId }: { documentId: string }) => documentId).toSorted()).toEqual(
        documents.map(idOf).toSorted(),
      );
      expect(body.items[0]).toEqual({
        documentId: expect.any(String),
        name: expect.stringMatching(/^Q\d+$/),
        text: expect.any(String),
        storedAt: expect.any(Number),
      });
      const removed = await change(busy, { remove: [...documents, 'another'].map(idOf) });
      expect(removed.body).toEqual({ added: 0, removed: 12, stored: 0 });
      expect(codeOf(await send('POST', 'busy', { body: { documentId: idOf(documents[0] ?? '') } }))).toEqual([
        200,
        ['unknown_document'],
      ]);
    });

    it('goes with its endpoint', async () => {
      const { graphqlEndpoints, trustedDocuments } = instance.services;
      const gone = await createEndpoint({ name: 'gone' });
      await change(gone, { add: [texts] });
      await graphqlEndpoints.delete({ id: gone.id });
      expect((await trustedDocuments.listAll()).has(gone.id)).toBe(false);
    });

    it('is judged by mappings/check and the check of types', async () => {
      const check = await request(instance.url).post('/api/admin/mappings/check').set(admin);
      expect(check.body.documents).toMatchObject({ broken: [] });
      expect(check.body.documents.checked).toBeGreaterThan(2);
    });
  });

  it.runIf(isWhole)('an endpoint with trustedOnly runs nothing else', async () => {
    const only = await createEndpoint({ name: 'only', trustedOnly: true });
    await change(only, { add: [texts] });
    const data = { data: { textList: { count: expect.any(Number) } } };
    expect((await send('POST', 'only', { body: { documentId: idOf(texts) } })).body).toEqual(data);
    expect((await ask('only', texts)).body).toEqual(data);
    expect(codeOf(await ask('only', `${texts} `, asJson))).toEqual([200, ['untrusted_document']]);
    expect(codeOf(await ask('only', '{ __schema { __typename } }', asGraphql))).toEqual([
      400,
      ['untrusted_document'],
    ]);
    const byHash = (text: string) => ({ body: { extensions: extensionsOf(text) } });
    expect((await send('POST', 'only', byHash(texts))).body).toEqual(data);
    expect(codeOf(await send('POST', 'only', byHash(two)))).toEqual([200, ['PERSISTED_QUERY_NOT_SUPPORTED']]);
    const run = await request(instance.url)
      .post(`/api/admin/graphql-endpoints/${only.id}/run`)
      .set(admin)
      .send({ query: two, operationName: 'One' });
    expect(run.body).toEqual({ data: { one: { count: expect.any(Number) } } });
  });

  describe.runIf(isWhole)('an automatic persisted query', () => {
    const query = 'query Kept { textList { count } }';
    const data = { textList: { count: expect.any(Number) } };

    it('is found after it was sent once, by POST and by GET', async () => {
      const body = { extensions: extensionsOf(query) };
      for (const headers of [asJson, asGraphql]) {
        const missing = await send('POST', 'open', { body, headers });
        expect(codeOf(missing)).toEqual([200, ['PERSISTED_QUERY_NOT_FOUND']]);
        expect(missing.body.errors[0].message).toBe('PersistedQueryNotFound');
      }
      expect((await send('POST', 'open', { body: { ...body, query } })).body).toEqual({ data });
      expect((await send('POST', 'open', { body })).body).toEqual({ data });
      const parameters = { extensions: JSON.stringify(extensionsOf(query)), operationName: 'Kept' };
      expect((await send('GET', 'open', { parameters })).body).toEqual({ data });
    });

    it('is refused with a wrong hash, and not kept if it is invalid or of another endpoint', async () => {
      const wrong: [object, string][] = [
        [{ version: 1, sha256Hash: hash('sha256', 'x') }, 'extensions.persistedQuery.sha256Hash'],
        [{ version: 2, sha256Hash: hash('sha256', query) }, 'extensions.persistedQuery.version'],
        [{ version: 1, sha256Hash: 'X' }, 'extensions.persistedQuery.sha256Hash'],
      ];
      for (const [persistedQuery, path] of wrong) {
        const { status, body } = await send('POST', 'open', {
          body: { query, extensions: { persistedQuery } },
        });
        expect([status, body.errors[0].extensions]).toEqual([400, { code: 'invalid_parameter', path }]);
      }
      const invalid = '{ nothing }';
      await send('POST', 'open', { body: { query: invalid, extensions: extensionsOf(invalid) } });
      for (const [path, text] of [
        ['open', invalid],
        ['reads', query],
      ] as const)
        expect(codeOf(await send('POST', path, { body: { extensions: extensionsOf(text) } }))).toEqual([
          200,
          ['PERSISTED_QUERY_NOT_FOUND'],
        ]);
    });
  });
});
