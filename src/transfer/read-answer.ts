/**
 * Reads the answers of the content management API, of which the envelope is checked: any server may stand at an address.
 */
import type { Problem } from '../base/errors.ts';
import { isJsonObject } from '../model/validate-asset.ts';
import type { Refusal, Unresolved } from './door.ts';

/** An operation that was carried out. */
export interface Succeeded {
  readonly outcome: 'created' | 'updated';
  readonly _id: string;
  readonly unresolved?: readonly Unresolved[];
}

/** An operation that was not. */
export interface FailedResult {
  readonly status: number;
  readonly error: unknown;
}

/** Whether a body is `{status, result, error?}`. */
export function isEnvelope(body: unknown): body is { result?: unknown; error?: unknown } {
  return isJsonObject(body) && (body.status === 'ok' || body.status === 'error');
}

/** Why something was refused, as `error` in an answer says it; every problem that it lists. */
export function readRefusal(status: number, error: unknown): Refusal {
  if (!isJsonObject(error))
    return { status, code: '', problems: [{ path: '', message: `was answered ${status}` }] };
  const { code, message, path, problems } = error;
  const listed: unknown[] = Array.isArray(problems) ? problems : [];
  const readable = listed.filter(isProblem);
  const only = { path: typeof path === 'string' ? path : '', message: String(message) };
  return { status, code: String(code), problems: readable.length > 0 ? readable : [only] };
}

function isProblem(value: unknown): value is Problem {
  return isJsonObject(value) && typeof value.path === 'string' && typeof value.message === 'string';
}
