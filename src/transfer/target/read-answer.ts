/**
 * Reads the answers of the content management API, of which the envelope is checked: any server may stand at an address.
 */
import type { Problem } from '../../base/problems.ts';
import { isJsonObject } from '../../model/validate-asset.ts';
import type { Refusal, Unresolved } from './content-target.ts';

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

/** Why something was refused, as the status and `error` of an answer say it; every problem that it lists. */
export function readRefusal(status: number, error: unknown): Refusal {
  const isPassing = status >= 500;
  const { code, message, path, problems } = isJsonObject(error) ? error : {};
  const listed: unknown[] = Array.isArray(problems) ? problems : [];
  const readable = listed.filter(isProblem);
  const only = {
    path: typeof path === 'string' ? path : '',
    message: typeof message === 'string' ? message : `was answered ${status}`,
  };
  return {
    code: typeof code === 'string' ? code : '',
    isPassing,
    problems: readable.length > 0 ? readable : [only],
  };
}

function isProblem(value: unknown): value is Problem {
  return isJsonObject(value) && typeof value.path === 'string' && typeof value.message === 'string';
}
