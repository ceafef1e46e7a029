/**
 * Builds the APIs of an instance: the admin API, and the content management API with its document, handlers, authentication and error
 * format.
 */
import { requestValidators } from '../../../generated/validators/cma.js';
import type { MountedApi } from '../../http/api.ts';
import { createApi } from '../../http/api.ts';
import { createAdmin } from '../../http/create-admin.ts';
import { authenticateClients } from '../../http/credentials/authenticate.ts';
import { toErrorResponse } from '../../http/error-map.ts';
import { type CmaHandlers, createCmaFileHandlers, createCmaHandlers } from '../../http/handlers/cma.ts';
import { createCmaChangesHandlers, createCmaHistoryHandlers } from '../../http/handlers/cma-changes.ts';
import { createMcp } from '../../http/mcp/serve-mcp.ts';
import { createApiBodyReader } from '../../http/request/read-body.ts';
import type { Services } from './services.ts';

/** Creates the APIs that the configuration enables. */
export function createApis(services: Services): MountedApi[] {
  const { cmaEnabled, mcpEnabled } = services.config;
  const cma = cmaEnabled || mcpEnabled ? createCma(services) : undefined;
  return [
    ...(cma && cmaEnabled ? [cma] : []),
    ...(cma && mcpEnabled ? [createMcp(services, cma)] : []),
    createAdmin(services),
  ];
}

function createCma(services: Services): MountedApi {
  const { content, requests, erase, upload, liveFeeds, authenticator, cmaDocument, limits, logger } =
    services;
  const { cmaPath: basePath, cmaCors: cors } = services.config;
  const handlers: CmaHandlers = {
    ...createCmaHandlers({ basePath, content, requests, erase, logger }),
    ...createCmaFileHandlers(upload),
    ...createCmaHistoryHandlers({ content, requests }),
    ...createCmaChangesHandlers({ content, liveFeeds, isCurrent: authenticator.isCurrent }),
  };
  return {
    basePath,
    isCompressed: () => true,
    cors,
    authenticate: authenticateClients(authenticator),
    handle: createApi({
      document: cmaDocument,
      validators: requestValidators,
      handlers,
      invalidBodyOperations: ['batchAssets'],
      readBody: createApiBodyReader(limits),
    }),
    toErrorResponse,
  };
}
