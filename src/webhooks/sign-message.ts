/**
 * Signs messages as Standard Webhooks 1.0 defines it: HMAC with SHA-256 over ID, time and body, under each valid secret.
 */
import { createHmac } from 'node:crypto';

/** A message to sign. `secrets` begin with `whsec_`; the first is the present one. */
export interface Message {
  readonly id: string;
  readonly sentAtSeconds: number;
  readonly body: string;
  readonly secrets: readonly string[];
}

/** What each secret begins with; the rest is base64. */
export const secretPrefix = 'whsec_';

/** Returns the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`. */
export function signMessage({ id, sentAtSeconds, body, secrets }: Message): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${sentAtSeconds}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(sentAtSeconds),
    'webhook-signature': signatures.join(' '),
  };
}
