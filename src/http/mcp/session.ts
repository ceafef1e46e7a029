/**
 * The sessions of agents. The session ID is all there is of one: it names the release of its drafts and the run of its live writes, and
 * proves the API client that began it. So every process knows every session, also after a restart.
 */
import { createHmac } from 'node:crypto';
import type { ApiClient } from '../../access/clients/api-client.ts';
import { isSameText } from '../../access/clients/secret.ts';
import { invalidParameter, notFound } from '../../base/errors.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';

/** A session; `name` is that of its release and of its run. */
export interface Session {
  readonly id: string;
  readonly name: string;
}

/** Begins a session of a client. Its name has the day, for people. */
export function beginSession(client: ApiClient, { clock, ids }: { clock: Clock; ids: IdSource }): Session {
  const day = new Date(clock.nowMs()).toISOString().slice(0, 10);
  const name = `agent-${day}-${ids.secret().slice(0, 16)}`;
  return { id: `${name}.${proofOf(name, client)}`, name };
}

/**
 * Returns the session of an ID. Errors: invalid_parameter without one; not_found for one that the client did not begin with its present
 * secret.
 */
export function readSession(id: string | undefined, client: ApiClient): Session {
  if (id === undefined)
    throw invalidParameter('Mcp-Session-Id', 'is needed: begin a session with the method initialize');
  const [, name] = /^(agent-\d{4}-\d\d-\d\d-[\w-]{16})\.[\w-]{43}$/.exec(id) ?? [];
  if (name === undefined || !isSameText(id, `${name}.${proofOf(name, client)}`))
    throw notFound(id.slice(0, 100), 'session');
  return { id, name };
}

/** Only servers and the client know the secret, of which servers have the hash. */
const proofOf = (name: string, { clientId, secretHash }: ApiClient) =>
  createHmac('sha256', secretHash).update(`mcp ${clientId} ${name}`).digest('base64url');
