/**
 * Apollo Client, urql and Relay with a server: automatic persisted queries, and trusted documents.
 *
 * `relay/` has what relay-compiler 21.0.1 writes with the `persistConfig` `{"file": …, "algorithm": "SHA256"}` for the two operations.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { addTypenameToDocument } from '@apollo/client/utilities';
import { Client, createRequest, fetchExchange, stringifyDocument } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';
import { print } from 'graphql';
import {
  type ConcreteRequest,
  commitMutation,
  Environment,
  fetchQuery,
  type GraphQLResponse,
  Network,
  RecordSource,
  Store,
} from 'relay-runtime';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { GraphqlEndpoint } from '../../../../src/graphql/endpoints/graphql-endpoint.ts';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { sqliteLocation } from '../../../support/stores.ts';
import { createGraphqlContext } from './graphql-context.ts';

let instance: TestInstance;
let only: GraphqlEndpoint;
/** What the client has sent: the method, and whether the request had the text of a query. */
let sent: string[];
const { createEndpoint, create } = createGraphqlContext(() => instance);
const data = { textList: { items: [{ name: 'first' }] } };

/** Sends a request of a client to an endpoint, and notes it. */
const recording: typeof fetch = (input, init) => {
  const all = `${String(input)} ${String(init?.body ?? '')}`;
  sent.push(`${init?.method ?? 'GET'}${/["?&]query["=]/.test(all) ? ' query' : ''}`);
  return fetch(input, init);
};
const url = (path: string) => `${instance.url}/graphql/${path}`;

beforeAll(async () => {
  instance = await startInstance(sqliteLocation());
  await createEndpoint({ name: 'apollo', writeTypes: ['*'] });
  await createEndpoint({ name: 'urql', writeTypes: ['*'] });
  only = await createEndpoint({ name: 'only', writeTypes: ['*'], trustedOnly: true });
  await create({ _type: 'com.colophon.cms.db.Text', name: 'first' });
});
beforeEach(() => {
  sent = [];
});

async function store(...add: string[]): Promise<void> {
  const { trustedDocuments, apis } = instance.services;
  await trustedDocuments.change({ endpoint: only, api: apis.get(only) }, { add, remove: [] });
  await instance.refresh();
}

/** Creates a client of Apollo that sends hashes; each has its own cache. */
function apollo(path: string): ApolloClient {
  const sha256 = (text: string) => hash('sha256', text);
  const persisted = new PersistedQueryLink({ sha256, useGETForHashedQueries: true });
  const link = ApolloLink.from([persisted, new HttpLink({ uri: url(path), fetch: recording })]);
  return new ApolloClient({ link, cache: new InMemoryCache() });
}

const texts = gql`query Texts { textList(limit: 1) { items { name } } }`;

it('Apollo Client registers a query once, and then sends its hash by GET', async () => {
  expect((await apollo('apollo').query({ query: texts })).data).toMatchObject(data);
  expect((await apollo('apollo').query({ query: texts })).data).toMatchObject(data);
  expect(sent).toEqual(['GET', 'POST query', 'GET']);
});

it('Apollo Client runs a trusted document by its hash where nothing else is run', async () => {
  const unknown = apollo('only').query({ query: texts });
  await expect(unknown).rejects.toThrow('This endpoint runs only the documents that are stored for it');
  expect(sent).toEqual(['GET', 'POST query']);
  // The client adds the field to each selection.
  await store(print(addTypenameToDocument(texts)));
  sent = [];
  expect((await apollo('only').query({ query: texts })).data).toMatchObject(data);
  expect(sent).toEqual(['GET']);
});

it('Apollo Client sends mutations by hash', async () => {
  const mutation = gql`mutation Add { createText(input: { name: "of Apollo" }) { name } }`;
  const result = await apollo('apollo').mutate({ mutation });
  expect(result.data).toMatchObject({ createText: { name: 'of Apollo' } });
  expect(sent).toEqual(['POST', 'POST query']);
});

/** Creates a client of urql that sends hashes. */
function urql(path: string): Client {
  const persisted = persistedExchange({ preferGetForPersistedQueries: true, enableForMutation: true });
  return new Client({
    url: url(path),
    fetch: recording,
    exchanges: [persisted, fetchExchange],
    preferGetMethod: false,
  });
}
const own = 'query Own { textList(limit: 1) { items { name } } }';

it('urql registers a query once, and then sends its hash by GET', async () => {
  expect((await urql('urql').query(own, {})).data).toEqual(data);
  expect((await urql('urql').query(own, {})).data).toEqual(data);
  expect(sent).toEqual(['GET', 'GET query', 'GET']);
  const add = 'mutation Add($name: String!) { createText(input: { name: $name }) { name } }';
  const { data: added } = await urql('urql').mutation(add, { name: 'of urql' });
  expect(added).toEqual({ createText: { name: 'of urql' } });
});

it('urql ceases to send hashes where only trusted documents are run', async () => {
  const client = urql('only');
  const { error } = await client.query(own, {});
  expect(error?.graphQLErrors.map(({ extensions }) => extensions.code)).toEqual(['untrusted_document']);
  expect(sent).toEqual(['GET', 'GET query']);
  await store(stringifyDocument(createRequest(own, {}).query));
  expect((await urql('only').query(own, {})).data).toEqual(data);
});

const readJson = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'relay', `${name}.json`), 'utf8'));

it('Relay runs the documents that its compiler has written', async () => {
  const documents: Record<string, string> = readJson('persisted');
  await store(...Object.values(documents));
  const network = Network.create(async ({ id }, variables) => {
    const response = await recording(url('only'), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ documentId: `sha256:${id}`, variables }),
    });
    // The response of a GraphQL endpoint.
    return (await response.json()) as GraphQLResponse;
  });
  const environment = new Environment({ network, store: new Store(new RecordSource()) });
  const query: ConcreteRequest = readJson('AppTextsQuery');
  expect(await fetchQuery(environment, query, { limit: 1 }).toPromise()).toEqual(data);
  const mutation: ConcreteRequest = readJson('AppAddTextMutation');
  const added = await new Promise((resolve, reject) => {
    const variables = { name: 'of Relay' };
    commitMutation(environment, { mutation, variables, onCompleted: resolve, onError: reject });
  });
  expect(added).toEqual({ createText: { name: 'of Relay' } });
  expect(sent).toEqual(['POST', 'POST']);
});
