/** A proxy before a server that fails on purpose: once for each fault it is given, in order; after that it passes everything. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { forward, listen } from '../../support/proxy.ts';

/**
 * What happens to one request. `cut` and `stall` never answer it, whether it reached the server or not; `half` cuts the connection in
 * the middle of the server's answer; `busy` tells of another answer than the server's; an object is answered in the server's place.
 */
export type Fault =
  | 'cut before'
  | 'cut after'
  | 'half'
  | 'busy after'
  | 'stall before'
  | 'stall after'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

/** A request that came to the proxy. */
export interface Passed {
  readonly method: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A proxy that listens. */
export interface FaultyProxy {
  readonly url: string;
  /** Since the latest faults were set. */
  readonly requests: readonly Passed[];
  fail(...faults: readonly Fault[]): void;
  close(): Promise<void>;
}

/** Starts a proxy before the server at an address. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const requests: Passed[] = [];
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
