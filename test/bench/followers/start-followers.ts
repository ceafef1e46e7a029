/**
 * Attaches followers to a server of the benchmark: live streams and webhooks, whose receiver is a separate process.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { articleType } from '../articles.ts';
import type { Received } from '../servers/followers.ts';
import type { Server } from '../servers/start-server.ts';

/** What follows a server. */
export interface FollowersRequest {
  readonly streams: number;
  /** How many different queries the streams have. */
  readonly queries?: number;
  readonly webhooks: number;
  /** The predicate of every stream and webhook; absent means every change of an article. */
  readonly where?: string;
}

/** The process of the followers. */
export interface Followers {
  received(): Promise<Received>;
  kill(): void;
}

/** Starts followers; resolves when every stream has caught up. */
export async function startFollowers(
  server: Server,
  { streams, queries = 1, webhooks, where }: FollowersRequest,
): Promise<Followers> {
  const child = fork(join(import.meta.dirname, '../servers/followers.ts'));
  const [{ url }] = await once(child, 'message');
  for (let n = 0; n < webhooks; n++) await createWebhook(server, { url, n, where });
  const urls = Array.from({ length: streams }, (_, n) => toStreamUrl(server, { query: n % queries, where }));
  await exchange(child, { streams: { urls, headers: server.headers } });
  return { received: () => exchange(child, {}), kill: () => child.kill('SIGKILL') };
}

async function createWebhook(
  server: Server,
  { url, n, where }: { url: string; n: number; where: string | undefined },
): Promise<void> {
  const body = JSON.stringify({ name: `Bench ${n}`, url: `${url}/${n}`, types: [articleType], where });
  const headers = { ...server.headers, 'Content-Type': 'application/json' };
  const response = await fetch(`${server.url}/api/admin/webhooks`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`a webhook could not be created: ${await response.text()}`);
}

/** Queries with different numbers differ, and find the same. */
function toStreamUrl(
  server: Server,
  { query, where = 'true' }: { query: number; where: string | undefined },
): string {
  const differing = query === 0 ? where : `(${where}) and readingMinutes < ${1_000 + query}`;
  const parameters = new URLSearchParams({ from: articleType, where: differing });
  return `${server.url}/api/rest/cma/contents/changes?${parameters}`;
}

async function exchange(child: ChildProcess, request: object): Promise<Received> {
  const reply = once(child, 'message');
  child.send(request);
  const [received] = await reply;
  return received;
}
