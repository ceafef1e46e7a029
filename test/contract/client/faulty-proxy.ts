/** A proxy in front of a server that fails once for each given fault, in order, and then passes every request. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { forward, listen } from '../../support/proxy.ts';

/**
 * A fault of one request, `before` or `after` it reaches the server. `cut` closes the connection and `stall` keeps it open, both
 * without a response. `half` cuts the server's response in the middle, `busy` replaces it. An object is the response of the proxy itself.
 */
export type Fault =
  | 'cut before'
  | 'cut after'
  | 'half'
  | 'busy after'
  | 'stall before'
  | 'stall after'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

/** A request that the proxy received. */
export interface ReceivedRequest {
  readonly method: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A running proxy. */
export interface FaultyProxy {
  readonly url: string;
  /** The requests since the last call of `fail`. */
  readonly requests: readonly ReceivedRequest[];
  fail(...faults: readonly Fault[]): void;
  close(): Promise<void>;
}

/** Starts a proxy in front of the server at the given address. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const requests: ReceivedRequest[] = [];
  let faults: readonly Fault[] = [];
  const { url, stop } = await listen(async ({ request, body, response }) => {
    const [fault] = faults;
    faults = faults.slice(1);
    const { method, headers } = request;
    requests.push({ method, headers, body: body.toString() });
    if (typeof fault === 'object') {
      response.writeHead(fault.status, fault.headers).end(fault.body);
      return;
    }
    if (fault === 'stall before') return;
    if (fault === 'cut before') {
      response.destroy();
      return;
    }
    const answered = await forward(new URL(request.url ?? '', target), { method, headers, body });
    await answer(response, { fault, answer: answered.answer, text: answered.body.toString() });
  });
  return {
    url,
    requests,
    fail(...next) {
      requests.length = 0;
      faults = next;
    },
    close: stop,
  };
}

interface Answered {
  readonly answer: IncomingMessage;
  readonly text: string;
}

async function answer(
  response: ServerResponse,
  { fault, answer: { statusCode = 0, headers }, text }: Answered & { readonly fault: Fault | undefined },
): Promise<void> {
  if (fault === 'stall after') return;
  if (fault === 'cut after') {
    response.destroy();
    return;
  }
  if (fault === 'busy after') {
    response.writeHead(503).end('upstream connect error or disconnect before headers');
    return;
  }
  response.writeHead(statusCode, headers);
  if (fault !== 'half') {
    response.end(text);
    return;
  }
  await new Promise((resolve) => response.write(text.slice(0, text.length / 2), resolve));
  response.destroy();
}
