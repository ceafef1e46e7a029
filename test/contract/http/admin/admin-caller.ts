/** Calls the admin API of a listening instance, and asserts that its OpenAPI document describes every response. */
import request from 'supertest';
import { expect } from 'vitest';
import type { Role } from '../../../../src/access/users/roles.ts';
import type { ContractAssertions, ReceivedResponse } from '../../../support/contract-assertions.ts';
import type { TestInstance } from '../../../support/instance.ts';

/** Headers that authenticate a request. */
export type SenderHeaders = Readonly<Record<string, string>>;

/** One request; `body` is sent as JSON, `raw` as it is. */
export interface AdminCall {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly raw?: string;
  /** The sender; by default an API client with the scope `admin`. */
  readonly as?: SenderHeaders;
}

/** A response of the admin API. */
export interface AdminResponse extends ReceivedResponse {
  // biome-ignore lint/suspicious/noExplicitAny: the body has been validated by its schema
  readonly body: any;
}

/** Shared by all cases of the admin API. */
export interface AdminContext {
  instance(): TestInstance;
  readonly contract: ContractAssertions;
  /** The headers of the default sender. */
  client(): SenderHeaders;
  /** `path` is relative to the base path. */
  call(method: string, path: string, call?: AdminCall): Promise<AdminResponse>;
  /** Creates a user and signs in; returns the headers that a browser would send, and the email. */
  signIn(role?: Role): Promise<{ readonly email: string; readonly headers: SenderHeaders }>;
  /** Creates an asset through the CMA; returns its ID. */
  createAsset(fields: object): Promise<string>;
  /** Returns an unused name. */
  newName(): string;
}

/** An anonymous sender. */
export const anonymous: SenderHeaders = {};
/** A UUID that no record has. */
export const noId = '0190a0c0-0000-7000-8000-000000000000';

/** Makes the context of a suite whose instance is started later. */
export function createAdminContext({
  instance,
  client,
  contract,
}: {
  instance: () => TestInstance;
  client: () => SenderHeaders;
  contract: ContractAssertions;
}): AdminContext {
  let names = 0;

  async function call(method: string, path: string, sent: AdminCall = {}): Promise<AdminResponse> {
    const url = new URL(`${instance().url}/api/admin${path}`);
    const pending = request(url.origin)
      [method.toLowerCase() as 'get'](url.pathname + url.search)
      .set({ ...(sent.as ?? client()), ...sent.headers });
    if (sent.body !== undefined)
      pending.set('Content-Type', 'application/json').send(JSON.stringify(sent.body));
    else if (sent.raw !== undefined) pending.serialize((raw) => raw).send(sent.raw);
    const { status, headers, text, body: json, type } = await pending;
    const body = type.endsWith('json') ? json : text;
    const response = { status, headers, body: text === '' ? undefined : body };
    contract.assertDocumented(method, url.pathname, response);
    expect(headers['cache-control']).toBe('no-store');
    return response;
  }

  async function signIn(role?: Role) {
    const { email, password } = await instance().createUser(role);
    const { headers, body } = await call('POST', '/session', { as: anonymous, body: { email, password } });
    return { email, headers: { Cookie: cookieOf(headers), 'X-CSRF-Token': body.csrfToken } };
  }

  async function createAsset(fields: object): Promise<string> {
    const { cmaUrl, headers } = instance();
    const { body } = await request(cmaUrl).post('').set(headers).send(fields);
    return body.result._id;
  }

  return { instance, contract, client, call, signIn, createAsset, newName: () => `Name ${++names}` };
}

/** Returns the cookie that a browser would send back after the first `Set-Cookie`. */
export function cookieOf(headers: AdminResponse['headers']): string {
  return [headers['set-cookie']].flat()[0]?.split(';')[0] ?? '';
}
