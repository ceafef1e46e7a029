/**
 * Starts the servers of the benchmark, each in a separate process, so that each has its own processor time.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * `uncached`: Colophon on the same store, which keeps no bodies of mapped routes. `bare`: Express routes that make the store calls by hand.
 * `express` and `plain` (node:http): constant answers.
 */
export const serverKinds = ['colophon', 'uncached', 'bare', 'express', 'plain'] as const;

/** A kind of server; `further` is Colophon on a store that another process serves, too. */
export type ServerKind = (typeof serverKinds)[number] | 'further';

/** A server that listens. */
export interface Server {
  readonly kind: ServerKind;
  readonly url: string;
  /** The headers that every request to it needs. */
  readonly headers: Readonly<Record<string, string>>;
  /** Returns the processor time that all its threads have used, in microseconds. */
  cpuUs(): Promise<number>;
  /** Sets the body of the constant answer. */
  answerWith(body: string): Promise<void>;
  kill(): void;
}

/** Starts a server on the store in a folder. */
export async function startServer(kind: ServerKind, dataDir: string): Promise<Server> {
  const child = fork(join(import.meta.dirname, 'main.ts'), [kind, dataDir]);
  const [{ url, headers }] = await once(child, 'message');
  const ask = (request: object) => exchange(child, request);
  return {
    kind,
    url,
    headers,
    cpuUs: ask.bind(undefined, {}),
    async answerWith(body) {
      await ask({ body });
    },
    kill: () => child.kill('SIGKILL'),
  };
}

/** Sends a message; the reply is the processor time. */
async function exchange(child: ChildProcess, request: object): Promise<number> {
  const reply = once(child, 'message');
  child.send(request);
  const [cpuUs] = await reply;
  return cpuUs;
}
