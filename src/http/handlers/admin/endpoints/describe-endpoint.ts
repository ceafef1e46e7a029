/**
 * Describes a REST endpoint for its callers: the types of the operations of a saved or checked draft.
 */
import type { Problem } from '../../../../base/errors.ts';
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
} from '../../../../mapping/records/rest-endpoint.ts';
import type { Source } from '../../../../mapping/routes/build-routes.ts';
import { type DataPlace, findPlace } from '../../../../mapping/routes/data-place.ts';
import type { Json, JsonObject } from '../../../../model/content-type.ts';
import { isJsonObject } from '../../../../model/values/validate-asset.ts';

/** The types of an operation's variables and data, for its callers. */
export interface OperationDeclarations {
  /** TypeScript declarations of its variables and its data. */
  readonly typescript: string;
  /** A JSON Schema of its variables. */
  readonly variables: JsonObject;
}

/** The types of one mapping's operation. They are absent if there are problems. */
export interface DescribedOperation extends Partial<OperationDeclarations> {
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

/** The result of checking an endpoint. */
export interface DescribedCheck {
  readonly pathPrefix?: string;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Warning[];
  readonly mappings: readonly CheckedMapping[];
}

/** A mapping with its defaults, without malformed members, and without the operation if that has problems. */
export interface CheckedMapping extends Partial<OperationDeclarations> {
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
