/**
 * Requests of commands to the admin API of the server that `--url` names.
 */
import { transferFailed } from '../../base/errors.ts';
import { readBaseUrl } from '../base-url.ts';
import type { CommandCall } from '../command.ts';
import { readConfigFor } from './types-option.ts';
import { readCredentials } from './with-target.ts';

/** Sends a request to a path below `/api/admin`; with a body, a POST. Errors: transfer_failed unless the server accepts it. */
export type SendToAdmin = (path: string, body?: object) => Promise<Response>;

/** Prepares requests to the server at `url`. Errors: usage. */
export function createAdminSender(call: CommandCall, url: string): SendToAdmin {
  const { origin } = readBaseUrl(url, '--url');
  const { clientId, clientSecret } = readCredentials(call, readConfigFor(call));
  return async (path, body) => {
    const headers = {
      'X-Client-Id': clientId,
      'X-Client-Secret': clientSecret,
      'Content-Type': 'application/json',
    };
    const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {};
    const response = await fetch(`${origin}/api/admin${path}`, { headers, ...sent }).catch(
      (error: unknown) => {
        throw transferFailed(`${origin} does not answer`, error);
      },
    );
    if (response.ok) return response;
    const refusal: unknown = await response.json().catch(() => undefined);
    const detail = Object(refusal).detail;
    throw transferFailed(typeof detail === 'string' ? detail : `${origin} answers ${response.status}`);
  };
}
