/**
 * Chooses the content that a request to a GraphQL endpoint or a mapped route reads: the live content, or that of a release. A request
 * names a release by `release`, for which its API client needs a scope, or by `preview`, the token of a preview link.
 */
import type { Authenticator } from '../../access/authenticator.ts';
import { assertScope } from '../../access/clients/scopes.ts';
import type { Access } from '../../access/endpoint-access.ts';
import type { PreviewLinks } from '../../access/preview-links.ts';
import { invalidParameter, notFound } from '../../base/errors.ts';
import type { ContentService } from '../../content/content-service.ts';
import { isReleaseName } from '../../content/drafts/draft-record.ts';
import type { PreparedOperation } from '../../graphql/operation.ts';
import type { Request, Response } from '../request/http-request.ts';
import { parseQuery } from '../request/parse-query.ts';
import type { RequestLocals } from '../request/request-locals.ts';
import { queryText } from '../request/request-path.ts';
import { addHeader } from '../response/response-headers.ts';
import { type AuthorizedClient, identifyAnyClient } from './authorize-request.ts';

/** The services that know releases and who may read them. */
export interface ReleaseServices {
  readonly authenticator: Authenticator;
  readonly previewLinks: Pick<PreviewLinks, 'releaseOf'>;
  readonly content: Pick<ContentService, 'inRelease'>;
}

/** An endpoint, and its client as it was authorized. */
interface AuthorizedRequest {
  readonly access: Access;
  /** Whether the endpoint serves the content of releases. */
  readonly preview: boolean;
  readonly client: AuthorizedClient;
}

/**
 * Returns who reads, and in which release.
 *
 * Errors: invalid_parameter; unauthorized for a preview link that has ended, and without credentials for `release`; forbidden without the
 * scope cma:draft; not_found for a release that does not exist; not_supported.
 */
export async function chooseRelease(
  request: Request,
  response: Response,
  { access, preview, client, services }: AuthorizedRequest & { readonly services: ReleaseServices },
): Promise<AuthorizedClient> {
  const text = queryText(request);
  if (!preview || !/release|preview|%/.test(text)) return client;
  const { release, preview: token } = parseQuery(text);
  if (release === undefined && token === undefined) return client;
  if (release !== undefined && token !== undefined)
    throw invalidParameter('preview', 'cannot be combined with "release"');
  const parameter = token === undefined ? 'release' : 'preview';
  const value = token ?? release;
  if (typeof value !== 'string') throw invalidParameter(parameter, 'must be given once');
  const { authenticator, previewLinks, content } = services;
  // The application sets the locals.
  const locals = response.locals as RequestLocals;
  locals.releaseParameter = parameter;
  let reader = client;
  if (parameter === 'release') {
    const named =
      access === 'ANYONE' ? await identifyAnyClient(request, response, authenticator) : locals.client;
    if (!named) throw new Error('The request has no client');
    assertScope(named, 'cma:draft');
    reader = named;
  }
  const name = parameter === 'preview' ? await previewLinks.releaseOf(value) : value;
  if (!isReleaseName(name)) throw notFound(name, 'release');
  await content.inRelease(name, reader).state();
  addHeader(response, 'X-Release', name);
  return { ...reader, release: name };
}

/** Refuses a mutation in a release. Errors: invalid_parameter. */
export function assertReadsRelease({ locals }: Response, { kind }: Pick<PreparedOperation, 'kind'>): void {
  const { releaseParameter } = locals as RequestLocals;
  if (kind === 'mutation' && releaseParameter !== undefined)
    throw invalidParameter(releaseParameter, 'is for queries: mutations change live content');
}

/** Returns the `Cache-Control` of a response that nobody keeps. */
export const uncached = ({ locals }: Response): string =>
  (locals as RequestLocals).releaseParameter === undefined ? 'no-store' : 'private, no-store';
