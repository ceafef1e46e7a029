/**
 * GraphQL endpoints as records: made, listed, replaced, deleted.
 */
import { inUse, isDomainError, notFound, preconditionFailed, valueInUse } from '../../base/errors.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { SubmittedBody } from '../../model/checked-body.ts';
import type { Catalog, JsonObject } from '../../model/content-type.ts';
import { readGraphqlEndpoint } from './check-graphql-endpoint.ts';
import type { GraphqlEndpoint, GraphqlEndpointDefinition } from './graphql-endpoint.ts';
import { findRecord, listRecords, recordValidator, type SystemRecord } from './system-records.ts';

/** The records of all GraphQL endpoints. Bodies are JSON as the admin API has them. */
export interface GraphqlEndpoints {
  /** Ordered by ID. */
  list(): Promise<readonly GraphqlEndpoint[]>;
  /** Errors: not_found. */
  get(id: string): Promise<GraphqlEndpoint>;
  /**
   * Checks a body as a save would, without saving; `id` is that of the endpoint it would replace.
   *
   * Errors: invalid_body, value_in_use when the name or the path is taken.
   */
  read(draft: SubmittedBody & { readonly id?: string }): Promise<GraphqlEndpointDefinition>;
  /** Errors: in_use while a REST endpoint is mapped onto it. */
  assertUnused(endpoint: GraphqlEndpoint): Promise<void>;
  /** Errors: invalid_body, value_in_use when the name or the path is taken. */
  create(body: unknown, problems?: SubmittedBody['problems']): Promise<GraphqlEndpoint>;
  /** Errors: not_found, invalid_body, value_in_use, precondition_failed. */
  replace(
    change: SubmittedBody & { readonly id: string; readonly ifVersions?: readonly string[] },
  ): Promise<GraphqlEndpoint>;
  /**
   * Makes sure that an endpoint stays, for a REST endpoint that was just written onto it: a deletion under way that has not seen
   * that one finds it when it looks again. Returns false when the endpoint is gone.
   */
  keep(id: string): Promise<boolean>;
  /** Errors: not_found, in_use while a REST endpoint is mapped onto it, precondition_failed. */
  delete(deletion: { readonly id: string; readonly ifVersions?: readonly string[] }): Promise<void>;
  /** Makes `management` and `delivery` when there are no endpoints; several processes may do so at once. */
  createFirst(): Promise<void>;
  /** A text that differs once a record was written since, by any process. */
  revision(): Promise<string>;
}

const className = 'com.colophon.system.GraphqlEndpoint';

/** The first endpoints; their IDs are fixed, so that of several processes only one can make each. */
const firstEndpoints = [
  {
    id: '5c0b0c5e-7b1e-5f0e-9d55-0d6f2f6f0011',
    body: {
      name: 'management',
      readTypes: ['*'],
      writeTypes: ['*'],
      access: 'CLIENT_CREDENTIALS',
      maxLimit: 1000,
    },
  },
  {
    id: '5c0b0c5e-7b1e-5f0e-9d55-0d6f2f6f0012',
    body: { name: 'delivery', readTypes: ['*'], access: 'API_KEY' },
  },
];

/**
 * Keeps GraphQL endpoints in the system's content service.
 *
 * Shapes: `catalog` has the types that endpoints can serve; `findUsers` names the REST endpoints mapped onto one.
 */
export function createGraphqlEndpoints({
  system,
  catalog,
  findUsers,
}: {
  system: ContentService;
  catalog: Catalog;
  findUsers: (id: string) => Promise<readonly string[]>;
}): GraphqlEndpoints {
  const validator = recordValidator(system, className);
  const read = (submitted: SubmittedBody) => readGraphqlEndpoint({ ...submitted, catalog, validator });

  async function list(): Promise<readonly GraphqlEndpoint[]> {
    return (await listRecords(system, className)).map(toEndpoint);
  }

  async function get(id: string): Promise<GraphqlEndpoint> {
    const record = await findRecord(system, className, id);
    if (!record) throw notFound(id, 'GraphQL endpoint');
    return toEndpoint(record);
  }

  const create: GraphqlEndpoints['create'] = async (body, problems = []) => {
    return toEndpoint(await system.create({ _type: className, ...read({ body, problems }) }, {}));
  };

  const replace: GraphqlEndpoints['replace'] = async ({ id, body, problems = [], ...condition }) => {
    await get(id);
    return toEndpoint(await system.update({ id, body: read({ body, problems }), ...condition }, {}));
  };

  /**
   * Marks it, looks for users once more, and deletes it as it was marked. Who makes a REST endpoint onto it writes that first and
   * looks for the mark afterwards: either it is seen here, or it finds the mark and takes it away, or it finds nothing.
   */
  const remove: GraphqlEndpoints['delete'] = async ({ id, ifVersions }) => {
    for (;;) {
      const endpoint = await get(id);
      await assertUnused(endpoint);
      if (ifVersions && !ifVersions.includes(endpoint.version)) throw preconditionFailed(id);
      const marked = await change(endpoint, { deleting: true });
      if (!marked) continue;
      try {
        await assertUnused(endpoint);
      } catch (error) {
        await change(toEndpoint(marked), { deleting: null });
        throw error;
      }
      if (await deleteAt(toEndpoint(marked))) return;
    }
  };

  const keep: GraphqlEndpoints['keep'] = async (id) => {
    for (;;) {
      const record = await findRecord(system, className, id);
      if (!record) return false;
      if (record.asset.deleting !== true) return true;
      if (await change(toEndpoint(record), { deleting: null })) return true;
    }
  };

  /** Changes a record in the version given; nothing when it has another one, or is gone. */
  function change({ id, version }: GraphqlEndpoint, body: JsonObject): Promise<SystemRecord | undefined> {
    return unlessChanged(system.update({ id, ifVersions: [version], body }, {}));
  }

  /** Deletes a record in the version given; false when it has another one, or is gone. */
  async function deleteAt({ id, version }: GraphqlEndpoint): Promise<boolean> {
    const deleted = system.delete({ id, ifVersions: [version] }, {}).then(() => true);
    return (await unlessChanged(deleted)) ?? false;
  }

  async function assertUnused({ id, name }: GraphqlEndpoint): Promise<void> {
    const users = await findUsers(id);
    if (users.length > 0) throw inUse(`GraphQL endpoint ${JSON.stringify(name)}`, { id, users });
  }

  const readFree: GraphqlEndpoints['read'] = async ({ id, ...submitted }) => {
    const definition = read(submitted);
    const others = (await list()).filter((other) => other.id !== id);
    for (const member of ['name', 'path'] as const) {
      const value = definition[member];
      if (others.some((other) => other[member] === value)) throw valueInUse(member, value);
    }
    return definition;
  };

  async function createFirst(): Promise<void> {
    if ((await list()).length > 0) return;
    await Promise.all(firstEndpoints.map(createUnlessThere));
  }

  async function createUnlessThere({ id, body }: (typeof firstEndpoints)[number]): Promise<void> {
    try {
      await system.create({ _id: id, _type: className, ...read({ body }) }, {});
    } catch (error) {
      // Another process starting on the same store was quicker.
      if (!isDomainError(error, 'id_in_use') && !isDomainError(error, 'value_in_use')) throw error;
    }
  }

  return {
    list,
    get,
    read: readFree,
    assertUnused,
    create,
    replace,
    keep,
    delete: remove,
    createFirst,
    revision: () => system.revision(className),
  };
}

/** What a conditional write comes to, or nothing when another writer was quicker. */
async function unlessChanged<Outcome>(write: Promise<Outcome>): Promise<Outcome | undefined> {
  try {
    return await write;
  } catch (error) {
    if (isDomainError(error, 'precondition_failed') || isDomainError(error, 'not_found')) return undefined;
    throw error;
  }
}

/** Reads a record that was checked when it was written. */
function toEndpoint({ asset, version }: SystemRecord): GraphqlEndpoint {
  const { name, path, readTypes, writeTypes, access, defaultLimit, maxLimit, introspection } = asset;
  const definition = { name, path, readTypes, writeTypes, access, defaultLimit, maxLimit, introspection };
  // The content type of the record says that they are what the definition says.
  return { id: asset._id, version, ...definition } as GraphqlEndpoint;
}
