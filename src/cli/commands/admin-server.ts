/**
 * Requests of commands to the admin API of the server that `--url` names.
 */
import { transferFailed } from '../../base/errors.ts';
import { adminPath } from '../../documents/openapi-document.ts';
import { findApis } from '../../transfer/find-apis.ts';
import { readBaseUrl, readCredentials } from '../base-url.ts';
import type { CommandCall } from '../command.ts';
import { readConfigFor } from './types/types-option.ts';

/** Sends a request to a path below `/api/admin`; with a body a POST, unless a method is given. Errors: transfer_failed unless the server accepts it. */
export type SendToAdmin = (path: string, body?: object, method?: string) => Promise<Response>;

/** Prepares requests to the server at `url`. Errors: usage, transfer_failed. */
export async function createAdminSender(call: CommandCall, url: string): Promise<SendToAdmin> {
  const send = await createFetcher(call, url);
  return async (...request) => {
    const response = await send(...request);
    if (response.ok) return response;
    const body: unknown = await response.json().catch(() => undefined);
    throw refusalOf({ status: response.status, body });
  };
}

/**
 * Prepares requests whose refusals are results as well, with the ID of the API client that sends them. The body is undefined unless it
 * is JSON. Errors: usage, transfer_failed.
 */
export async function createAdminCaller(call: CommandCall, url: string) {
  const fetcher = await createFetcher(call, url);
  const { clientId } = readCredentials(call, { config: readConfigFor(call), server: '--url' });
  const send = async (...request: Parameters<SendToAdmin>): Promise<AdminAnswer> => {
    const response = await fetcher(...request);
    const body: unknown = await response.json().catch(() => undefined);
    return { status: response.status, body };
  };
  return { clientId, send };
}

/** A response of the admin API. */
export interface AdminAnswer {
  readonly status: number;
  /** Absent unless it is JSON. */
  readonly body?: unknown;
}

/** Makes the error of a refusal. */
export function refusalOf({ status, body }: AdminAnswer) {
  const { detail } = Object(body);
  return transferFailed(typeof detail === 'string' ? detail : `The server answers ${status}`);
}

async function createFetcher(call: CommandCall, url: string): Promise<SendToAdmin> {
  const config = readConfigFor(call);
  const address = readBaseUrl(url, '--url');
  const { clientId, clientSecret } = readCredentials(call, { config, server: '--url' });
  const { base } = await findApis(address, config.cmaPath);
  return (path, body, method = body ? 'POST' : 'GET') => {
    const headers = {
      'X-Client-Id': clientId,
      'X-Client-Secret': clientSecret,
      'Content-Type': 'application/json',
    };
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return fetch(base + adminPath + path, sent).catch((error: unknown) => {
      throw transferFailed(`${base} does not answer`, error);
    });
  };
}
