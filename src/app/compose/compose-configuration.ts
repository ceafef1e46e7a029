/**
 * Opens the configured store for its configuration as a whole, through the operations that a server has for it: a command sends the
 * same requests to a store as to a server.
 */
import type { Operations } from '../../../generated/server/admin.ts';
import { requestValidators } from '../../../generated/validators/admin.js';
import { createUsage } from '../../access/usage/usage.ts';
import { adminPath, type OpenApiDocument, readAdminDocument } from '../../documents/openapi-document.ts';
import { createApi } from '../../http/api.ts';
import type { AdminSender } from '../../http/credentials/authenticate-admin.ts';
import { toProblemResponse } from '../../http/error-map.ts';
import { createConfigurationHandlers } from '../../http/handlers/admin/configuration.ts';
import type { RequestLocals } from '../../http/request/request-head.ts';
import { createConfigurations } from '../../mapping/configuration/configurations.ts';
import type { Catalog } from '../../model/content-type.ts';
import type { Config } from '../config/config.ts';
import { type Open, openSystem } from './compose-commands.ts';
import {
  createAccess,
  createContent,
  createEndpoints,
  createSystem,
  openConfigured,
} from './compose-records.ts';
import { createWebhookParts } from './compose-webhooks.ts';
import type { Runtime } from './runtime.ts';

/** Sends a request to a path below `/api/admin/configuration`; with a body, a POST. Failures are responses, too. */
export type SendConfiguration = (
  path: string,
  body?: object,
) => Promise<{ readonly status: number; readonly body?: unknown }>;

/** Opens the store. Errors: bad_types, bad_config, store_busy, store_failure. */
export async function composeConfiguration(
  config: Config,
  runtime: Runtime,
  { catalog, isReadOnly }: { readonly catalog: Catalog; readonly isReadOnly: boolean },
): Promise<Open<{ readonly send: SendConfiguration }>> {
  const { ids, clock, logger } = runtime;
  // Prepares the store for system records, and leaves content alone.
  if (!isReadOnly) await (await openSystem(config, runtime, {})).close();
  const store = await openConfigured(config, { catalog, logger, isReadOnly });
  const system = createSystem(store, runtime);
  const { content, runs } = createContent({ rules: config, catalog, store, system }, runtime);
  const endpoints = createEndpoints({ config, runtime, system, content });
  // A server has them from its first start on.
  if (!isReadOnly) await endpoints.graphqlEndpoints.createFirst();
  const { webhooks } = createWebhookParts({ config, store, system, catalog, runtime });
  const { clients } = createAccess(system, runtime);
  const configurations = createConfigurations({
    ...endpoints,
    webhooks,
    clients,
    system,
    usage: createUsage({ system, clock, logger }),
    catalog,
    ids,
    logger,
    ownClientId: config.firstClientId,
  });
  return {
    send: createSender(configurations),
    async close() {
      await runs.stop();
      await store.close();
    },
  };
}

/** Serves the operations without a server. They validate as those of a server do. */
function createSender(configurations: ReturnType<typeof createConfigurations>): SendConfiguration {
  const document = readOwnDocument();
  const refresh = async () => {};
  const handle = createApi<Pick<Operations, 'readConfiguration' | 'applyConfiguration'>, AdminSender, never>({
    document,
    validators: requestValidators,
    handlers: createConfigurationHandlers({
      configurations,
      refreshEndpoints: refresh,
      refreshClients: refresh,
    }),
    invalidBodyOperations: [],
    readBody: async () => null,
  });
  return async (path, body) => {
    const request = { method: body ? 'POST' : 'GET', path: `${adminPath}/configuration${path}` };
    const given = { query: {}, headers: {}, signal: new AbortController().signal };
    try {
      return await handle({
        ...request,
        ...given,
        locals: localsOf(request.path),
        // The reader of the API would return JSON of this form.
        readBody: async <Body>() => body as Body,
      });
    } catch (error) {
      const response = toProblemResponse(error);
      // What a server only logs is told to the user of the command.
      if (response.status >= 500) throw error;
      return response;
    }
  };
}

/** The part of the document that is about the configuration. */
function readOwnDocument(): OpenApiDocument {
  const document = readAdminDocument();
  const isOwn = ([path]: [string, unknown]) => path.startsWith(`${adminPath}/configuration`);
  const paths: OpenApiDocument['paths'] = Object.fromEntries(Object.entries(document.paths).filter(isOwn));
  return Object.assign({ ...document }, { paths });
}

/** The name that is recorded as the author of changes. No API client can have it as its ID. */
const author = 'command line';

const sender: AdminSender = {
  principal: {
    kind: 'client',
    client: {
      clientId: author,
      name: author,
      scopes: ['admin'],
      secretHash: '',
      keys: [],
      createdAtMs: 0,
      updatedAtMs: 0,
    },
  },
  isSecure: true,
  address: undefined,
  deviceToken: undefined,
  begunSignIns: undefined,
};

const localsOf = (path: string): RequestLocals => ({
  requestId: author,
  path,
  headers: [],
  traceId: undefined,
  clientAddress: undefined,
  userAgent: undefined,
  exceedsRequestLimit: false,
  leaveRequestLimit() {},
  sender,
});
