/** The context of the GraphQL cases: a listening instance, calls to it, endpoints and content. */
import request from 'supertest';
import type { NewApiClient } from '../../../../src/access/clients/api-clients.ts';
import type {
  GraphqlEndpoint,
  GraphqlEndpointDefinition,
} from '../../../../src/graphql/endpoints/graphql-endpoint.ts';
import type { ClientHeaders, TestInstance } from '../../../support/instance.ts';

export const article = 'com.example.news.Article';
export const author = 'com.example.news.Author';
export const image = 'com.example.news.Image';
export const section = 'com.example.news.Section';
export const site = 'com.colophon.cms.db.Site';
/** A UUID that no asset has. */
export const noAsset = '0190a0c0-0000-7000-8000-000000000000';

/** Headers that request each of the two media types of a response. */
export const asJson = { Accept: 'application/json' };
export const asGraphql = { Accept: 'application/graphql-response+json' };

/** The parameters of a GraphQL request. */
export interface Asked {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string | null;
}

/** One HTTP request; `body` is sent as JSON, `raw` as it is. */
export interface Sent {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly raw?: string | Buffer;
}

/** A response of a GraphQL endpoint. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: bodies differ from test to test
  readonly body: any;
}

/** Shared by all cases of one suite. */
export interface GraphqlContext {
  instance(): TestInstance;
  /** Sends any request; `path` is below `/graphql/`. */
  send(method: string, path: string, sent?: Sent): Promise<Reply>;
  /** Sends a GraphQL request by POST. */
  ask(path: string, asked: Asked | string, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** Runs an operation that must succeed, and returns its data. */
  // biome-ignore lint/suspicious/noExplicitAny: data differs from test to test
  dataOf(path: string, query: string, variables?: Readonly<Record<string, unknown>>): Promise<any>;
  /** Runs an operation that must fail, and returns the path and the extensions of each error. */
  errorsOf(path: string, query: string, variables?: Readonly<Record<string, unknown>>): Promise<unknown[]>;
  /** Creates an endpoint; by default it reads all types, anyone has access, and its path is its name. */
  createEndpoint(
    definition: Partial<GraphqlEndpointDefinition> & { readonly name: string },
  ): Promise<GraphqlEndpoint>;
  /** Creates an API client, by default with the scope `graphql`. */
  createClient(client?: Partial<NewApiClient>): Promise<ClientHeaders>;
  /** Adds a key to a client. */
  createKey(client: ClientHeaders): Promise<{ readonly id: string; readonly secret: string }>;
  /** Creates an asset through the CMA. */
  create(fields: object): Promise<StoredContent>;
  /** Calls the CMA, relative to its base path; returns the status and the result. */
  cma(method: string, path: string, body?: object): Promise<CmaReply>;
  /** Returns an unused slug. */
  newSlug(): string;
}

/** A response of the CMA. */
export interface CmaReply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: results differ from test to test
  readonly result: any;
}

/** An asset as the CMA returns it. */
export interface StoredContent {
  readonly _id: string;
  readonly [field: string]: unknown;
}

/** Creates the context of a suite whose instance starts later. */
export function createGraphqlContext(instance: () => TestInstance): GraphqlContext {
  let slugs = 0;

  async function send(method: string, path: string, sent: Sent = {}): Promise<Reply> {
    const pending = request(instance().url)
      [method.toLowerCase() as 'get'](`/graphql/${path}`)
      .set({ ...sent.headers })
      .query({ ...sent.parameters });
    if (sent.body !== undefined)
      pending.set('Content-Type', 'application/json').send(JSON.stringify(sent.body));
    else if (sent.raw !== undefined) pending.serialize((raw) => raw).send(sent.raw);
    const { status, headers, text: received, body } = await pending;
    return { status, headers, body: received ? body : undefined };
  }

  const ask: GraphqlContext['ask'] = (path, asked, headers = {}) =>
    send('POST', path, { body: typeof asked === 'string' ? { query: asked } : asked, headers });

  const dataOf: GraphqlContext['dataOf'] = async (path, query, variables = {}) => {
    const { status, body } = await ask(path, { query, variables });
    if (status !== 200 || body.errors) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body.data;
  };

  const errorsOf: GraphqlContext['errorsOf'] = async (path, query, variables = {}) => {
    const { body } = await ask(path, { query, variables });
    if (!body.errors) throw new Error(`nothing was refused: ${JSON.stringify(body)}`);
    return body.errors.map(({ path: at, extensions }: { path?: string[]; extensions: object }) => ({
      at: at?.join('.'),
      ...extensions,
    }));
  };

  const createEndpoint: GraphqlContext['createEndpoint'] = async (definition) => {
    const body = { readTypes: ['*'], access: 'ANYONE', ...definition };
    const endpoint = await instance().services.graphqlEndpoints.create(body);
    await instance().refresh();
    return endpoint;
  };

  const createClient: GraphqlContext['createClient'] = async (client = {}) => {
    const headers = await instance().createClient({ scopes: ['graphql'], ...client });
    await instance().refresh();
    return headers;
  };

  const createKey: GraphqlContext['createKey'] = async (client) => {
    const { clients } = instance().services;
    const { key, secret } = await clients.addKey({ clientId: client['X-Client-Id'], name: 'test' });
    await instance().refresh();
    return { id: key.id, secret };
  };

  const cma: GraphqlContext['cma'] = async (method, path, body) => {
    const { cmaUrl, headers } = instance();
    const pending = request(cmaUrl)[method.toLowerCase() as 'get'](path).set(headers);
    const { status, body: answered } = await (body ? pending.send(body) : pending);
    return { status, result: answered.result };
  };

  async function create(fields: object): Promise<StoredContent> {
    const { status, result } = await cma('POST', '', fields);
    if (status !== 200) throw new Error(`not created: ${JSON.stringify(fields)}`);
    return result;
  }

  const newSlug = () => `slug-${slugs++}`;
  return {
    instance,
    send,
    ask,
    dataOf,
    errorsOf,
    createEndpoint,
    createClient,
    createKey,
    create,
    cma,
    newSlug,
  };
}

/** Builds a reference as it is stored in an asset. */
export function reference(target: { readonly _id: string }, type: string): object {
  return { _ref: target._id, _type: type };
}
