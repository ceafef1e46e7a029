/**
 * The API client of the demo. It has every scope, since the guide also manages REST endpoints with it.
 */
import {
  type ApiClients,
  type ApiCredentials,
  createFirstApiClient,
} from '../../access/clients/api-clients.ts';
import { scopes } from '../../access/clients/scopes.ts';

/** Creates the client as the first one of a new store, and adds the scopes that it lacks. */
export async function createDemoClient(clients: ApiClients, credentials: ApiCredentials): Promise<void> {
  await createFirstApiClient(clients, credentials);
  const all = await clients.list();
  const client = all.find(({ clientId }) => clientId === credentials.clientId);
  // A client that somebody revoked or restricted stays so.
  if (!client || client.revokedAtMs !== undefined || client.sites || client.endpoints) return;
  if (scopes.some((scope) => !client.scopes.includes(scope))) {
    await clients.update({ clientId: client.clientId, changes: { scopes } });
  }
}
