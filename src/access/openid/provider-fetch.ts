/**
 * Sends the requests of `openid-client` as all requests to addresses from outside are sent: with a checked address, no redirects, and
 * limits of time and size.
 */
import type { CustomFetch, FetchBody } from 'openid-client';
import { providerFailed } from '../../base/errors.ts';
import { maxResponseBytes, type SendOutbound } from '../../outbound/send-outbound.ts';

/** Statuses of responses without a body. */
const withoutBody = [204, 205, 304];

/** Creates the function. Errors: provider_failed. */
export function createProviderFetch(send: SendOutbound): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const sent = await send({ method, url, headers, body: toText(body), ...(signal && { signal }) });
    if (sent.kind === 'failed') throw providerFailed(sent.reason);
    // What was cut off could still be valid.
    if (Buffer.byteLength(sent.body) >= maxResponseBytes)
      throw providerFailed(`It answers with more than ${maxResponseBytes / 1024} KiB`);
    const text = withoutBody.includes(sent.status) ? null : sent.body;
    return new Response(text, { status: sent.status, headers: sent.headers });
  };
}

function toText(body: FetchBody): string {
  if (body === undefined || body === null) return '';
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body);
  throw new Error('openid-client sends a body of another kind');
}
