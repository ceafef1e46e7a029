/**
 * The life cycle of the admin API's resources: created, read, changed, published, restored, deleted; refused when a name or the
 * resource is in use, or when it has changed.
 */

import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../model/content-type.ts';
import { type AdminUnderTest, idOf, type ResourceKind, resourceKinds } from '../../apis/admin-under-test.ts';
import { memberOf } from '../../apis/api-under-test.ts';
import { uniqueFieldOf } from '../../apis/cma-under-test.ts';
import { assertSame, type CaseGroup, toCase, toSetupCase } from '../../case.ts';
import { createAnother } from '../assets/asset-lifecycle.ts';
import { adminReleaseCases } from '../assets/releases.ts';
import { fileCases, fileSampleCases } from '../files/files.ts';
import { contentHistoryCases } from './content-history.ts';
import { releaseCases, releaseSampleCases } from './releases.ts';
import { runCases, runSampleCases } from './runs.ts';
import { webhookCases, webhookSampleCases } from './webhooks.ts';

/** The operation that creates a resource of a kind. */
const creators: Readonly<Record<ResourceKind, string>> = {
  'api-clients': 'createApiClient',
  'graphql-endpoints': 'createGraphqlEndpoint',
  'rest-endpoints': 'createRestEndpoint',
  contents: 'createContent',
};

/** Creates one resource of each kind, which the other cases use. */
export function* adminSampleCases(admin: AdminUnderTest): CaseGroup {
  for (const kind of resourceKinds) {
    yield toSetupCase(creators[kind], `201 a resource of ${kind}`, async () => {
      const { id, response } = await admin.create(kind);
      admin.keep(kind, id);
      if (kind === 'contents') admin.keep('versions', (response.headers.etag ?? '').replaceAll('"', ''));
      if (kind === 'api-clients') return;
      const { location } = response.headers;
      assertSame({ what: 'the Location', received: location, expected: `${admin.path}/${kind}/${id}` });
    });
  }
  yield toSetupCase('addKey', '201 a key', async () => {
    const path = `${admin.path}/api-clients/${admin.kept('api-clients')}/keys`;
    const { body } = await admin.call({ method: 'POST', path, body: { name: 'Contract test' } }, 201);
    admin.keep('keys', idOf(memberOf(body, 'key')) ?? '');
  });
  yield toSetupCase('publishRestEndpoint', '200 publishes a draft', async () => {
    const endpoint = `${admin.path}/rest-endpoints/${admin.kept('rest-endpoints')}`;
    const { body } = await admin.call({ method: 'POST', path: `${endpoint}/publish` }, 200);
    assertSame({ what: 'the state', received: memberOf(body, 'state'), expected: 'published' });
  });
  yield toSetupCase('inviteUser', '201 an invitation', async () => {
    const body = { email: `contract-${randomUUID()}@example.com`, role: 'editor' };
    const { body: invited } = await admin.call({ method: 'POST', path: `${admin.path}/users`, body }, 201);
    const id = idOf(invited) ?? '';
    admin.own.add(`${admin.path}/users/${id}`);
    admin.keep('users', id);
  });
  yield* runSampleCases(admin);
  yield* releaseSampleCases(admin);
  yield* fileSampleCases(admin);
  yield* viewSampleCases(admin);
  yield* webhookSampleCases(admin);
}

/** Yields the cases that use those resources. */
export function* adminLifeCases(admin: AdminUnderTest): CaseGroup {
  yield* runCases(admin);
  yield* releaseCases(admin);
  yield* fileCases(admin);
  yield* contentHistoryCases(admin);
  yield* adminReleaseCases(admin);
  yield* viewCases(admin);
  yield* webhookCases(admin);
  yield* ifMatchCases(admin);
  yield* conflictCases(admin);
  yield* removalCases(admin);
}

/** Yields a case for every operation that accepts `If-Match`. */
function* ifMatchCases(admin: AdminUnderTest): CaseGroup {
  for (const operation of admin.document.operations) {
    if (!operation.parameters.some(({ name }) => name === 'If-Match')) continue;
    yield toCase(operation.id, '412 If-Match names another version', async () => {
      const request = admin.validRequest(operation);
      if (!request) return { skipped: 'the run has no resource for this request' };
      const kind = resourceKinds.find((resourceKind) => request.path.includes(`/${resourceKind}/`));
      // A resource that others use cannot be deleted anyway.
      const isEnd = kind && request.method === 'DELETE';
      const path = isEnd ? `${admin.path}/${kind}/${(await admin.create(kind)).id}` : request.path;
      await admin.call({ ...request, path, headers: { 'If-Match': '"no-such-version"' } }, 412);
      return undefined;
    });
  }
}

function* conflictCases(admin: AdminUnderTest): CaseGroup {
  const { path } = admin;
  const refuse = (method: string, place: string, body?: JsonObject) =>
    admin.call({ method, path: `${path}/${place}`, ...(body ? { body } : {}) }, 409);
  for (const kind of resourceKinds) {
    yield toCase(creators[kind], '409 the resource exists', async () => {
      const body = admin.newBody(kind);
      await admin.create(kind, body);
      const names = ['_id', 'clientId', 'name'].flatMap((name) =>
        name in body ? [[name, body[name] ?? '']] : [],
      );
      await refuse('POST', kind, { ...admin.newBody(kind), ...Object.fromEntries(names) });
    });
  }
  for (const [operation, kind] of [
    ['replaceGraphqlEndpoint', 'graphql-endpoints'],
    ['saveRestEndpoint', 'rest-endpoints'],
  ] as const) {
    yield toCase(operation, '409 another endpoint has the name', async () => {
      const body = admin.newBody(kind);
      await admin.create(kind, body);
      const { id } = await admin.create(kind);
      await refuse('PUT', `${kind}/${id}`, { ...admin.newBody(kind), name: body.name ?? '' });
    });
  }
  const { cma } = admin;
  const type = cma.types.types.find((type) => uniqueFieldOf(type) !== undefined);
  const unique = type && uniqueFieldOf(type);
  if (type && unique !== undefined) {
    yield toCase('updateContent', `409 a ${type.class} whose ${unique} is in use`, async () => {
      const [one, other] = [await createAnother(cma, type), await createAnother(cma, type)];
      await refuse('PUT', `contents/${one._id}`, { [unique]: other[unique] ?? '' });
    });
  }
  yield toCase('restoreVersion', '409 another endpoint uses the name of that version', async () => {
    const body = admin.newBody('rest-endpoints');
    const { id } = await admin.create('rest-endpoints', body);
    const place = `${path}/rest-endpoints/${id}`;
    await admin.call({ method: 'PUT', path: place, body: admin.newBody('rest-endpoints') }, 200);
    await admin.create('rest-endpoints', { ...admin.newBody('rest-endpoints'), name: body.name ?? '' });
    await refuse('POST', `rest-endpoints/${id}/versions/1/restore`);
  });
  for (const [operation, kind] of [
    ['dryRunGraphqlEndpoint', 'graphql-endpoints'],
    ['dryRunRestEndpoint', 'rest-endpoints'],
  ] as const) {
    const change = { change: kind === 'graphql-endpoints' ? 'REPLACE' : 'PUBLISH' };
    yield toCase(operation, '409 another endpoint has the name', async () => {
      const body = admin.newBody(kind);
      await admin.create(kind, body);
      const { id } = await admin.create(kind);
      const definition = { ...admin.newBody(kind), name: body.name ?? '' };
      await refuse('POST', `${kind}/dry-run`, { ...change, id, definition });
    });
    yield toCase(operation, '404 the endpoint does not exist', async () => {
      const body = { ...change, id: randomUUID(), definition: admin.newBody(kind) };
      await admin.call({ method: 'POST', path: `${path}/${kind}/dry-run`, body }, 404);
    });
  }
  yield toCase('deleteGraphqlEndpoint', '409 a REST endpoint uses it', async () => {
    await refuse('DELETE', `graphql-endpoints/${admin.kept('graphql-endpoints')}`);
  });
}

/** Yields the cases that unpublish, revoke and delete. */
function* removalCases(admin: AdminUnderTest): CaseGroup {
  const { path } = admin;
  yield toCase('unpublishRestEndpoint', '200 unpublishes an endpoint', async () => {
    const place = `${path}/rest-endpoints/${admin.kept('rest-endpoints')}/unpublish`;
    const { body } = await admin.call({ method: 'POST', path: place }, 200);
    assertSame({ what: 'the state', received: memberOf(body, 'state'), expected: 'draft' });
  });
  yield toCase('removeKey', '204 removes a key', async () => {
    const key = `${path}/api-clients/${admin.kept('api-clients')}/keys/${admin.kept('keys')}`;
    await admin.call({ method: 'DELETE', path: key }, 204);
    await admin.call({ method: 'DELETE', path: key }, 404);
  });
  yield toCase('revokeApiClient', '204 revokes a client, which stays listed', async () => {
    const { id } = await admin.create('api-clients');
    const place = `${path}/api-clients/${id}`;
    await admin.call({ method: 'DELETE', path: place }, 204);
    const { body } = await admin.call({ method: 'GET', path: place }, 200);
    assertSame({
      what: 'the type of revokedAt',
      received: typeof memberOf(body, 'revokedAt'),
      expected: 'number',
    });
  });
  for (const [operation, kind] of [
    ['deleteRestEndpoint', 'rest-endpoints'],
    ['deleteGraphqlEndpoint', 'graphql-endpoints'],
    ['deleteContent', 'contents'],
  ] as const) {
    yield toCase(operation, '204 deletes the resource', async () => {
      const { id } = await admin.create(kind);
      const place = `${path}/${kind}/${id}`;
      await admin.call({ method: 'DELETE', path: place }, 204);
      await admin.call({ method: 'GET', path: place }, 404);
    });
  }
  yield toCase('signIn', '401 for an unknown user', async () => {
    const body = { email: `${randomUUID()}@example.com`, password: admin.random.word(20) };
    const request = { method: 'POST', path: `${path}/session`, body, credentials: null };
    const { status } = await admin.call(request, 401, 429);
    return status === 429 ? { skipped: 'there were too many attempts from this address' } : undefined;
  });
}

/** Saves a view for everybody, which the other cases use, also those of a user. */
function* viewSampleCases(admin: AdminUnderTest): CaseGroup {
  yield toSetupCase('createView', '201 a view', async () => {
    const { id, location } = await createView(admin);
    assertSame({ what: 'the Location', received: location, expected: `${admin.path}/views/${id}` });
    admin.keep('views', id);
  });
}

/** Yields the cases. */
function* viewCases(admin: AdminUnderTest): CaseGroup {
  const path = `${admin.path}/views`;
  yield toCase('listViews', '200 lists the view of a type', async () => {
    const query = [['type', typeOf(admin)]] as const;
    const { body } = await admin.call({ method: 'GET', path, query: [...query] }, 200);
    const items = memberOf(body, 'items');
    const ids = Array.isArray(items) ? items.map(idOf) : [];
    const received = ids.includes(admin.kept('views'));
    assertSame({ what: 'whether the view is listed', received, expected: true });
  });
  yield toCase('deleteView', '204 deletes a view', async () => {
    const { id } = await createView(admin);
    await admin.call({ method: 'DELETE', path: `${path}/${id}` }, 204);
    await admin.call({ method: 'GET', path: `${path}/${id}` }, 404);
  });
}

async function createView(admin: AdminUnderTest) {
  const request = { method: 'POST', path: `${admin.path}/views` };
  const view = { name: 'Contract test', type: typeOf(admin), query: 'limit=50', shared: true };
  const { body, headers } = await admin.call({ ...request, body: view }, 201);
  return { id: idOf(body) ?? '', location: headers.location };
}

const typeOf = ({ cma }: AdminUnderTest) => cma.types.types[0]?.class ?? '';
