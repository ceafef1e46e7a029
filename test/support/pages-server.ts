/** A server of static pages alone: the admin UI and the guide of a test. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequestOrigins } from '../../src/base/request-origin.ts';
import { silentLogger } from '../../src/base/runtime.ts';
import { createApp } from '../../src/http/create-app.ts';
import { servePages } from '../../src/http/pages/serve-pages.ts';
import { createRequestMetrics } from '../../src/http/request/request-telemetry.ts';

/** A listening server. */
export interface PagesServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a server for the pages in two folders, which may appear later. */
export async function startPagesServer(folders: {
  readonly admin: string;
  readonly guide: string;
  readonly basePath?: string;
}): Promise<PagesServer> {
  const app = createApp({
    apis: [],
    files: (_request, _response, next) => next(),
    graphql: (_request, _response, next) => next(),
    routes: (_request, _response, next) => next(),
    pages: servePages(folders),
    basePath: folders.basePath,
    maxRequests: 100,
    checkReady: () => Promise.resolve(),
    checkHealth: async () => {},
    origins: createRequestOrigins(),
    requests: createRequestMetrics(),
    usage: { add() {} },
    metrics: (_request, _response, next) => next(),
    logger: silentLogger,
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
