/**
 * Plans the API clients of a configuration. The ID is the key; secrets and keys are no part of it.
 */
import type * as api from '../../../generated/server/admin.ts';
import type { ApiClient } from '../../access/clients/api-client.ts';
import type { ApiClients } from '../../access/clients/api-clients.ts';
import type { Problem } from '../../base/errors.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { GraphqlEndpoint } from '../../graphql/endpoints/graphql-endpoint.ts';
import { type JsonObject, siteClass } from '../../model/content-type.ts';
import {
  type ApplyOptions,
  describeRemoval,
  describeWrite,
  type IssuedSecrets,
  type KindPlan,
  type Step,
  toJson,
} from './configuration-plan.ts';

const kind = 'apiClient';

/** Returns the definition of a client, with the names of GraphQL endpoints in place of their IDs. */
export function toConfiguredClient(
  { clientId, name, scopes, sites, endpoints }: ApiClient,
  sources: readonly GraphqlEndpoint[],
): JsonObject {
  const nameOf = (id: string) => sources.find((one) => one.id === id)?.name ?? id;
  return toJson({ clientId, name, scopes, sites, endpoints: endpoints?.map(nameOf) });
}

interface ClientContext {
  readonly clients: ApiClients;
  /** The content service of system records, which finds sites. */
  readonly system: ContentService;
  readonly ownClientId: string | undefined;
  /** Lists the GraphQL endpoints of the moment. */
  readonly listSources: () => Promise<readonly GraphqlEndpoint[]>;
  /** The GraphQL endpoints as they will be. */
  readonly planned: readonly GraphqlEndpoint[];
}

/** Plans the changes. The caller is never revoked, and keeps the scope `admin`. */
export async function planApiClients(
  context: ClientContext,
  wanted: readonly api.ConfiguredClient[],
  { prune, callerId }: ApplyOptions,
): Promise<KindPlan> {
  const { clients, listSources, ownClientId } = context;
  const [stored, sources] = await Promise.all([clients.list(), listSources()]);
  const problems = await checkClients(context, { wanted, stored, callerId });
  const writes: Step[] = [];
  for (const body of wanted) {
    const { clientId } = body;
    const present = stored.find((one) => one.clientId === clientId);
    const before = present && toConfiguredClient(present, sources);
    const change = describeWrite({ kind, name: clientId }, { before, after: toJson(body) });
    // The version that the plan is made from; a revoked client is a problem already.
    const version = present && change ? (await clients.get(clientId)).version : undefined;
    if (change) writes.push({ change, run: () => write(context, body, version) });
  }
  const kept = new Set([callerId, ownClientId, ...wanted.map(({ clientId }) => clientId)]);
  const lacking = stored.filter(
    ({ clientId, revokedAtMs }) => revokedAtMs === undefined && !kept.has(clientId),
  );
  const removals = lacking.map(
    ({ clientId }): Step => ({
      change: describeRemoval({ kind, name: clientId }),
      run: async () => void (await clients.revoke(clientId)),
    }),
  );
  return { problems, writes, removals: prune ? removals : [], kept: prune ? [] : removals };
}

async function checkClients(
  { system, planned }: ClientContext,
  {
    wanted,
    stored,
    callerId,
  }: {
    wanted: readonly api.ConfiguredClient[];
    stored: readonly ApiClient[];
    callerId: string | undefined;
  },
): Promise<Problem[]> {
  const known = await findSites(system, [...new Set(wanted.flatMap(({ sites = [] }) => sites))]);
  return wanted.flatMap(({ clientId, scopes, sites, endpoints }, index) => {
    const problems: Problem[] = [];
    const refuse = (path: string, message: string) =>
      problems.push({ path: `apiClients[${index}].${path}`, message });
    // What it refers to already may be gone: an ID without a record is no name, so it stays an ID.
    const present = stored.find((one) => one.clientId === clientId);
    if (present?.revokedAtMs !== undefined)
      refuse('clientId', 'is the ID of a revoked API client, which cannot be used again');
    if (scopes.includes('admin') && (sites || endpoints))
      refuse('scopes', 'cannot have admin for a client held to certain sites or endpoints');
    if (clientId === callerId && !scopes.includes('admin'))
      refuse('scopes', 'must have admin, because this API client applies the configuration');
    for (const [at, name] of endpoints?.entries() ?? [])
      if (!planned.some((one) => one.name === name) && !present?.endpoints?.includes(name))
        refuse(`endpoints[${at}]`, 'must be the name of a GraphQL endpoint');
    for (const [at, site] of sites?.entries() ?? [])
      if (!known.has(site.toLowerCase()) && !present?.sites?.includes(site))
        refuse(`sites[${at}]`, 'must be the ID of a site of this installation');
    return problems;
  });
}

async function findSites(system: ContentService, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const query = { from: siteClass, where: '_id in ?', values: [ids] };
  const { items } = await system.find({ ...query, offset: 0, limit: 1000, withCount: false }, {});
  return new Set(items.map(({ asset }) => asset._id));
}

async function write(
  { clients, listSources }: ClientContext,
  { clientId, endpoints, ...fields }: api.ConfiguredClient,
  version: string | undefined,
): Promise<IssuedSecrets | undefined> {
  const sources = endpoints ? await listSources() : [];
  const endpointIds = endpoints?.map((name) => sources.find((one) => one.name === name)?.id ?? name);
  if (version === undefined) {
    const restriction = endpointIds ? { endpoints: endpointIds } : {};
    return { clientSecrets: [await clients.create({ clientId, ...fields, ...restriction })] };
  }
  const changes = { ...fields, sites: fields.sites ?? null, endpoints: endpointIds ?? null };
  await clients.update({ clientId, changes, ifVersions: [version] });
  return undefined;
}
