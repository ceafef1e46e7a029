/**
 * GraphQL endpoints as records: created, listed, replaced and deleted.
 */

import { checkCors } from '../../access/allowed-origins.ts';
import {
  inUse,
  invalidBody,
  isDomainError,
  type Problem,
  preconditionFailed,
  unlessError,
  valueInUse,
} from '../../base/errors.ts';
import type { ContentService, StoredAsset } from '../../content/content-service.ts';
import type { Catalog, Json, JsonObject } from '../../model/content-type.ts';
import { joinProblems, type SubmittedBody } from '../../model/values/checked-body.ts';
import { type AssetValidator, isJsonObject } from '../../model/values/validate-asset.ts';
import { defaultLimit } from '../../text/page-limits.ts';
import { toPathName } from '../../text/path-name.ts';
import { concreteTypes } from '../../types/restrict-catalog.ts';
import type { TrustedDocuments } from '../documents/trusted-documents.ts';
import type { GraphqlEndpoint, GraphqlEndpointDefinition } from './graphql-endpoint.ts';
import {
  getGraphqlEndpoint,
  graphqlEndpointClass,
  listSavedGraphqlEndpoints,
  toGraphqlEndpoint,
  withPresentNames,
} from './graphql-endpoint.ts';
import { findRecord, recordValidator, updateTogether } from './system-records.ts';

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
    submitted: SubmittedBody & { readonly id?: string; readonly all?: readonly GraphqlEndpoint[] },
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

// Turns a body into the definition of a GraphQL endpoint: fills in defaults and reports all problems at once.
//
// The validator of the record checks the form of each member. The rules between members, and whether the named types exist, are
// checked here.

/** All members of a definition. The record also has the fields that all content has, which a body must not contain. */
const members: readonly string[] = [
  'name',
  'path',
  'readTypes',
  'writeTypes',
  'access',
  'defaultLimit',
  'maxLimit',
  'introspection',
  'trustedOnly',
  'preview',
  'cors',
] satisfies (keyof GraphqlEndpointDefinition)[];

const defaults = { writeTypes: [], maxLimit: 100, introspection: true, trustedOnly: false };

/**
 * Reads and checks the body of a GraphQL endpoint.
 *
 * Shapes: `catalog` contains the types that can be served; `validator` is the validator of the record.
 * Errors: invalid_body.
 */
function readGraphqlEndpoint({
  body,
  problems: schemaProblems,
  catalog,
  validator,
}: SubmittedBody & {
  catalog: Catalog;
  validator: AssetValidator;
}): GraphqlEndpointDefinition {
  if (!isJsonObject(body)) throw invalidBody([{ path: '', message: 'The body must be a JSON object' }]);
  const unknown = Object.keys(body).filter((member) => !members.includes(member));
  const known = Object.entries(body).filter(([member]) => members.includes(member));
  const filled = fillDefaults(Object.fromEntries(known));
  const { set, problems } = validator.checkNew(filled);
  const found = [
    ...unknown.map((path) => ({ path, message: 'is not a member of a GraphQL endpoint' })),
    ...problems,
    ...checkTypes(filled, catalog),
    ...checkLimits(filled),
    ...checkCors(filled.cors),
  ];
  const all = joinProblems(found, schemaProblems);
  if (all.length > 0) throw invalidBody(all);
  // The validator has checked the shape.
  return set as unknown as GraphqlEndpointDefinition;
}

function fillDefaults(body: JsonObject): JsonObject {
  const { name, maxLimit = defaults.maxLimit } = body;
  return {
    ...(typeof name === 'string' ? { path: toPathName(name) } : {}),
    defaultLimit: typeof maxLimit === 'number' ? Math.min(defaultLimit, maxLimit) : defaultLimit,
    ...defaults,
    ...body,
  };
}

function checkTypes({ readTypes, writeTypes }: JsonObject, catalog: Catalog): Problem[] {
  const [read, write] = [textsOf(readTypes), textsOf(writeTypes)];
  const readable = concreteTypes(catalog, read);
  const hidden = [...concreteTypes(catalog, write)].filter((type) => !readable.has(type));
  const problems = [...checkNames('readTypes', read, catalog), ...checkNames('writeTypes', write, catalog)];
  if (hidden.length > 0) {
    problems.push({
      path: 'writeTypes',
      message: `must be among readTypes: ${hidden.join(', ')} cannot be read`,
    });
  }
  return problems;
}

function checkNames(path: string, names: readonly string[], catalog: Catalog): Problem[] {
  const problems = names.flatMap((name, index) => {
    const message = name === '*' ? undefined : checkName(name, catalog);
    return message === undefined ? [] : [{ path: `${path}[${index}]`, message }];
  });
  if (new Set(names).size < names.length) problems.push({ path, message: 'must not name a type twice' });
  return names.includes('*') && names.length > 1
    ? [...problems, { path, message: 'must have no other names beside *' }]
    : problems;
}

function checkName(name: string, catalog: Catalog): string | undefined {
  if (!catalog.find(name)) return 'is neither a content type nor an interface';
  return concreteTypes(catalog, [name]).size === 0
    ? 'is an interface that no content type implements'
    : undefined;
}

function checkLimits({ defaultLimit, maxLimit }: JsonObject): Problem[] {
  return typeof defaultLimit === 'number' && typeof maxLimit === 'number' && defaultLimit > maxLimit
    ? [{ path: 'defaultLimit', message: `must be at most maxLimit, which is ${maxLimit}` }]
    : [];
}

function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

// Deletes GraphQL endpoints that no REST endpoint is mapped onto, while others may be mapping one onto them.
//
// Two records cannot be changed in one transaction. So a deletion first marks the endpoint and then looks for its users once more,
// and a REST endpoint is written first and then removes the mark. Either the deletion finds the REST endpoint, or that removes the
// mark and the deletion fails on the changed version, or the endpoint is gone and the REST endpoint is taken back.

/** The records, and `findDependents`, which returns the names of the REST endpoints mapped onto a GraphQL endpoint. */
interface DeletionContext {
  readonly system: ContentService;
  readonly findDependents: (id: string) => Promise<readonly string[]>;
}

/** Deletes one endpoint. Errors: not_found, in_use, precondition_failed. */
async function deleteGraphqlEndpoint(
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
async function cancelDeletion(system: ContentService, id: string): Promise<boolean> {
  for (;;) {
    const record = await findRecord(system, graphqlEndpointClass, id);
    if (!record) return false;
    if (record.asset.deleting !== true) return true;
    if (await changeUnlessChanged(system, toGraphqlEndpoint(record), { deleting: null })) return true;
  }
}

/** Refuses an endpoint that REST endpoints are mapped onto. Errors: in_use. */
async function assertUnused(
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
const unlessChanged = <Outcome>(write: Promise<Outcome>) =>
  unlessError(write, 'precondition_failed', 'not_found');
