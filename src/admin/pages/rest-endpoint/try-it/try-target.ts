/**
 * What can be tried: a mapping as the form has it, or as it is published.
 */
import type { CheckedMapping, MappingMethod } from 'colophon-client/admin';
import type { Syntax } from './request.ts';
import { toInputs, type VariableInput } from './variable-inputs.ts';

/** A mapping with all that a request to it needs. */
export interface TryTarget {
  /** Whether a route serves it. */
  readonly isPublished: boolean;
  /** The ID of the GraphQL endpoint that runs it. */
  readonly source: string;
  readonly query: string;
  readonly notFound: string | undefined;
  readonly result: string | undefined;
  /** The whole path of its route, with the names of its parameters. */
  readonly path: string;
  readonly methods: readonly MappingMethod[];
  readonly syntax: Syntax;
  /** `undefined` until it is known, and when the query has problems. */
  readonly kind: 'query' | 'mutation' | undefined;
  readonly inputs: readonly VariableInput[] | undefined;
}

/** Puts a target together; `checked` is what the server found out about the mapping. */
export function toTarget({
  settings: { pathPrefix, source, disableParameterSlashSyntax },
  mapping: { path = '', methods = [], query, notFound, result },
  checked,
  isPublished,
}: {
  settings: {
    readonly pathPrefix: string;
    readonly source: string;
    readonly disableParameterSlashSyntax: boolean;
  };
  mapping: {
    readonly path?: string | undefined;
    readonly methods?: readonly MappingMethod[] | undefined;
    readonly query: string;
    readonly notFound?: string | undefined;
    readonly result?: string | undefined;
  };
  checked: CheckedMapping | undefined;
  isPublished: boolean;
}): TryTarget {
  return {
    isPublished,
    source,
    query,
    notFound: notFound || undefined,
    result: result || undefined,
    path: pathPrefix + path,
    methods,
    syntax: disableParameterSlashSyntax ? 'json' : 'slash',
    kind: checked?.kind,
    inputs: checked?.variables && toInputs(checked.variables),
  };
}
