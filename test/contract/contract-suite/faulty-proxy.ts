/** A proxy in front of an instance that breaks one promise of the contract. */
import { forward, type Listening, listen, withoutLength } from '../../support/proxy.ts';

/** A request or a response that passes the proxy, for a fault to change. */
export interface Passing {
  method: string;
  url: URL;
  requestHeaders: Headers;
  requestBody: string;
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: bodies differ from answer to answer
  body: any;
}

/** Changes to requests and responses that break the contract. */
export interface Fault {
  readonly request?: (passing: Passing) => void;
  readonly answer?: (passing: Passing) => void;
}

/** Starts a proxy in front of the instance at `target`. */
export function startFaultyProxy(target: string, fault: Fault): Promise<Listening> {
  return listen(async ({ request, body, response }) => {
    const given = Object.entries(withoutLength(request.headers));
    const passing: Passing = {
      method: request.method ?? '',
      url: new URL(request.url ?? '', target),
      requestHeaders: new Headers(given.map(([name, value]) => [name, String(value)])),
      requestBody: body.toString('latin1'),
      status: 0,
      headers: new Headers(),
      body: undefined,
    };
    // The faults change bodies, so they are not compressed.
    passing.requestHeaders.delete('accept-encoding');
    fault.request?.(passing);
    const { answer, body: whole } = await forward(passing.url, {
      method: passing.method,
      headers: Object.fromEntries(passing.requestHeaders),
      body: Buffer.from(passing.method === 'GET' ? '' : passing.requestBody, 'latin1'),
    });
    const headers = Object.entries(withoutLength(answer.headers));
    Object.assign(passing, {
      status: answer.statusCode,
      headers: new Headers(headers.map(([name, value]) => [name, String(value)])),
      body: whole.length === 0 ? undefined : JSON.parse(whole.toString()),
    });
    fault.answer?.(passing);
    response.writeHead(passing.status, Object.fromEntries(passing.headers));
    response.end(passing.body === undefined ? undefined : JSON.stringify(passing.body));
  });
}
