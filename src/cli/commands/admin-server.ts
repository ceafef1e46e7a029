/**
 * Requests of commands to the admin API of the server that `--url` names.
 */
import { transferFailed } from '../../base/errors.ts';
import { adminPath } from '../../documents/openapi-document.ts';
import { findApis } from '../../transfer/find-apis.ts';
import { readBaseUrl, readCredentials } from '../base-url.ts';
import type { CommandCall } from '../command.ts';
import { readConfigFor } from './types/types-option.ts';

/** Sends a request to a path below `/api/admin`; with a body, a POST. Errors: transfer_failed unless the server accepts it. */
export type SendToAdmin = (path: string, body?: object) => Promise<Response>;

/** Prepares requests to the server at `url`. Errors: usage, transfer_failed. */
export async function createAdminSender(call: CommandCall, url: string): Promise<SendToAdmin> {
  const send = await createFetcher(call, url);
  return async (path, body) => {
    const response = await send(path, body);
    if (response.ok) return response;
    const refusal: unknown = await response.json().catch(() => undefined);
    const detail = Object(refusal).detail;
    throw transferFailed(typeof detail === 'string' ? detail : `${response.url} answers ${response.status}`);
  };
}

/**
 * Prepares requests whose refusals are results as well, with the ID of the API client that sends them. The body is undefined unless it
 * is JSON. Errors: usage, transfer_failed.
 */
export async function createAdminCaller(call: CommandCall, url: string) {
  const fetcher = await createFetcher(call, url);
  const { clientId } = readCredentials(call, { config: readConfigFor(call), server: '--url' });
  const send = async (path: string, sent?: object): Promise<{ status: number; body?: unknown }> => {
    const response = await fetcher(path, sent);
    const body: unknown = await response.json().catch(() => undefined);
    return { status: response.status, body };
  };
  return { clientId, send };
}

async function createFetcher(call: CommandCall, url: string): Promise<SendToAdmin> {
  const config = readConfigFor(call);
  const address = readBaseUrl(url, '--url');
  const { clientId, clientSecret } = readCredentials(call, { config, server: '--url' });
  const { base } = await findApis(address, config.cmaPath);
  return (path, body) => {
    const headers = {
      'X-Client-Id': clientId,
      'X-Client-Secret': clientSecret,
      'Content-Type': 'application/json',
    };
    const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {};
    return fetch(base + adminPath + path, { headers, ...sent }).catch((error: unknown) => {
      throw transferFailed(`${base} does not answer`, error);
    });
  };
}
