/**
 * Assembles the content management API from its document, handlers, authentication and error format.
 */
import { requestValidators } from '../../../generated/server/cma-validators.js';
import type { Authenticator } from '../../access/authenticator.ts';
import type { EraseWithResponses } from '../../access/idempotency/erase-with-responses.ts';
import type { IdempotentRequests } from '../../access/idempotency/idempotent-requests.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { LiveFeeds } from '../../content/feed/live/live-feeds.ts';
import type { OpenApiDocument } from '../../documents/openapi-document.ts';
import { createApi } from '../../http/api.ts';
import { authenticateClients } from '../../http/credentials/authenticate-client.ts';
import { toErrorResponse } from '../../http/error-map.ts';
import { type CmaHandlers, createCmaHandlers } from '../../http/handlers/cma.ts';
import { createCmaChangesHandlers } from '../../http/handlers/cma-changes.ts';
import { createCmaHistoryHandlers } from '../../http/handlers/cma-history.ts';
import type { MountedApi } from '../../http/mounted-api.ts';
import type { BodyLimits } from '../../http/request/collect-body.ts';
import { createJsonReader } from '../../http/request/read-body.ts';
import type { Config } from '../config/config.ts';
import type { Runtime } from './compose-records.ts';

/** The services that the CMA uses. */
interface CmaServices {
  readonly config: Config;
  readonly content: ContentService;
  readonly requests: IdempotentRequests;
  readonly runtime: Runtime;
  readonly liveFeeds: LiveFeeds;
}

/** Creates the CMA, ready to mount at its base path. */
export async function createCma(
  { config, content, requests, runtime, liveFeeds }: CmaServices,
  {
    document,
    authenticator,
    erase,
    limits,
  }: {
    document: OpenApiDocument;
    authenticator: Authenticator;
    erase: EraseWithResponses;
    limits: BodyLimits;
  },
): Promise<MountedApi> {
  const { logger } = runtime;
  const handlers: CmaHandlers = {
    ...createCmaHandlers({ basePath: config.cmaPath, content, requests, erase, logger }),
    ...createCmaHistoryHandlers(content),
    ...createCmaChangesHandlers({ content, liveFeeds, isCurrent: authenticator.isCurrent }),
  };
  const handle = createApi({
    document,
    validators: requestValidators,
    handlers,
    invalidBodyOperations: ['batchAssets'],
    readBody: createJsonReader(limits),
  });
  return {
    basePath: config.cmaPath,
    isCompressed: () => true,
    cors: config.cmaCors,
    authenticate: authenticateClients(authenticator),
    handle,
    toErrorResponse,
  };
}
