/**
 * The kinds of resources of the admin API that the cases create, and a valid request of each operation on those of the run.
 */

import { randomUUID } from 'node:crypto';
import type { Json, JsonObject } from '../../model/content-type.ts';
import type { ContractRequest } from '../responses/send-request.ts';
import { fixedBodies } from '../samples/fixed-bodies.ts';
import { isUpload, uploadedBytes, uploadedFile } from '../samples/uploaded-file.ts';
import type { ApiUnderTest } from './api-under-test.ts';
import type { CmaUnderTest } from './cma-under-test.ts';
import type { Operation } from './contract-document.ts';
import type { OwnSession } from './own-session.ts';

/** The kinds, by the segment of their path. */
export const resourceKinds = ['api-clients', 'graphql-endpoints', 'rest-endpoints', 'contents'] as const;
export type ResourceKind = (typeof resourceKinds)[number];

/** The operations of a signed-in user, which no API client can call. */
const sessionOperations = [
  'getSession',
  'signOut',
  'listOwnSessions',
  'endOwnSession',
  'endOtherSessions',
  'changeOwnPassword',
];

/** The kinds of resources that other cases create. */
const otherKinds = ['webhooks', 'users', 'views'] as const;

interface Parts {
  readonly kept: ReadonlyMap<string, string>;
  readonly newBody: (kind: ResourceKind) => JsonObject;
  readonly cma: CmaUnderTest;
  readonly session: OwnSession | undefined;
  /** Makes a request from the document alone. */
  readonly api: Pick<ApiUnderTest, 'validRequest'>;
}

/** Builds a valid request of an operation of the admin API; absent when the run has no resource for it. */
export function toValidRequest(
  operation: Operation,
  { kept, newBody, cma, session, api }: Parts,
): ContractRequest | undefined {
  const { method } = operation;
  if (method === '') return undefined;
  if (sessionOperations.includes(operation.id)) {
    const headers = session?.headers();
    if (!headers) return undefined;
    const { cookie, token } = headers;
    const path = operation.path.replace('{id}', 'no-such-session');
    const body = fixedBodies[operation.id];
    return { method, path, credentials: null, headers: { ...cookie, ...token }, ...(body && { body }) };
  }
  const kind = resourceKinds.find((resourceKind) => operation.path.includes(`/${resourceKind}`));
  const values: Record<string, string | undefined> = {
    id: kept.get(otherKinds.find((otherKind) => operation.path.includes(`/${otherKind}/`)) ?? kind ?? ''),
    seq: kept.get('deliveries'),
    hash: kept.get('files'),
    keyId: kept.get('keys'),
    run: kept.get('runs'),
    release: kept.get('releases'),
    // A link that does not exist.
    link: '01935e4a-7c1b-7d52-9a6e-2f0c8b41d3e7',
    asset: kept.get('drafts'),
    version: kept.get('versions'),
    number: '1',
    class: cma.types.types[0]?.class,
  };
  let path = operation.path;
  for (const [, name = ''] of operation.path.matchAll(/\{([^}]+)\}/g)) {
    if (!Object.hasOwn(values, name)) return api.validRequest(operation);
    const value = values[name];
    if (value === undefined) return undefined;
    path = path.replace(`{${name}}`, value);
  }
  const query = queryFor(operation, cma);
  if (!operation.body) return { method, path, ...(query && { query }) };
  if (isUpload(operation)) return { method, path, query: [['name', uploadedFile.name]], raw: uploadedBytes };
  const body = toValidBody(operation, { kind, kept, newBody, cma });
  return body === undefined ? undefined : { method, path, body };
}

/** Builds the query of an operation that requires one. */
function queryFor({ id }: Operation, { types }: CmaUnderTest): ContractRequest['query'] {
  return id === 'listUnfitAssets' ? [['type', types.types[0]?.class ?? '']] : undefined;
}

function toValidBody(
  { id, path }: Operation,
  { kind, kept, newBody, cma }: { kind: ResourceKind | undefined } & Omit<Parts, 'session' | 'api'>,
): Json | undefined {
  switch (id) {
    case 'inviteUser':
      // An email can be used once, and a user who stays from another run may have it.
      return { email: `contract-${randomUUID()}@example.com`, role: 'editor' };
    case 'createView':
      return { name: 'Contract test', type: cma.types.types[0]?.class ?? '', query: '' };
    case 'createRelease':
      return { name: `contract-${randomUUID()}` };
    case 'checkQuery':
      return { from: cma.types.types[0]?.class ?? '', where: 'true' };
    case 'runQuery':
      return {
        from: cma.types.types[0]?.class ?? '',
        where: 'false',
        sort: [{ field: '_id', descending: true }],
      };
    case 'tryMapping':
      return {
        source: kept.get('graphql-endpoints') ?? 'delivery',
        query: 'query Contract { __typename }',
        parameters: 'undeclared=1',
        body: {},
      };
    case 'dryRunGraphqlEndpoint':
    case 'dryRunRestEndpoint':
      return kind && toValidDryRun(kind, { kept, newBody });
    default:
      return fixedBodies[id] ?? (kind && path.includes(`/${kind}`) ? newBody(kind) : undefined);
  }
}

function toValidDryRun(
  kind: ResourceKind,
  { kept, newBody }: Pick<Parts, 'kept' | 'newBody'>,
): JsonObject | undefined {
  const id = kept.get(kind);
  const change = kind === 'graphql-endpoints' ? 'REPLACE' : 'PUBLISH';
  return id === undefined ? undefined : { change, id, definition: newBody(kind) };
}

/** Operations that neither delete nor create, but leave something else than it was, or need what only their own cases have. */
const endingOperations = [
  'signIn',
  // Only some installations have a provider.
  'beginOpenidSignIn',
  'finishOpenidSignIn',
  'changeOwnPassword',
  'checkInvitation',
  'acceptInvitation',
  'publishRestEndpoint',
  'unpublishRestEndpoint',
  'withdrawContent',
  'closeRun',
  'replayWebhook',
];

/** Whether an operation leaves the shared resources usable: it neither deletes, creates nor publishes one. */
export function keepsResources({ id, method, responses }: Operation): boolean {
  const isEnd = method === 'DELETE' || method === '';
  const isCreation = responses.has('201') && id !== 'createContent' && id !== 'addKey';
  const isOther = endingOperations.includes(id);
  return !isEnd && !isCreation && !isOther;
}
