/**
 * Finds what is allowed in endpoints but rarely intended: writes without credentials, mutations by GET, and filters that hold for
 * nothing. A warning appears wherever endpoints are saved, listed, checked or published.
 */
import type { GraphqlEndpointDefinition } from '../../graphql/endpoints/graphql-endpoint.ts';
import type { PreparedOperation } from '../../graphql/operation.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { accessOf, type Source } from '../routes/build-routes.ts';

/** Something that is allowed but may not be intended. `path` is the member of the definition, `mapping` the mapping's name. */
export interface Warning {
  readonly code: 'public_write' | 'get_mutation' | 'empty_filter';
  readonly message: string;
  readonly path: string;
  readonly mapping?: string;
}

/** A REST endpoint's definition, or a body that may become one. */
interface Mapped {
  readonly access?: unknown;
  readonly mappings?: unknown;
}

/** Warns of a GraphQL endpoint that anyone can write through. */
export function findPublicTypes({
  access,
  writeTypes,
}: Pick<GraphqlEndpointDefinition, 'access' | 'writeTypes'>): Warning[] {
  if (access !== 'ANYONE' || writeTypes.length === 0) return [];
  const types = writeTypes.includes('*') ? 'every content type' : writeTypes.join(', ');
  const message = `Anyone can create, change and delete assets of ${types} without credentials`;
  return [{ code: 'public_write', message, path: 'writeTypes' }];
}

/**
 * Warns of the mutations of a REST endpoint that anyone can run, of those that GET runs, and of filters that hold for nothing; operations
 * that cannot run are left out.
 */
export function findMappingWarnings(definition: Mapped, source: Source | undefined): Warning[] {
  return [
    ...findPublicMutations(definition, source),
    ...findGetMutations(definition, source),
    ...findEmptyFilters(definition, source),
  ];
}

/** Warns of the mutations of a REST endpoint that anyone can run; those that cannot run are left out. */
export function findPublicMutations(definition: Mapped, source: Source | undefined): Warning[] {
  if (!source || accessOf(definition.access, source) !== 'ANYONE') return [];
  return listMutations(definition, source).map(({ operation, methods: _, at, ...where }) => {
    const message = `Anyone can run the mutation ${operation.name ?? ''} without credentials`;
    return { code: 'public_write', message, path: `${at}.query`, ...where };
  });
}

function findGetMutations(definition: Mapped, source: Source | undefined): Warning[] {
  return listMutations(definition, source).flatMap(({ operation, methods, at, ...where }) => {
    if (!Array.isArray(methods) || !methods.includes('GET')) return [];
    const message = `GET runs the mutation ${operation.name ?? ''}, and browsers and crawlers send GET requests by themselves`;
    return [{ code: 'get_mutation', message, path: `${at}.methods`, ...where }];
  });
}

function findEmptyFilters(definition: Mapped, source: Source | undefined): Warning[] {
  return listOperations(definition, source).flatMap(({ operation, methods: _, at, ...where }) =>
    operation.findEmptyFilters().map(({ list, condition, line, column }) => {
      const message = `The filter of ${list} has "${condition}", which holds for no asset (line ${line}, column ${column})`;
      return { code: 'empty_filter', message, path: `${at}.query`, ...where };
    }),
  );
}

/** A mapped operation; `at` is the path of its mapping. */
interface MappedOperation {
  readonly operation: PreparedOperation;
  readonly methods: unknown;
  readonly at: string;
  readonly mapping?: string;
}

const listMutations = (definition: Mapped, source: Source | undefined) =>
  listOperations(definition, source).filter(({ operation }) => operation.kind === 'mutation');

function listOperations({ mappings }: Mapped, source: Source | undefined): MappedOperation[] {
  if (!source || !Array.isArray(mappings)) return [];
  return mappings.flatMap((mapping: unknown, index) => {
    if (!isJsonObject(mapping) || typeof mapping.query !== 'string') return [];
    const operation = source.api.prepare(mapping.query);
    if ('problems' in operation) return [];
    const name = typeof mapping.name === 'string' ? { mapping: mapping.name } : {};
    return [{ operation, methods: mapping.methods, at: `mappings[${index}]`, ...name }];
  });
}
