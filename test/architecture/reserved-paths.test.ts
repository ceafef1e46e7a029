/** The reserved paths, which user routes cannot use, are exactly those that the server itself serves. */
import express from 'express';
import { afterEach, expect, it, vi } from 'vitest';
import { createRequestOrigins } from '../../src/base/request-origin.ts';
import { silentLogger } from '../../src/base/runtime.ts';
import { adminPath } from '../../src/documents/openapi-document.ts';
import { Mounts } from '../../src/http/api.ts';
import { createApp } from '../../src/http/create-app.ts';
import { servePages } from '../../src/http/pages/serve-pages.ts';
import { createRequestMetrics } from '../../src/http/request/request-telemetry.ts';
import { findPathAbove, reservedPaths } from '../../src/mapping/checks/naming.ts';

afterEach(() => vi.restoreAllMocks());

/** Lists the paths with handlers in the application and its routers, except the CMA's, which is a setting. */
function mountedPaths(): string[] {
  const mounted: unknown[] = [];
  vi.spyOn(Mounts.prototype, 'use').mockImplementation((path) => void mounted.push(path));
  // Every other handler is mounted by one of these two methods of a router.
  for (const method of ['use', 'route']) {
    const original = express.Router.prototype[method];
    vi.spyOn(express.Router.prototype, method).mockImplementation(function (this: unknown, ...args) {
      mounted.push(args[0]);
      return original.apply(this, args);
    });
  }
  const nothing = () => undefined;
  createApp({
    apis: [{ basePath: adminPath, authenticate: () => ({}), handle: vi.fn(), toErrorResponse: vi.fn() }],
    files: nothing,
    graphql: nothing,
    pages: servePages({ admin: 'no-such-folder', guide: 'no-such-folder' }),
    routes: nothing,
    maxRequests: 1,
    checkReady: async () => undefined,
    checkHealth: async () => undefined,
    origins: createRequestOrigins(),
    requests: createRequestMetrics(),
    usage: { add() {} },
    metrics: () => undefined,
    logger: silentLogger,
  });
  const paths = mounted.flat().filter((path) => typeof path === 'string');
  return paths.map((path) => path.replace(/\/\*.*$/, '')).filter((path) => path !== '/');
}

it('every path that the server serves is reserved', () => {
  const mounted = mountedPaths();
  expect(mounted.length).toBeGreaterThan(6);
  expect(mounted.filter((path) => findPathAbove(path, reservedPaths) === undefined)).toEqual([]);
});

it('every reserved path is served, but for that of agents', () => {
  const mounted = mountedPaths();
  const unused = reservedPaths.filter((own) => !mounted.some((path) => findPathAbove(path, [own])));
  expect(unused).toEqual(['/mcp']);
});
