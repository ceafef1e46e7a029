/** Servers of several workers, and requests over separate connections. */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { expect, vi } from 'vitest';
import { composeAccess } from '../../src/app/compose/compose-commands.ts';
import { readConfig } from '../../src/app/config/config.ts';
import { createRequestOrigins } from '../../src/base/request-origin.ts';
import { silentLogger as logger, randomIds, systemClock } from '../../src/base/runtime.ts';
import { type Environment, environmentOf, type ServingProcess, startServing } from './command-line.ts';
import type { StoreLocation } from './stores.ts';

/** A response, and the ID of its request. */
export interface WorkerResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
  readonly body: any;
  readonly requestId: string;
}

/** A request to send. */
export interface WorkerRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the request has no credentials of the API client. */
  readonly isAnonymous?: boolean;
  readonly body?: object;
  /** The connections to use; absent means a new one. */
  readonly agent?: Agent;
}

/** The API client of the servers, with every scope. */
export const credentials = { 'X-Client-Id': 'workers', 'X-Client-Secret': 'in-unison' } as const;

/** Starts a server with two workers, and waits until both serve. It is killed after `timeoutMs`. */
export async function serveWithWorkers(
  location: StoreLocation,
  environment: Environment = {},
  options: { timeoutMs?: number } = {},
): Promise<ServingProcess> {
  await createFullClient(location);
  const serving = await startServing(
    { ...environmentOf(location), COLOPHON_WORKERS: '2', ...environment },
    options,
  );
  await untilServing(serving);
  return serving;
}

/** Waits until both workers serve. */
export async function untilServing(serving: ServingProcess): Promise<void> {
  await vi.waitFor(() => expect(workerPids(serving).size).toBe(2), { timeout: 60_000, interval: 50 });
}

/** Creates the API client with every scope, before a server starts. */
export async function createFullClient({ config }: StoreLocation): Promise<void> {
  const runtime = { logger, clock: systemClock, ids: randomIds, origins: createRequestOrigins() };
  const { clients, close } = await composeAccess({ ...readConfig({}), ...config }, runtime);
  const scopes = ['cma:read', 'cma:write', 'history', 'graphql', 'metrics', 'admin'];
  const { 'X-Client-Id': clientId, 'X-Client-Secret': secret } = credentials;
  await clients.create({ name: 'Workers', scopes, clientId, secret });
  await close();
}

/** The lines of the log so far; each must be whole. */
export function logLines({ stderr }: ServingProcess): Readonly<Record<string, unknown>>[] {
  const text = stderr();
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** The process IDs of the workers that serve, by their numbers. Long drills have too many lines to parse all of them. */
export function workerPids({ stderr }: Pick<ServingProcess, 'stderr'>): Map<number, number> {
  const pids = new Map<number, number>();
  for (const [line] of stderr().matchAll(/^.*"a worker (?:serves|has ended and is replaced)".*\n/gm)) {
    const { msg, worker, workerPid } = JSON.parse(line);
    if (msg === 'a worker serves') pids.set(Number(worker), Number(workerPid));
    else pids.delete(Number(worker));
  }
  return pids;
}

/** Waits for the log lines of requests, and returns the number of the worker that answered each. */
export async function workersOf(
  { stderr }: ServingProcess,
  requestIds: readonly string[],
): Promise<readonly number[]> {
  const find = () => {
    const text = stderr();
    return requestIds.map((id) => {
      const at = text.lastIndexOf(id);
      const line = text.slice(text.lastIndexOf('\n', at) + 1, text.indexOf('\n', at));
      return at === -1 || line === '' ? undefined : Number(JSON.parse(line).worker);
    });
  };
  await vi.waitFor(() => expect(find()).not.toContain(undefined), { timeout: 60_000, interval: 100 });
  return find().map(Number);
}

/** Sends a request. */
export function send(
  { url }: Pick<ServingProcess, 'url'>,
  { method = 'GET', path, headers = {}, isAnonymous = false, body, agent }: WorkerRequest,
): Promise<WorkerResponse> {
  const requestId = randomUUID();
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, {
      method,
      agent: agent ?? false,
      headers: {
        ...(isAnonymous ? {} : credentials),
        'X-Request-Id': requestId,
        ...(text === undefined
          ? {}
          : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
        ...headers,
      },
    });
    sent.once('error', reject);
    sent.once('response', async (response) => {
      try {
        const received = Buffer.concat(await response.toArray()).toString();
        const isJson = /json/.test(response.headers['content-type'] ?? '');
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, body: isJson ? JSON.parse(received) : received, requestId });
      } catch (error) {
        reject(error);
      }
    });
    sent.end(text);
  });
}

/** One connection that is kept open. */
export const keptConnection = () => new Agent({ keepAlive: true, maxSockets: 1 });

/** Opens a kept connection to each worker, by the numbers of the workers. */
export async function connectToEach(serving: ServingProcess, path: string): Promise<Map<number, Agent>> {
  const agents = new Map<number, Agent>();
  for (let attempt = 0; agents.size < workerPids(serving).size; attempt++) {
    if (attempt > 20) throw new Error('The connections do not reach every worker');
    const agent = keptConnection();
    const { requestId } = await send(serving, { path, agent });
    const [worker = 0] = await workersOf(serving, [requestId]);
    if (agents.has(worker)) agent.destroy();
    else agents.set(worker, agent);
  }
  return agents;
}

/** Whether a process exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
