/**
 * Deletes GraphQL endpoints that no REST endpoint is mapped onto, while others may be mapping one onto them.
 *
 * Two records cannot be changed in one transaction. So a deletion first marks the endpoint and then looks for its users once more,
 * and a REST endpoint is written first and then removes the mark. Either the deletion finds the REST endpoint, or that removes the
 * mark and the deletion fails on the changed version, or the endpoint is gone and the REST endpoint is taken back.
 */
import { inUse, isDomainError, preconditionFailed } from '../../base/errors.ts';
import type { ContentService, StoredAsset } from '../../content/content-service.ts';
import type { JsonObject } from '../../model/content-type.ts';
import type { GraphqlEndpoint } from './graphql-endpoint.ts';
import { getGraphqlEndpoint, graphqlEndpointClass, toGraphqlEndpoint } from './graphql-endpoint-record.ts';
import { findRecord } from './system-records.ts';

/** The records, and `findDependents`, which returns the names of the REST endpoints mapped onto a GraphQL endpoint. */
export interface DeletionContext {
  readonly system: ContentService;
  readonly findDependents: (id: string) => Promise<readonly string[]>;
}

/** Deletes one endpoint. Errors: not_found, in_use, precondition_failed. */
export async function deleteGraphqlEndpoint(
  context: DeletionContext,
  { id, ifVersions }: { readonly id: string; readonly ifVersions?: readonly string[] },
): Promise<void> {
  const { system } = context;
  for (;;) {
    const endpoint = await getGraphqlEndpoint(system, id);
    await assertUnused(context, endpoint);
    if (ifVersions && !ifVersions.includes(endpoint.version)) throw preconditionFailed(id);
    const marked = await changeUnlessChanged(system, endpoint, { deleting: true });
    if (!marked) continue;
    try {
      await assertUnused(context, endpoint);
    } catch (error) {
      await changeUnlessChanged(system, toGraphqlEndpoint(marked), { deleting: null });
      throw error;
    }
    if (await deleteUnlessChanged(system, toGraphqlEndpoint(marked))) return;
  }
}

/** Removes the mark of a deletion under way, which then fails. Returns false when the endpoint is gone already. */
export async function cancelDeletion(system: ContentService, id: string): Promise<boolean> {
  for (;;) {
    const record = await findRecord(system, graphqlEndpointClass, id);
    if (!record) return false;
    if (record.asset.deleting !== true) return true;
    if (await changeUnlessChanged(system, toGraphqlEndpoint(record), { deleting: null })) return true;
  }
}

/** Refuses an endpoint that REST endpoints are mapped onto. Errors: in_use. */
export async function assertUnused(
  { findDependents }: DeletionContext,
  { id, name }: GraphqlEndpoint,
): Promise<void> {
  const users = await findDependents(id);
  if (users.length > 0) throw inUse(`GraphQL endpoint ${JSON.stringify(name)}`, { id, users });
}

function changeUnlessChanged(
  system: ContentService,
  { id, version }: GraphqlEndpoint,
  body: JsonObject,
): Promise<StoredAsset | undefined> {
  return unlessChanged(system.update({ id, ifVersions: [version], body }, {}));
}

async function deleteUnlessChanged(
  system: ContentService,
  { id, version }: GraphqlEndpoint,
): Promise<boolean> {
  const deleted = system.delete({ id, ifVersions: [version] }, {}).then(() => true);
  return (await unlessChanged(deleted)) ?? false;
}

/** Returns the outcome of a conditional write, or nothing when the record has changed or is gone. */
async function unlessChanged<Outcome>(write: Promise<Outcome>): Promise<Outcome | undefined> {
  try {
    return await write;
  } catch (error) {
    if (isDomainError(error, 'precondition_failed') || isDomainError(error, 'not_found')) return undefined;
    throw error;
  }
}
