/** Cases that hold for every operation of the admin API, run for each operation in its OpenAPI document. */
import { describe, expect, it } from 'vitest';
import { readAdminDocument } from '../../../../src/documents/openapi-document.ts';
import { keepsHistory } from '../../../support/history.ts';
import { type AdminContext, anonymous, noId } from './admin-caller.ts';

interface Listed {
  readonly operationId: string;
  readonly method: string;
  /** The path with IDs that no record has. */
  readonly path: string;
  /** The required parameters of its query, with a `&` behind each. */
  readonly query: string;
  readonly hasBody: boolean;
  readonly statuses: readonly string[];
}

const document = readAdminDocument();
const paths = Object.entries(document.paths)
  .filter(([path]) => path.startsWith('/'))
  .map(([path, item]) => ({ path: fillIn(path), item: Object(item) }));
const operations = paths.flatMap(({ path, item }) =>
  ['get', 'post', 'put', 'patch', 'delete'].flatMap((method): Listed[] => {
    const { operationId, parameters = [], requestBody, responses } = item[method] ?? {};
    if (operationId === undefined) return [];
    const query = toQuery(parameters);
    const hasBody = requestBody !== undefined;
    return [{ operationId, method, path, query, hasBody, statuses: Object.keys(responses) }];
  }),
);

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly example?: unknown;
}

/** Uses the examples of the document. */
function toQuery(parameters: readonly Parameter[]): string {
  return parameters
    .filter(({ in: place, required }) => place === 'query' && required)
    .map(({ name, example }) => `${name}=${example}&`)
    .join('');
}

function fillIn(path: string): string {
  return path
    .replace('/api/admin', '')
    .replace('{class}', 'com.example.Poem')
    .replace('{number}', '1')
    .replace('{seq}', '1')
    .replace(/\{\w+\}/g, noId);
}

/** Valid bodies of the operations that validate the body before they look up a record. */
const bodies: Readonly<Record<string, object>> = {
  updateRelease: { title: 'Spring' },
  scheduleRelease: { at: 8_640_000_000_000_000 },
  addKey: { name: 'A key' },
  reportPresence: { state: 'viewing' },
  restoreContent: { version: 'a' },
  updateUser: { role: 'editor' },
  replaceUser: { role: 'editor' },
  replaceApiClient: { name: 'A client', scopes: ['graphql'] },
  replaceWebhook: { name: 'A webhook', url: 'https://example.com/', types: ['*'] },
  replayWebhook: { fromSeq: 1 },
  dryRunWebhookReplay: { fromSeq: 1 },
  changeTrustedDocuments: { add: [] },
  runOperation: { query: '{ __typename }' },
  dryRunGraphqlEndpoint: { change: 'DELETE', id: noId },
  dryRunRestEndpoint: { change: 'DELETE', id: noId },
};

/** Operations that answer 404 only for a release that does not exist. */
const ofReleases = ['createContent', 'listTitles', 'searchContents', 'runQuery'];

/** Runs the cases. */
export function describeEverywhere({ call, instance }: AdminContext): void {
  const open = [
    'listSignInMethods',
    'signIn',
    'beginOpenidSignIn',
    'finishOpenidSignIn',
    'checkInvitation',
    'acceptInvitation',
  ];
  const guarded = operations.filter(({ operationId }) => !open.includes(operationId));

  describe('every operation', () => {
    it('is found in the document', () => {
      expect(operations.length).toBeGreaterThan(30);
    });

    it.each(guarded)('$operationId requires credentials before any other check', async ({ method, path }) => {
      const raw = method === 'get' ? {} : { raw: '{', headers: { 'Content-Type': 'text/plain' } };
      const { status, body } = await call(method, `${path}?x=%E0`, { ...raw, as: anonymous });
      expect([status, body.code]).toEqual([401, 'unauthorized']);
    });

    it.each(guarded)('$operationId requires the scope admin from an API client', async ({ method, path }) => {
      const client = await instance().createClient({ scopes: ['cma:read', 'cma:write', 'graphql'] });
      await instance().refresh();
      const { status, body } = await call(method, path, { as: client });
      expect([status, body.code]).toEqual([403, 'forbidden']);
    });

    it.each(operations)('$operationId refuses unknown parameters', async (operation) => {
      const { operationId, method, path, query, hasBody } = operation;
      const sent = hasBody ? { body: bodies[operationId] ?? {} } : {};
      const { status, body } = await call(method, `${path}?${query}fields=a`, sent);
      expect([status, body.code, body.problems]).toEqual([
        400,
        'invalid_parameter',
        [{ path: 'fields', message: 'is not a parameter of this operation' }],
      ]);
    });

    const addressed = operations
      .filter(({ statuses }) => statuses.includes('404'))
      .filter(({ operationId }) => operationId !== 'endOwnSession' && !ofReleases.includes(operationId));
    it.each(addressed)('$operationId answers 404 for an unknown ID', async (operation) => {
      const { operationId, method, path, hasBody, statuses } = operation;
      const sent = hasBody ? { body: bodies[operationId] ?? {} } : {};
      const { status, body } = await call(method, path, sent);
      const isUnsupported = status === 501 && statuses.includes('501') && !(await keepsHistory(instance()));
      expect([status, body.code]).toEqual(isUnsupported ? [501, 'not_supported'] : [404, 'not_found']);
    });

    const withBody = operations.filter(
      ({ hasBody, operationId }) => hasBody && operationId !== 'uploadContentFile',
    );
    it.each(withBody)('$operationId accepts only JSON objects of limited size', async ({ method, path }) => {
      const codeOf = async (raw: string, type = 'application/json') => {
        const { status, body } = await call(method, path, { raw, headers: { 'Content-Type': type } });
        return [status, body.code];
      };
      expect(await codeOf('{}', 'text/plain')).toEqual([415, 'unsupported_media_type']);
      expect(await codeOf('a=b', 'application/x-www-form-urlencoded')).toEqual([
        415,
        'unsupported_media_type',
      ]);
      expect(await codeOf(`{"x":"${'x'.repeat(100_000)}"}`)).toEqual([413, 'body_too_large']);
      expect(await codeOf('{')).toEqual([400, 'invalid_json']);
      expect(await codeOf('{"name":1,"name":2}')).toEqual([400, 'invalid_json']);
      expect(await codeOf('[]')).toEqual([400, 'invalid_body']);
    });
  });

  describe('every path', () => {
    it.each(paths)('$path lists its methods in Allow', async ({ path, item }) => {
      const { status, headers } = await call('OPTIONS', path);
      const own = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => item[method.toLowerCase()]);
      const withHead = own.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
      expect([status, headers.allow]).toEqual([405, withHead.join(', ')]);
      expect((await call('OPTIONS', path, { as: anonymous })).status).toBe(401);
      expect((await call('OPTIONS', path, { as: instance().headers })).status).toBe(403);
    });

    it.each(['/a/b', '/', '//', '/session/', '/types/a/b', '/api-clients/%E0', '/rest-endpoints//versions'])(
      'matches exactly: %s is unknown',
      async (path) => {
        const { status, body } = await call('GET', path);
        expect([status, body.code]).toEqual([404, 'route_not_found']);
        expect((await call('GET', path, { as: anonymous })).status).toBe(401);
        expect((await call('GET', path, { as: instance().headers })).status).toBe(403);
      },
    );
  });
}
