/**
 * Loads the OpenAPI documents, and finds the content management API's address in its own document.
 */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { admin, answer } from '../../api.ts';
import { serverUrl } from '../../base-path.ts';

/** An OpenAPI document as it is shown; what is in it, the viewer knows. */
export type OpenApiDocument = Readonly<Record<string, unknown>>;

/** The document of the content management API (`cma`), of the admin API (`admin`) or of a published REST endpoint, by its ID. */
export const openApiDocument = (id: string) =>
  queryOptions({ queryKey: ['documents', id], queryFn: () => loadDocument(id) });

/** The address of the assets, such as `https://cms.example.com/api/rest/cma/contents`; undefined until it is known. */
export function useCmaUrl(): string | undefined {
  const { data } = useQuery(openApiDocument('cma'));
  // The first path is that of the assets; all others continue it.
  const path = Object.keys(Object(data?.paths)).find((one) => one.startsWith('/'));
  return path === undefined ? undefined : serverUrl + path;
}

async function loadDocument(id: string): Promise<OpenApiDocument> {
  if (id === 'cma') return answer(admin.getCmaDocument());
  if (id === 'admin') return answer(admin.getAdminDocument());
  return answer(admin.getRouteDocument({ path: { id } }));
}
