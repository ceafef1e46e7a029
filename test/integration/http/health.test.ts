import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRequestOrigins } from '../../../src/base/request-origin.ts';
import { silentLogger } from '../../../src/base/runtime.ts';
import { createApp } from '../../../src/http/create-app.ts';
import { createRequestMetrics } from '../../../src/http/request/request-telemetry.ts';

let server: Server;
let url: string;
const state = { isReady: true, isHealthy: true };
const check = (isSo: () => boolean) => async () => {
  if (!isSo()) throw new Error('not so');
};

beforeAll(async () => {
  const app = createApp({
    apis: [],
    files: (_request, _response, next) => next(),
    graphql: (_request, _response, next) => next(),
    routes: (_request, _response, next) => next(),
    pages: (_request, _response, next) => next(),
    maxRequests: 1000,
    checkReady: check(() => state.isReady),
    checkHealth: check(() => state.isHealthy),
    origins: createRequestOrigins(),
    requests: createRequestMetrics(),
    usage: { add() {} },
    metrics: (_request, _response, next) => next(),
    logger: silentLogger,
  });
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

test.each([
  [true, true, 200, 200],
  [false, true, 503, 200],
  [false, false, 503, 503],
  [true, true, 200, 200],
])('ready: %o, able to recover: %o', async (isReady, isHealthy, readyz, healthz) => {
  Object.assign(state, { isReady, isHealthy });
  expect((await fetch(`${url}/readyz`)).status).toBe(readyz);
  expect((await fetch(`${url}/healthz`)).status).toBe(healthz);
});
