/**
 * Receives the cache tags of content that has changed, from the webhook "Website", and removes what is cached under them.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { revalidateTag } from 'next/cache';

export async function POST(request: Request): Promise<Response> {
  if (!isFromWebhook(request)) return new Response('The secret is missing or wrong', { status: 401 });
  const { tags } = Object(await request.json().catch(() => undefined));
  if (!Array.isArray(tags)) return new Response('The body needs a list of tags', { status: 400 });
  // The next visitor waits for the new content, and nobody sees the former one.
  for (const tag of tags) revalidateTag(String(tag), { expire: 0 });
  return new Response(null, { status: 204 });
}

function isFromWebhook({ headers }: Request): boolean {
  const secret = process.env.REVALIDATE_SECRET;
  return (
    secret !== undefined && timingSafeEqual(hash(headers.get('Authorization')), hash(`Bearer ${secret}`))
  );
}

/** Hashes have one length, which the comparison needs. */
const hash = (text: string | null) =>
  createHash('sha256')
    .update(text ?? '')
    .digest();
