/**
 * Compares the servers in one row: each round measures one after the other, so that drifts of the machine's speed affect all alike.
 */
import { measureLoad } from './measure-load.ts';
import { median } from './median.ts';
import type { BenchRequest, Row } from './rows.ts';
import type { Server, ServerKind } from './servers/start-server.ts';

/** What a server needed in a row: medians of the rounds. */
export interface Result {
  /** Processor time of all threads for each request, or for each asset of a batch. */
  readonly cpuUs: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** The results of a row. */
export interface Comparison {
  readonly colophon: Result;
  readonly bare: Result;
  readonly constant: Result;
}

/** How to compare. */
export interface Comparing {
  readonly servers: ReadonlyMap<ServerKind, Server>;
  readonly rounds: number;
  readonly seconds: number;
}

const contenders = ['colophon', 'bare', 'constant'] as const;
type Contender = (typeof contenders)[number];

/** A server with the requests that it gets. */
interface Load {
  readonly server: Server;
  readonly request: (n: number) => BenchRequest;
}

/** Measures a row. Errors: a server answers with a status of 400 or more. */
export async function compareServers(row: Row, { servers, rounds, seconds }: Comparing): Promise<Comparison> {
  const loads = await prepareLoads(row, servers);
  const results: Record<Contender, Result[]> = { colophon: [], bare: [], constant: [] };
  // The first round is a warm-up and does not count.
  for (let round = 0; round <= rounds; round++) {
    const order = contenders.map((_, n) => contenders[(n + round) % contenders.length]);
    for (const contender of order.filter((one) => one !== undefined)) {
      const result = await measureLoad({ ...loads[contender], row, seconds, first: (round + 1) * 1_000_000 });
      if (round > 0) results[contender].push(result);
    }
  }
  const { colophon, bare, constant } = results;
  return { colophon: toMedian(colophon), bare: toMedian(bare), constant: toMedian(constant) };
}

/** Sends the request 0 to each server. The constant answer gets the requests of Colophon, and the body of its response. */
async function prepareLoads(
  row: Row,
  servers: ReadonlyMap<ServerKind, Server>,
): Promise<Record<Contender, Load>> {
  const colophon = await prepare(row, get(servers, row.isUncached ? 'uncached' : 'colophon'), row.colophon);
  const bare = await prepare(row, get(servers, 'bare'), row.bare);
  const constant = get(servers, row.isPlain ? 'plain' : 'express');
  await constant.answerWith(colophon.answer);
  return { colophon, bare, constant: { server: constant, request: row.colophon } };
}

async function prepare(
  { isRepeated = false }: Row,
  server: Server,
  request: (n: number) => BenchRequest,
): Promise<Load & { answer: string }> {
  const { method, path, body, headers } = request(0);
  const response = await fetch(server.url + path, {
    method,
    headers: { ...server.headers, 'Content-Type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${server.kind} answers ${response.status}: ${answer.slice(0, 500)}`);
  const etag = response.headers.get('etag');
  if (!isRepeated || etag === null) return { server, request, answer };
  const repeated = (n: number) => ({ ...request(n), headers: { 'If-None-Match': etag } });
  // The response to a repeated request has no body.
  return { server, request: repeated, answer: '' };
}

function get(servers: ReadonlyMap<ServerKind, Server>, kind: ServerKind): Server {
  const server = servers.get(kind);
  if (!server) throw new Error(`no server ${kind}`);
  return server;
}

function toMedian(results: readonly Result[]): Result {
  const of = (name: keyof Result) => median(results.map((result) => result[name]));
  return { cpuUs: of('cpuUs'), perSecond: of('perSecond'), p50Ms: of('p50Ms'), p99Ms: of('p99Ms') };
}
