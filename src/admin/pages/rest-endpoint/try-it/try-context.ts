/**
 * What the forms that try mappings share: the endpoint, and the credentials, which no page keeps.
 */
import { createContext, useMemo, useState } from 'react';
import type { EndpointDraft } from '../editor/draft.ts';
import type { Published } from '../mappings/published.ts';
import type { Credentials } from './request.ts';

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
