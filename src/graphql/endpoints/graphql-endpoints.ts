/**
 * GraphQL endpoints as records: created, listed, replaced and deleted.
 */
import { isDomainError, valueInUse } from '../../base/errors.ts';
import type { ContentService, StoredAsset } from '../../content/content-service.ts';
import type { Catalog } from '../../model/content-type.ts';
import type { SubmittedBody } from '../../model/values/checked-body.ts';
import type { TrustedDocuments } from '../documents/trusted-documents.ts';
import { readGraphqlEndpoint } from './check-graphql-endpoint.ts';
import { assertUnused, cancelDeletion, deleteGraphqlEndpoint } from './delete-graphql-endpoint.ts';
import type { GraphqlEndpoint, GraphqlEndpointDefinition } from './graphql-endpoint.ts';
import {
  getGraphqlEndpoint,
  graphqlEndpointClass,
  listSavedGraphqlEndpoints,
  toGraphqlEndpoint,
  withPresentNames,
} from './graphql-endpoint-record.ts';
import { recordValidator, updateTogether } from './system-records.ts';

/** The new definition of a stored endpoint. `ifVersions` are the versions that the caller may have seen; absent means any. */
export interface GraphqlReplacement extends SubmittedBody {
  readonly id: string;
  readonly ifVersions?: readonly string[];
}

/** The records of all GraphQL endpoints. Bodies are the JSON of the admin API. */
export interface GraphqlEndpoints {
  /** Lists all of them by ID. */
  list(): Promise<readonly GraphqlEndpoint[]>;
  /** Errors: not_found. */
  get(id: string): Promise<GraphqlEndpoint>;
  /**
   * Reads a body with the checks of a save and saves nothing; `id` is that of the endpoint to replace. `all` are the endpoints that
   * there will be; the default is those that are stored.
   *
   * Errors: invalid_body, value_in_use when the name or the path is taken.
   */
  read(
    draft: SubmittedBody & { readonly id?: string; readonly all?: readonly GraphqlEndpoint[] },
  ): Promise<GraphqlEndpointDefinition>;
  /** Errors: in_use while a REST endpoint is mapped onto it. */
  assertUnused(endpoint: GraphqlEndpoint): Promise<void>;
  /** Errors: invalid_body, value_in_use when the name or the path is taken. */
  create(body: unknown, problems?: SubmittedBody['problems']): Promise<GraphqlEndpoint>;
  /** Errors: not_found, invalid_body, value_in_use, precondition_failed. */
  replace(change: GraphqlReplacement): Promise<GraphqlEndpoint>;
  /**
   * Replaces several in one step, in which they can take over names and paths of each other.
   *
   * Errors: not_found, invalid_body, value_in_use, precondition_failed; nothing has changed then.
   */
  replaceTogether(changes: readonly GraphqlReplacement[]): Promise<void>;
  /**
   * Cancels a deletion under way, for a REST endpoint that was just mapped onto this one. Returns false when the endpoint is gone
   * already.
   */
  cancelDeletion(id: string): Promise<boolean>;
  /** Errors: not_found, in_use while a REST endpoint is mapped onto it, precondition_failed. */
  delete(deletion: { readonly id: string; readonly ifVersions?: readonly string[] }): Promise<void>;
  /** Creates `management` and `delivery` when there are no endpoints; several processes may do so at once. */
  createFirst(): Promise<void>;
  /** Returns a text that changes with every write of a record by any process. */
  revision(): Promise<string>;
}

/** The first endpoints. Their IDs are fixed, so that of several processes only one can create each. */
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
 * Stores GraphQL endpoints in the content service of system records.
 *
 * Shapes: `catalog` has the types that endpoints can serve; `findDependents` returns the names of REST endpoints mapped onto one.
 */
export function createGraphqlEndpoints({
  system,
  catalog,
  findDependents,
  documents,
}: {
  system: ContentService;
  catalog: Catalog;
  documents: Pick<TrustedDocuments, 'deleteOf'>;
  findDependents: (id: string) => Promise<readonly string[]>;
}): GraphqlEndpoints {
  const validator = recordValidator(system, graphqlEndpointClass);
  const context = { system, findDependents };
  const readBody = (submitted: SubmittedBody) => readGraphqlEndpoint({ ...submitted, catalog, validator });

  const toPresent = (record: StoredAsset) => withPresentNames(toGraphqlEndpoint(record), catalog);

  async function list(): Promise<readonly GraphqlEndpoint[]> {
    const saved = await listSavedGraphqlEndpoints(system);
    return saved.map((endpoint) => withPresentNames(endpoint, catalog));
  }

  const create: GraphqlEndpoints['create'] = async (body, problems = []) => {
    const definition = readBody({ body, problems });
    return toPresent(await system.create({ _type: graphqlEndpointClass, ...definition }, {}));
  };

  const replace: GraphqlEndpoints['replace'] = async ({ id, body, problems = [], ...condition }) => {
    await getGraphqlEndpoint(system, id);
    const replaced = toReplaced(readBody({ body, problems }));
    return toPresent(await system.update({ id, body: replaced, ...condition }, {}));
  };

  const replaceTogether: GraphqlEndpoints['replaceTogether'] = async (changes) => {
    for (const { id } of changes) await getGraphqlEndpoint(system, id);
    const updates = changes.map(({ id, ifVersions, ...submitted }) => ({
      id,
      ...(ifVersions && { ifVersions }),
      fields: toReplaced(readBody(submitted)),
    }));
    await updateTogether(system, updates);
  };

  const read: GraphqlEndpoints['read'] = async ({ id, all, ...submitted }) => {
    const definition = readBody(submitted);
    const others = (all ?? (await list())).filter((other) => other.id !== id);
    for (const member of ['name', 'path'] as const) {
      const value = definition[member];
      if (others.some((other) => other[member] === value)) throw valueInUse(member, value);
    }
    return definition;
  };

  async function createFirst(): Promise<void> {
    if ((await list()).length > 0) return;
    await Promise.all(firstEndpoints.map(createOnce));
  }

  async function createOnce({ id, body }: (typeof firstEndpoints)[number]): Promise<void> {
    try {
      await system.create({ _id: id, _type: graphqlEndpointClass, ...readBody({ body }) }, {});
    } catch (error) {
      // Another process that starts on the same store has created it.
      if (!isDomainError(error, 'id_in_use') && !isDomainError(error, 'value_in_use')) throw error;
    }
  }

  return {
    list,
    get: async (id) => withPresentNames(await getGraphqlEndpoint(system, id), catalog),
    read,
    assertUnused: (endpoint) => assertUnused(context, endpoint),
    create,
    replace,
    replaceTogether,
    cancelDeletion: (id) => cancelDeletion(system, id),
    async delete(deletion) {
      await deleteGraphqlEndpoint(context, deletion);
      // If the process ends before this, they stay without effect: no other endpoint has the ID.
      await documents.deleteOf(deletion.id);
    },
    createFirst,
    revision: () => system.revision(graphqlEndpointClass),
  };
}

/** A member that is absent from an update stays, and this one has no default. */
const toReplaced = (definition: GraphqlEndpointDefinition) => ({ cors: null, ...definition });
