/**
 * Sends requests to one server for a while, and measures its processor time and the time until each response.
 */
import autocannon from 'autocannon';
import type { Result } from './compare.ts';
import type { BenchRequest, Row } from './rows.ts';
import type { Server } from './servers/start-server.ts';

/** A load on a server. */
export interface LoadRequest {
  readonly server: Server;
  readonly row: Row;
  readonly request: (n: number) => BenchRequest;
  readonly seconds: number;
  /** The number of the first request. */
  readonly first: number;
}

const usualConnections = 32;

/** Runs the load. Errors: the server answers with a status of 400 or more. */
export async function measureLoad({ server, row, request, seconds, first }: LoadRequest): Promise<Result> {
  const { assets = 1, connections = usualConnections, name } = row;
  const timesMs: number[] = [];
  let n = first;
  let failed = 0;
  const before = await server.cpuUs();
  const ended = Promise.withResolvers<autocannon.Result>();
  const load = autocannon(
    {
      url: server.url,
      connections,
      duration: seconds,
      requests: [{ setupRequest: (template) => ({ ...template, ...toText(request(n++), server) }) }],
    },
    (error: Error | null, result) => (error ? ended.reject(error) : ended.resolve(result)),
  );
  load.on('response', (_client, status, _bytes, timeMs) => {
    timesMs.push(timeMs);
    if (status >= 400) failed++;
  });
  const { duration, errors } = await ended.promise;
  const cpuUs = (await server.cpuUs()) - before;
  if (failed + errors > 0)
    throw new Error(`${name}: ${server.kind} failed ${failed} times, ${errors} errors`);
  timesMs.sort((a, b) => a - b);
  const quantile = (share: number) => timesMs[Math.floor((timesMs.length - 1) * share)] ?? Number.NaN;
  const written = timesMs.length * assets;
  return {
    cpuUs: cpuUs / written,
    perSecond: written / duration,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
  };
}

function toText({ method, path, body, headers }: BenchRequest, server: Server) {
  const all = { ...server.headers, 'Content-Type': 'application/json', ...headers };
  return { method, path, headers: all, ...(body && { body: JSON.stringify(body) }) };
}
