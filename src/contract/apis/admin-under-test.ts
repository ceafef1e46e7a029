/**
 * The admin API under test: the resources that a run creates there, a valid request of each operation, and the client without
 * rights with which both APIs must answer 403.
 */

import { randomUUID } from 'node:crypto';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { assertSame } from '../case.ts';
import type { ReceivedResponse } from '../responses/response-validator.ts';
import type { ContractRequest } from '../responses/send-request.ts';
import { createAccessGaps } from './access-gap.ts';
import {
  type ApiSetup,
  type ApiUnderTest,
  createApiUnderTest,
  createOwnResources,
  memberOf,
} from './api-under-test.ts';
import type { CmaUnderTest } from './cma-under-test.ts';
import { createOwnSession, type OwnSession, type SignIn } from './own-session.ts';
import { keepsResources, type ResourceKind, resourceKinds, toValidRequest } from './valid-admin-request.ts';

export { type ResourceKind, resourceKinds } from './valid-admin-request.ts';

/** Webhooks need a change log and a key, so an instance may not have them. */
const ownKinds = [...resourceKinds, 'webhooks', 'users', 'views'] as const;

/** Resources that are kept for other cases; the others are created by requests of another kind. */
type KeptKind =
  | ResourceKind
  | 'keys'
  | 'runs'
  | 'versions'
  | 'webhooks'
  | 'users'
  | 'views'
  | 'deliveries'
  | 'files'
  | 'releases'
  | 'drafts';

/** The admin API of the instance. */
export interface AdminUnderTest extends ApiUnderTest {
  /** Where it is served, such as `/api/admin`. */
  readonly path: string;
  readonly cma: CmaUnderTest;
  /** Absent when the run has no user. */
  readonly session?: OwnSession;
  /** Creates a resource; returns its ID and the response. Throws when the response is about another resource. */
  create(
    kind: ResourceKind,
    body?: JsonObject,
  ): Promise<{ readonly id: string; readonly response: ReceivedResponse }>;
  /** A body that creates a resource. Throws when its parts cannot be generated. */
  newBody(kind: ResourceKind): JsonObject;
  /** Remembers a resource for the cases that need one. */
  keep(kind: KeptKind, id: string): void;
  kept(kind: KeptKind): string | undefined;
}

/** The parts from which the admin API under test is created. */
export interface AdminSetup extends ApiSetup {
  readonly user?: SignIn;
  readonly cma: CmaUnderTest;
}

export function createAdminUnderTest({ user, cma, ...setup }: AdminSetup): AdminUnderTest {
  const { document, send, random } = setup;
  const path = document.operations.find(({ id }) => id === 'listTypes')?.path.replace(/\/types$/, '') ?? '';
  const own = createOwnResources(send);
  const kept = new Map<string, string>();

  const api = createApiUnderTest({ ...setup, track, own });
  const { call } = api;
  const sessionPath = `${path}/session`;
  const session = user && createOwnSession({ user, path: sessionPath, document, call, own });
  /** Records the resource that a request creates, before it is sent if the ID is known, and removes the one that it deletes. */
  async function track(request: ContractRequest): Promise<ReceivedResponse> {
    const kind =
      request.method === 'POST' && ownKinds.find((ownKind) => request.path === `${path}/${ownKind}`);
    const chosen = kind ? idOf(request.body) : undefined;
    const isNew = kind && chosen !== undefined && !own.has(`${path}/${kind}/${chosen}`);
    if (isNew) own.add(`${path}/${kind}/${chosen}`);
    const response = await send(request);
    const isDone = response.status < 300;
    if (isNew && !isDone && response.status !== 409) own.forget(`${path}/${kind}/${chosen}`);
    const id = idOf(response.body);
    if (kind && isDone && id && identityOf(response.body) === identityOf(request.body)) {
      own.add(`${path}/${kind}/${id}`);
    }
    if (request.method === 'DELETE' && isDone) own.forget(request.path);
    return response;
  }

  async function create(kind: ResourceKind, body = newBody(kind)) {
    const request = { method: 'POST', path: `${path}/${kind}`, body };
    const response = await call(request, 201);
    // Otherwise the following requests would change a resource that is not the run's.
    assertSame({
      what: 'the name or _id of the created resource',
      received: identityOf(response.body),
      expected: identityOf(body),
      request,
    });
    return { id: idOf(response.body) ?? '', response };
  }

  function newBody(kind: ResourceKind): JsonObject {
    // A revoked client keeps its ID for ever, so names are random and do not follow from the run's seed.
    const word = randomUUID().slice(0, 13);
    const name = `Contract test ${word}`;
    switch (kind) {
      case 'api-clients':
        return { name, clientId: `contract-${word}`, scopes: ['cma:read'] };
      case 'graphql-endpoints':
        return { name, path: `contract-${word}`, readTypes: ['*'], access: 'CLIENT_CREDENTIALS' };
      case 'rest-endpoints':
        return {
          name,
          pathPrefix: `/contract-${word}`,
          source: kept.get('graphql-endpoints') ?? 'delivery',
          mappings: [mapping()],
        };
      case 'contents': {
        const [type] = cma.types.types;
        if (!type) throw new Error('there is no content type');
        return cma.samples.make(type, { full: false });
      }
    }
  }

  const mapping = () => ({ name: random.word(8), query: 'query Contract { __typename }', cacheSeconds: 1 });
  return {
    ...api,
    ...createAccessGaps(send, {
      history: () => ({ method: 'GET', path: `${path}/contents/deleted` }),
      drafts: () => ({
        method: 'POST',
        path: `${path}/query`,
        query: [['release', 'drafts']],
        body: { from: cma.types.types[0]?.class ?? '' },
      }),
    }),
    hasUser: user !== undefined,
    hasUnique: cma.hasUnique,
    cma,
    ...(session ? { session } : {}),
    path,
    create,
    newBody,
    keep: (kind, id) => void kept.set(kind, id),
    kept: (kind) => kept.get(kind),
    knows: () => true,
    repeats: keepsResources,
    validRequest: (operation) => toValidRequest(operation, { kept, newBody, cma, session, api }),
  };
}

/** Finds the ID of a resource in a response, under any of its names. */
export function idOf(body: unknown): string | undefined {
  const id =
    memberOf(body, 'client', 'clientId') ??
    memberOf(body, 'webhook', 'id') ??
    memberOf(body, '_id') ??
    memberOf(body, 'id');
  return typeof id === 'string' ? id : undefined;
}

/** Identifies a resource of the run: the `_id` or the name that it chose. */
function identityOf(body: unknown): Json | undefined {
  const named = [body, memberOf(body, 'client'), memberOf(body, 'draft'), memberOf(body, 'webhook')];
  const names = named.map((one) => memberOf(one, 'name')).filter((name) => name !== undefined);
  return memberOf(body, '_id') ?? names[0];
}
