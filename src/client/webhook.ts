/**
 * Verifies the messages that Colophon sends to webhooks, as Standard Webhooks 1.0 defines it, and narrows their payloads by content type.
 */
import type { AssetOf } from './asset-types.ts';
import { nowMs } from './clock-and-random.ts';
import type { Asset, AssetEvent, AssetEventData, WebhookEvent } from './cma/types.gen.ts';

export interface ReceivedMessage {
  /** The body exactly as it arrived: before anything has parsed it. */
  readonly body: string;
  /** The headers, with names in lower case unless they are a `Headers` object. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The secret of the webhook, which begins with `whsec_`. */
  readonly secret: string;
  /** How much the time of the message may differ from now; by default 300. */
  readonly toleranceSeconds?: number;
}

/** A message that does not come from the webhook with the secret, or is too old. */
export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError';
}

/** An event about an asset of one content type. */
export type AssetEventOf<Name extends Asset['_type']> = Omit<AssetEvent, 'data'> & {
  data: Omit<AssetEventData, 'type' | 'asset'> & { type: Name; asset?: AssetOf<Name> };
};

const prefix = 'whsec_';

/** Verifies a message and returns its event. Errors: WebhookSignatureError. */
export async function verifyWebhook(message: ReceivedMessage): Promise<WebhookEvent> {
  const { body, secret, toleranceSeconds = 300 } = message;
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((part) =>
    readHeader(message.headers, `webhook-${part}`),
  );
  if (!id || !timestamp || !signatures)
    throw new WebhookSignatureError(
      'The message needs the headers webhook-id, webhook-timestamp and webhook-signature',
    );
  const awaySeconds = Math.abs(nowMs() / 1000 - Number(timestamp));
  // A time that is no number fails, too.
  if (!(awaySeconds <= toleranceSeconds))
    throw new WebhookSignatureError('The time of the message is too far from now');
  const key = await importKey(secret);
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const given of signatures.split(' ')) {
    const signature = given.startsWith('v1,') ? decodeBase64(given.slice(3)) : undefined;
    // Compares in constant time.
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, content)))
      // Safe: the server with the secret has sent it.
      return JSON.parse(body) as WebhookEvent;
  }
  throw new WebhookSignatureError('No signature of the message fits the secret');
}

/** Tells whether an event is about an asset of a content type, given by its class name. */
export function isEventOf<const Name extends Asset['_type']>(
  event: WebhookEvent,
  className: Name,
): event is AssetEventOf<Name> & WebhookEvent {
  return event.type !== 'webhook.test' && event.data.type === className;
}

function importKey(secret: string) {
  const bytes = secret.startsWith(prefix) ? decodeBase64(secret.slice(prefix.length)) : undefined;
  if (!bytes) throw new TypeError('The secret of a webhook begins with whsec_, and goes on in base64');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function readHeader(headers: ReceivedMessage['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}
