/**
 * Checks, before a run, that the server answers at the address with JSON, accepts the credentials and knows the content types.
 * Everything else is tested by the cases.
 */
import { isJsonObject } from '../model/values/validate-asset.ts';
import { memberOf } from './apis/api-under-test.ts';
import type { CmaUnderTest } from './apis/cma-under-test.ts';
import type { ReceivedResponse } from './responses/response-validator.ts';
import type { Sender } from './responses/send-request.ts';

/** Throws with the reason when the instance cannot be tested. */
export async function assertReachable(cma: CmaUnderTest, send: Sender): Promise<void> {
  const unknown: string[] = [];
  for (const { class: from } of cma.types.types) {
    const response = await send(cma.find({ from, limit: 0 }));
    const reason = unreachableReason(response);
    if (reason !== undefined) throw new Error(`GET ${cma.path} ${reason}`);
    if (memberOf(response.body, 'error', 'code') === 'unknown_type') unknown.push(from);
  }
  if (unknown.length === 0) return;
  const advice = "name the instance's own types by COLOPHON_TYPES or --document";
  throw new Error(`the instance has no content type ${unknown.join(', ')}; ${advice}`);
}

function unreachableReason({ status, headers, body }: ReceivedResponse): string | undefined {
  if (status >= 300 && status < 400)
    return `redirects to ${headers.location ?? 'nowhere'}; give that address`;
  if (status === 401 || status === 403) return `refuses the credentials with status ${status}`;
  if (status === 404) return 'answers 404: the content management API is switched off, or has another path';
  if (status === 429 || status >= 500) return `answers ${status}`;
  if (isJsonObject(body)) return undefined;
  return `answers with ${headers['content-type'] ?? 'no media type'}, not with JSON`;
}
