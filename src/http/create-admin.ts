/**
 * Assembles the admin API from its document, handlers, authentication and error format.
 */

import type { Operations } from '../../generated/server/admin.ts';
import { requestValidators } from '../../generated/validators/admin.js';
import type { ActivityReader } from '../access/audit/activity.ts';
import type { AuditLog } from '../access/audit/audit-log.ts';
import type { Authenticator } from '../access/authenticator.ts';
import type { ApiClients } from '../access/clients/api-clients.ts';
import type { EraseWithResponses } from '../access/idempotency/erase-with-responses.ts';
import type { IdempotentRequests } from '../access/idempotency/idempotent-requests.ts';
import type { OpenidSignIn } from '../access/openid/openid-sign-in.ts';
import type { PreviewLinks } from '../access/preview-links.ts';
import type { Runs } from '../access/runs/runs.ts';
import type { SavedViews } from '../access/saved-views.ts';
import type { Usage } from '../access/usage/usage.ts';
import type { Invitations } from '../access/users/invitations.ts';
import type { Presence } from '../access/users/presence.ts';
import type { Sessions } from '../access/users/sessions.ts';
import type { Users } from '../access/users/users.ts';
import type { Logger } from '../base/runtime.ts';
import type { ContentService } from '../content/content-service.ts';
import type { ReferenceFinder } from '../content/reading/find-references.ts';
import type { TitleFinder } from '../content/reading/find-titles.ts';
import type { PreviewAddresses } from '../content/reading/preview-addresses.ts';
import { adminPath, type OpenApiDocument, readAdminDocument } from '../documents/openapi-document.ts';
import type { StoredFiles } from '../files/stored-files.ts';
import type { UploadFile } from '../files/upload-file.ts';
import type { PictureVariants } from '../files/variants/picture-variants.ts';
import type { TrustedDocuments } from '../graphql/documents/trusted-documents.ts';
import type { PublishedApis } from '../mapping/routes/published-apis.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { MountedApi } from './api.ts';
import { createApi } from './api.ts';
import { type AdminSender, authenticateAdmins, authorizeByRole } from './credentials/authenticate-admin.ts';
import { toProblemResponse } from './error-map.ts';
import { createApiClientHandlers, createUsageHandlers } from './handlers/admin/api-clients.ts';
import { type ConfigurationServices, createConfigurationHandlers } from './handlers/admin/configuration.ts';
import {
  createActivityHandlers,
  createChangeHandlers,
  createContentHistoryHandlers,
} from './handlers/admin/content-history.ts';
import {
  createTypeHandlers,
  createTypesCheckHandlers,
  createTypeUseHandlers,
  type TypesCheckServices,
} from './handlers/admin/content-types.ts';
import {
  createContentHandlers,
  createFileHandlers,
  createQueryHandlers,
  createSearchHandlers,
  createUnfitHandlers,
} from './handlers/admin/contents.ts';
import { createDashboardHandlers, type DashboardServices } from './handlers/admin/dashboard/dashboard.ts';
import { createPresenceHandlers, createSavedViewHandlers } from './handlers/admin/editing.ts';
import {
  createGraphqlEndpointHandlers,
  createTrustedDocumentHandlers,
} from './handlers/admin/endpoints/graphql-endpoints.ts';
import {
  createRestEndpointHandlers,
  createTryHandlers,
  type RestEndpointServices,
} from './handlers/admin/endpoints/rest-endpoints.ts';
import {
  createSessionHandlers,
  createSignInMethodHandlers,
  createUserHandlers,
} from './handlers/admin/people.ts';
import { createPreviewLinkHandlers, createReleaseHandlers } from './handlers/admin/releases.ts';
import {
  type AdminHandlers,
  type InvalidBodyOperation,
  invalidBodyOperations,
} from './handlers/admin/responses.ts';
import { createRunHandlers } from './handlers/admin/runs.ts';
import { createWebhookHandlers } from './handlers/admin/webhooks.ts';
import type { BodyLimits } from './request/read-body.ts';
import { type ApiBodyReader, createApiBodyReader } from './request/read-body.ts';
import type { RequestLocals } from './request/request-head.ts';

/** The services that the admin API uses. */
export interface AdminServices
  extends RestEndpointServices,
    TypesCheckServices,
    ConfigurationServices,
    Pick<DashboardServices, 'collectRecentTraffic' | 'clock'> {
  readonly publishedApis: PublishedApis;
  readonly requests: IdempotentRequests;
  readonly trustedDocuments: TrustedDocuments;
  /** Applies changes of API clients in all processes that serve the same port. Never rejects. */
  readonly refreshClients: () => Promise<void>;
  readonly limits: BodyLimits;
  readonly content: ContentService;
  readonly findReferences: ReferenceFinder;
  readonly files: StoredFiles;
  readonly variants: PictureVariants;
  readonly upload: UploadFile;
  readonly titles: TitleFinder;
  readonly erase: EraseWithResponses;
  /** Returns the OpenAPI documents with schemas for the content types, for download. */
  readonly documents: () => { readonly cma: OpenApiDocument; readonly admin: OpenApiDocument };
  readonly clients: ApiClients;
  readonly runs: Runs;
  readonly previewLinks: PreviewLinks;
  readonly savedViews: SavedViews;
  readonly previews: PreviewAddresses;
  readonly sessions: Sessions;
  readonly presence: Presence;
  readonly openidSignIn: OpenidSignIn;
  readonly users: Users;
  readonly invitations: Invitations;
  /** The path of the public URL; empty if it has none. */
  readonly basePath: string;
  /** Whether each deletion of live content is an erasure. */
  readonly erasesDeletions: boolean;
  readonly audit: AuditLog;
  readonly activity: ActivityReader;
  readonly usage: Pick<Usage, 'report'>;
  readonly webhooks: Webhooks;
  readonly authenticator: Authenticator;
  readonly logger: Logger;
}

/** Creates the admin API, ready to mount at its base path. */
export function createAdmin(services: AdminServices): MountedApi {
  const document = readAdminDocument();
  const handle = createApi<Operations, AdminSender, InvalidBodyOperation>({
    document,
    validators: requestValidators,
    handlers: createHandlers(services),
    invalidBodyOperations,
    readBody: createBodyReader(services.limits),
    authorize: authorizeByRole(document),
  });
  return {
    basePath: adminPath,
    authenticate: authenticateAdmins(services),
    handle,
    toErrorResponse: toProblemResponse,
    headers: { 'Cache-Control': 'no-store' },
    // A browser adds the session cookie by itself, but another site cannot send a POST, which needs the CSRF token.
    isCompressed: ({ method }) => method === 'POST',
  };
}

/** Creates the reader of bodies; the body of a sender who is signing in, or accepts an invitation, has to be small. */
function createBodyReader(limits: BodyLimits): ApiBodyReader {
  const read = createApiBodyReader(limits);
  const maxBodyBytes = Math.min(limits.maxBodyBytes, maxAnonymousBytes);
  const readAnonymous = createApiBodyReader({ ...limits, maxBodyBytes });
  return (request, response, types) => {
    // Set by the authentication of this API.
    const { principal } = (response.locals as RequestLocals).sender as AdminSender;
    return principal.kind === 'anonymous'
      ? readAnonymous(request, response, types)
      : read(request, response, types);
  };
}

const maxAnonymousBytes = 65_536;

function createHandlers(services: AdminServices): AdminHandlers {
  const { content, documents, clients, logger } = services;
  const { graphqlEndpoints, apis, dryRuns, refreshEndpoints } = services;
  return {
    ...createSessionHandlers(services),
    ...createPresenceHandlers(services),
    ...createSignInMethodHandlers(services),
    ...createUserHandlers(services),
    ...createTypeHandlers(content, documents),
    ...createTypeUseHandlers(services),
    ...createTypesCheckHandlers(services),
    ...createApiClientHandlers(clients, services.refreshClients),
    ...createGraphqlEndpointHandlers({
      endpoints: graphqlEndpoints,
      apis,
      content,
      dryRuns,
      refresh: refreshEndpoints,
      logger,
    }),
    ...createTrustedDocumentHandlers(services),
    ...createRestEndpointHandlers(services),
    ...createTryHandlers(services),
    ...createConfigurationHandlers(services),
    ...createContentHandlers(services),
    ...createContentHistoryHandlers(content),
    ...createFileHandlers(services),
    ...createQueryHandlers(content),
    ...createSearchHandlers(services),
    ...createSavedViewHandlers(services.savedViews),
    ...createReleaseHandlers(services),
    ...createPreviewLinkHandlers(services),
    ...createRunHandlers(services.runs),
    ...createChangeHandlers(services.audit),
    ...createActivityHandlers(services.activity),
    ...createUsageHandlers(services.usage),
    ...createDashboardHandlers(services),
    ...createUnfitHandlers(content),
    ...createWebhookHandlers(services.webhooks),
  };
}
