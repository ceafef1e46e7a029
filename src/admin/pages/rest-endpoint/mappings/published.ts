/**
 * The published state of a REST endpoint, as needed to call its routes.
 */
import { skipToken, useQuery } from '@tanstack/react-query';
import { createContext, useMemo, useState } from 'react';
import {
  type Access,
  admin,
  answer,
  type GraphqlEndpoint,
  type MappingMethod,
  type RestEndpoint,
} from '../../../api.ts';
import { accessOf } from '../editor/access.ts';
import { type EndpointDraft, isSameDraft, toDraft } from '../editor/draft.ts';
import type { Credentials, Syntax } from '../try-it/request.ts';
import { toInputs, type VariableInput } from '../try-it/variable-inputs.ts';

/** The published state, and the credentials to try it with, which no page keeps. */
export interface Published {
  readonly number: number;
  /** Whether the form holds something else. */
  readonly isFormAhead: boolean;
  readonly access: Access;
  readonly syntax: Syntax;
  readonly routes: ReadonlyMap<string, PublishedRoute>;
  readonly credentials: Credentials;
  readonly setCredentials: (credentials: Credentials) => void;
}

/** A mapping as it is served. */
export interface PublishedRoute {
  readonly path: string;
  readonly methods: readonly MappingMethod[];
  /** `undefined` until they are known, and when the mapping is broken. */
  readonly inputs: readonly VariableInput[] | undefined;
}

/** For the panels of the mappings; `undefined` while nothing is published. */
export const PublishedContext = createContext<Published | undefined>(undefined);

/** What is published of an endpoint; the variables come from a check of that, as the form may have others. */
export function usePublished({
  endpoint,
  draft,
  sources,
}: {
  endpoint: RestEndpoint | undefined;
  draft: EndpointDraft;
  sources: readonly GraphqlEndpoint[];
}): Published | undefined {
  const [credentials, setCredentials] = useState<Credentials>({ apiKey: '', clientId: '', clientSecret: '' });
  const id = endpoint?.id;
  const published = endpoint?.published;
  const { data: checked } = useQuery({
    queryKey: ['rest-endpoints', id, 'published', published?.number],
    queryFn:
      published && id !== undefined
        ? () => answer(admin.checkRestEndpoint({ body: { ...published.definition, id } }))
        : skipToken,
  });
  const routes = useMemo(() => {
    const { pathPrefix = '', mappings = [] } = published?.definition ?? {};
    return new Map(
      mappings.map(({ name, path, methods }, index) => {
        const variables = checked?.mappings[index]?.variables;
        return [
          name,
          { path: pathPrefix + path, methods, inputs: variables && toInputs(variables) },
        ] as const;
      }),
    );
  }, [published, checked]);
  if (!published) return undefined;
  const { access, source, disableParameterSlashSyntax } = published.definition;
  return {
    number: published.number,
    isFormAhead: !isSameDraft(draft, toDraft(published.definition)),
    access: accessOf(
      access,
      sources.find((one) => one.id === source),
    ),
    syntax: disableParameterSlashSyntax ? 'json' : 'slash',
    routes,
    credentials,
    setCredentials,
  };
}
