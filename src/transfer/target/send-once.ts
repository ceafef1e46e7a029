/**
 * Sends one HTTP request and reads its answer whole, or says why there is none.
 */
import { transferFailed } from '../../base/errors.ts';

/** An answer, or the reason why none came, which may pass. */
export type Sent =
  | { readonly status: number; readonly headers: Headers; readonly text: string }
  | { readonly reason: string };

/** Sends it; a redirection is not followed, since credentials would go along. Errors: transfer_failed for one. */
export async function sendOnce({
  url,
  init,
  timeoutMs,
}: {
  url: string;
  init: RequestInit;
  timeoutMs: number;
}): Promise<Sent> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await fetch(url, { ...init, redirect: 'manual', signal });
    const text = await answer.text();
    const { status, headers } = answer;
    if (status < 300 || status > 399) return { status, headers, text };
    throw transferFailed(`${new URL(url).origin} redirects to ${headers.get('Location')}; name that address`);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
    return { reason: reasonOf(error) };
  }
}

/** What `Retry-After` asks for, in seconds or as a date. */
export function retryAfterMs(headers: Headers, nowMs: number): { afterMs?: number } {
  const asked = headers.get('Retry-After');
  if (asked === null) return {};
  const afterMs = /^\d+$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - nowMs;
  return Number.isNaN(afterMs) ? {} : { afterMs };
}

/** `fetch` hides behind its own message what happened to the connection. */
function reasonOf(error: Error): string {
  if (error.name === 'TimeoutError') return 'no answer came in time';
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const isNamed = 'code' in cause && typeof cause.code === 'string' && cause.message === '';
  return isNamed ? String(cause.code) : cause.message;
}
