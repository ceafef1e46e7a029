/** Calls the CMA of a listening instance, and asserts that its OpenAPI document describes every response. */
import request from 'supertest';
import type { ContractAssertions, ReceivedResponse } from '../../../support/contract-assertions.ts';
import type { ClientHeaders, TestInstance } from '../../../support/instance.ts';

/** One request; `body` is sent as JSON, `raw` as it is. */
export interface Call {
  readonly path?: string;
  /** Query parameters; a list repeats its name. */
  readonly query?: Readonly<Record<string, string | number | readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly raw?: string | Buffer;
  /** The sender; by default the client of the instance, null sends no credentials. */
  readonly client?: ClientHeaders | null;
}

/** A response of the CMA. */
export interface CmaResponse extends ReceivedResponse {
  // The body has been validated by its schema.
  // biome-ignore lint/suspicious/noExplicitAny: bodies differ from test to test
  readonly body: any;
}

/** Sends requests to one instance. */
export interface Caller {
  call(method: string, call?: Call): Promise<CmaResponse>;
  /** Creates an asset and returns it. */
  create(fields: object): Promise<{ readonly _id: string; readonly [field: string]: unknown }>;
}

/** Creates a caller; `path` is relative to the base path of the CMA unless it begins with `//`. */
export function createCaller({
  instance,
  contract,
}: {
  instance: () => TestInstance;
  contract: ContractAssertions;
}): Caller {
  async function call(method: string, sent: Call = {}): Promise<CmaResponse> {
    const { cmaUrl, headers } = instance();
    const url = new URL(cmaUrl + (sent.path ?? ''));
    for (const [name, value] of Object.entries(sent.query ?? {})) {
      for (const one of [value].flat()) url.searchParams.append(name, String(one));
    }
    const credentials = sent.client === null ? {} : (sent.client ?? headers);
    const pending = request(url.origin)
      [method.toLowerCase() as 'get'](url.pathname + url.search)
      .set({ ...credentials, ...sent.headers });
    if (sent.body !== undefined)
      pending.set('Content-Type', 'application/json').send(JSON.stringify(sent.body));
    else if (sent.raw !== undefined) pending.serialize((raw) => raw).send(sent.raw);
    const { status, headers: received, text, body } = await pending;
    const isPartial =
      sent.query?.fields !== undefined || (sent.path === '/query' && Object(sent.body).fields !== undefined);
    const response = { status, headers: received, body: text === '' ? undefined : body, isPartial };
    contract.assertDocumented(method, url.pathname, response);
    return response;
  }

  async function create(fields: object) {
    const { status, body } = await call('POST', { body: fields });
    if (status !== 200) throw new Error(`not created: ${JSON.stringify(body)}`);
    return body.result;
  }

  return { call, create };
}
