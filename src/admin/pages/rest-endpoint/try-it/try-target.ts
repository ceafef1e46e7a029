/**
 * What can be tried: a mapping as the form has it, or as it is published.
 */
import type { CheckedMapping, MappingMethod } from 'colophon-client/admin';
import { createContext, useMemo, useState } from 'react';
import type { EndpointDraft } from '../editor/draft.ts';
import type { Published } from '../mappings/published.ts';
import type { Credentials, Syntax } from './request.ts';
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

/** The endpoint that the mappings belong to. */
export interface TryContextValue {
  /** Absent for a new endpoint. */
  readonly endpointId: string | undefined;
  readonly draft: EndpointDraft;
  /** Absent while nothing is published. */
  readonly published: Published | undefined;
  readonly credentials: Credentials;
  readonly setCredentials: (credentials: Credentials) => void;
}

/** For the panels of the mappings; the page of the endpoint provides it. */
export const TryContext = createContext<TryContextValue | undefined>(undefined);

/** Creates the value of the context. */
export function useTryContext({
  endpointId,
  draft,
  published,
}: Pick<TryContextValue, 'endpointId' | 'draft' | 'published'>): TryContextValue {
  const [credentials, setCredentials] = useState<Credentials>({ apiKey: '', clientId: '', clientSecret: '' });
  return useMemo(
    () => ({ endpointId, draft, published, credentials, setCredentials }),
    [endpointId, draft, published, credentials],
  );
}
