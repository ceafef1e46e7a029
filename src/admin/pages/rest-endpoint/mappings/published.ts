/**
 * The published state of a REST endpoint, as needed to call its routes.
 */
import { skipToken, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Access, admin, answer, type GraphqlEndpoint, type RestEndpoint } from '../../../api.ts';
import { accessOf } from '../../../parts/endpoints/endpoint-state.tsx';
import { type EndpointDraft, isSameDraft, toDraft } from '../editor/draft.ts';
import { type TryTarget, toTarget } from '../try-it/try-target.ts';

/** The published state. */
export interface Published {
  readonly number: number;
  /** Whether the form holds something else. */
  readonly isFormAhead: boolean;
  readonly access: Access;
  /** The mappings as they are served, by name. */
  readonly routes: ReadonlyMap<string, TryTarget>;
}

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
    if (!published) return new Map();
    const { mappings, ...settings } = published.definition;
    return new Map(
      mappings.map((mapping, index) => [
        mapping.name,
        toTarget({ settings, mapping, checked: checked?.mappings[index], isPublished: true }),
      ]),
    );
  }, [published, checked]);
  if (!published) return undefined;
  const { access, source } = published.definition;
  return {
    number: published.number,
    isFormAhead: !isSameDraft(draft, toDraft(published.definition)),
    access: accessOf(
      access,
      sources.find((one) => one.id === source),
    ),
    routes,
  };
}
