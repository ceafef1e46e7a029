/**
 * Describes a REST endpoint for its callers: the types of the operations of a saved or checked draft.
 */

import type * as api from '../../../../../generated/server/admin.ts';
import type { ApiClients } from '../../../../access/clients/api-clients.ts';
import type { Users } from '../../../../access/users/users.ts';
import { type Problem, unlessError } from '../../../../base/errors.ts';
import type { DocumentProblem, GraphqlApi, PreparedOperation } from '../../../../graphql/operation.ts';
import type { CheckedEndpoint } from '../../../../mapping/checks/check-endpoint.ts';
import {
  deletedSource,
  type PreparedMapping,
  prepareMappedOperation,
  prepareMapping,
  toDocumentProblems,
} from '../../../../mapping/checks/prepare-mapping.ts';
import { toTypeScript } from '../../../../mapping/describe/derive-typescript.ts';
import { variablesSchema } from '../../../../mapping/describe/json-schema.ts';
import { findMappingWarnings, type Warning } from '../../../../mapping/records/endpoint-warnings.ts';
import {
  type Mapping,
  type MappingMethod,
  mappingMethods,
  type RestEndpoint,
  type RestEndpointDefinition,
  type RestEndpointVersion,
} from '../../../../mapping/records/rest-endpoint.ts';
import { stateOf } from '../../../../mapping/records/rest-endpoints.ts';
import type { Source } from '../../../../mapping/routes/build-routes.ts';
import { type DataPlace, findPlace } from '../../../../mapping/routes/data-place.ts';
import type { BrokenMapping } from '../../../../mapping/routes/published-apis.ts';
import type { Json, JsonObject } from '../../../../model/content-type.ts';
import { isJsonObject } from '../../../../model/values/validate-asset.ts';
import { toCorsMember } from '../responses.ts';

/** The types of an operation's variables and data, for its callers. */
interface OperationDeclarations {
  /** TypeScript declarations of its variables and its data. */
  readonly typescript: string;
  /** A JSON Schema of its variables. */
  readonly variables: JsonObject;
}

/** The types of one mapping's operation. They are absent if there are problems. */
interface DescribedOperation extends Partial<OperationDeclarations> {
  readonly mapping: string;
  readonly problems: readonly DocumentProblem[];
}

/** Describes the operations of a draft, in the order of its mappings. */
export function describeDraft({ current }: RestEndpoint, source: Source | undefined): DescribedOperation[] {
  return current.definition.mappings.map((mapping) => describeOperation(mapping, source));
}

function describeOperation(mapping: Mapping, source: Source | undefined): DescribedOperation {
  const prepared = source ? prepareMapping(source.api, mapping) : deletedSource;
  return 'problems' in prepared
    ? { mapping: mapping.name, problems: toDocumentProblems(prepared) }
    : { mapping: mapping.name, ...typesOf(prepared), problems: [] };
}

interface DescribedCheck {
  readonly pathPrefix?: string;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Warning[];
  readonly mappings: readonly CheckedMapping[];
}

/** A mapping with its defaults, without malformed members, and without the operation if that has problems. */
interface CheckedMapping extends Partial<OperationDeclarations> {
  readonly name?: string;
  readonly path?: string;
  readonly methods?: readonly MappingMethod[];
  readonly kind?: PreparedOperation['kind'];
  readonly operation?: string;
}

/** Describes a checked endpoint, with the mappings in the given order. */
export function describeChecked({ draft, source, problems }: CheckedEndpoint): DescribedCheck {
  const { pathPrefix, mappings } = draft;
  const api = source?.api;
  return {
    ...textMember('pathPrefix', pathPrefix),
    problems,
    warnings: findMappingWarnings(draft, source),
    mappings: (Array.isArray(mappings) ? mappings : []).map((mapping) => describeMapping(mapping, api)),
  };
}

function describeMapping(mapping: Json, api: GraphqlApi | undefined): CheckedMapping {
  if (!isJsonObject(mapping)) return {};
  const { name, path, methods, query, result: pointer } = mapping;
  const members = { ...textMember('name', name), ...textMember('path', path), ...methodsMember(methods) };
  const operation = api && typeof query === 'string' ? prepareMappedOperation(api, query) : deletedSource;
  if ('problems' in operation) return members;
  return {
    ...members,
    kind: operation.kind,
    ...textMember('operation', operation.name),
    ...typesOf({ operation, ...placeOf(pointer, operation) }),
  };
}

/** The place of a pointer that may be malformed. */
function placeOf(pointer: Json | undefined, operation: PreparedOperation): { readonly result?: DataPlace } {
  const place = typeof pointer === 'string' ? findPlace(operation.describeData(), pointer) : '';
  return typeof place === 'string' ? {} : { result: place };
}

function typesOf({ operation, result }: Omit<PreparedMapping, 'notFound'>): OperationDeclarations {
  // Mappings have only named operations.
  const { name = '', kind, variables } = operation;
  const data = operation.describeData();
  const typescript = toTypeScript({ name, kind, variables, data, result });
  return { typescript, variables: variablesSchema(variables) };
}

function textMember<Name extends string>(name: Name, value: unknown): { readonly [Key in Name]?: string };
function textMember(name: string, value: unknown): Readonly<Record<string, string>> {
  return typeof value === 'string' ? { [name]: value } : {};
}

function methodsMember(given: Json | undefined): { readonly methods?: readonly MappingMethod[] } {
  const methods = mappingMethods.filter((method) => Array.isArray(given) && given.includes(method));
  return Array.isArray(given) && methods.length === given.length ? { methods } : {};
}

/** What the records of other kinds say about REST endpoints. */
interface ResourceContext {
  /** Finds a source by ID. */
  readonly sourceOf: (id: string) => Source | undefined;
  readonly nameOf: NameOfAuthor;
}

/** Converts the current state of a REST endpoint. `broken` lists its broken published mappings. */
export function toResource(
  endpoint: RestEndpoint,
  broken: readonly BrokenMapping[],
  { sourceOf, nameOf }: ResourceContext,
): api.RestEndpoint {
  const { id, current, published } = endpoint;
  const warningsOf = (definition: RestEndpointDefinition) =>
    findMappingWarnings(definition, sourceOf(definition.source));
  return {
    id,
    state: stateOf(endpoint),
    broken: broken.map(({ mapping, problems }) => ({ mapping, problems: [...problems] })),
    warnings: warningsOf(current.definition),
    ...toSummary(current, nameOf),
    draft: toDefinition(current.definition),
    ...(published
      ? {
          published: {
            number: published.number,
            definition: toDefinition(published.definition),
            warnings: warningsOf(published.definition),
          },
        }
      : {}),
  };
}

/** Converts a version, without its definition. */
export function toSummary(
  { number, action, savedAtMs, savedBy }: RestEndpointVersion,
  nameOf: NameOfAuthor,
): api.VersionSummary {
  const savedByName = nameOf(savedBy);
  return { number, action, savedAt: savedAtMs, savedBy, ...(savedByName !== undefined && { savedByName }) };
}

/** Converts a version, with its definition. */
export function toVersion(version: RestEndpointVersion, nameOf: NameOfAuthor): api.Version {
  return { ...toSummary(version, nameOf), definition: toDefinition(version.definition) };
}

function toDefinition({ mappings, cors, ...definition }: RestEndpointDefinition): api.RestEndpointDefinition {
  return {
    ...definition,
    ...toCorsMember(cors),
    mappings: mappings.map(({ methods, ...mapping }) => ({ ...mapping, methods: [...methods] })),
  };
}

/** Returns the present name of an author; `undefined` for one that has no name, or is no user and no API client. */
type NameOfAuthor = (author: string) => string | undefined;

/** Creates the function that reads the names of some authors. */
export function createAuthorNames({
  users,
  clients,
}: {
  users: Pick<Users, 'findByEmail'>;
  clients: Pick<ApiClients, 'get'>;
}): (authors: readonly string[]) => Promise<NameOfAuthor> {
  async function findName(author: string): Promise<string | undefined> {
    const user = await users.findByEmail(author);
    if (user) return user.name;
    return (await unlessError(clients.get(author), 'not_found'))?.name;
  }

  return async (authors) => {
    const found = [...new Set(authors)].map(async (author) => [author, await findName(author)] as const);
    const names = new Map(await Promise.all(found));
    return (author) => names.get(author);
  };
}
