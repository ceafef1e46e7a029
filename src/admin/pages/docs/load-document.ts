/**
 * The OpenAPI documents there are to show.
 */
import { admin, answer } from '../../api.ts';

/** An OpenAPI document as it is shown; what is in it, the viewer knows. */
export type OpenApiDocument = Readonly<Record<string, unknown>>;

/** The document of the content management API (`cma`), of the admin API (`admin`) or of a published REST endpoint, by its ID. */
export async function loadDocument(id: string): Promise<OpenApiDocument> {
  if (id === 'cma') return (await import('../../../../generated/openapi/cma.json')).default;
  if (id === 'admin') return (await import('../../../../generated/openapi/admin.json')).default;
  return await answer(admin.getRouteDocument({ path: { id } }));
}
