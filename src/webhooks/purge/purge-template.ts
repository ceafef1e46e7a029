/**
 * The form of the requests that purge a cache: a template with placeholders for cache tags, and the requests made from it.
 *
 * Which purge calls a cache expects is up to the person who writes the template; nothing here knows a particular cache.
 */

import { anyTypeTag } from '../../text/cache-tags.ts';
import type { SecretBox } from '../secrets/secret-box.ts';

/** The form of the requests, without the values of secret headers. */
export interface PurgeTemplate {
  readonly method: string;
  /** By name; the values may have placeholders. */
  readonly headers: Readonly<Record<string, string>>;
  /** The names of the headers whose values are encrypted. */
  readonly secretNames: readonly string[];
  readonly body?: string;
  /** The most tags in one request. */
  readonly maxTags: number;
}

/** The form as its author gives it. */
export interface PurgeInput extends Omit<PurgeTemplate, 'secretNames'> {
  /** Values by name; absent keeps those that the webhook has. */
  readonly secretHeaders?: Readonly<Record<string, string>> | undefined;
}

/** One request, without secret headers. */
export interface PurgeCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The tags of one request have at most so many bytes, with one byte between them. */
const maxTagBytes = 4_096;

/** The placeholders with what stands in their place. Tags have letters, digits and `_ . : -` only. */
const placeholders: Readonly<Record<string, (tags: readonly string[]) => string>> = {
  tag: ([tag = '']) => tag,
  'tags:space': (tags) => tags.join(' '),
  'tags:comma': (tags) => tags.join(','),
  'tags:json': (tags) => JSON.stringify(tags),
  'tags:regex': (tags) => `(${tags.map((tag) => tag.replaceAll('.', '\\.')).join('|')})`,
};

/** The placeholders as they are written. */
export const knownPlaceholders: readonly string[] = Object.keys(placeholders).map((name) => `{${name}}`);

const placeholderPattern = /\{(tags?(?:[:\s][^{}]*)?)\}/g;

/** Lists the placeholders of a text, also unknown ones, with their braces. */
export const placeholdersOf = (text: string): string[] =>
  [...text.matchAll(placeholderPattern)].map(([written]) => written);

/** The parts of a webhook that its requests are made from. */
interface PurgeTarget {
  readonly url: string;
  readonly purge: PurgeTemplate;
}

/** Lists the texts of a template that may have placeholders, by their path in the definition of the webhook. */
export function templateTexts({
  url,
  purge: { headers, body },
}: {
  url: string;
  purge: Pick<PurgeTemplate, 'headers' | 'body'>;
}): ReadonlyMap<string, string> {
  return new Map([
    ['url', url],
    ...Object.entries(headers).map(([name, value]) => [`purge.headers.${name}`, value] as const),
    ...(body === undefined ? [] : [['purge.body', body] as const]),
  ]);
}

/** Returns how many tags a request may have: one if the template asks for a request for each tag. */
export function tagsPerCall(target: PurgeTarget): number {
  const written = [...templateTexts(target).values()].flatMap(placeholdersOf);
  return written.includes('{tag}') ? 1 : target.purge.maxTags;
}

/** Divides tags into the lists of single requests. */
export function divideTags(tags: readonly string[], target: PurgeTarget): string[][] {
  const most = tagsPerCall(target);
  const lists: string[][] = [];
  let bytes = 0;
  for (const tag of tags) {
    const last = lists.at(-1);
    bytes += tag.length + 1;
    if (last && last.length < most && bytes <= maxTagBytes) last.push(tag);
    else {
      lists.push([tag]);
      bytes = tag.length + 1;
    }
  }
  return lists;
}

/** Makes the request for some tags. */
export function toPurgeCall({ url, purge }: PurgeTarget, tags: readonly string[]): PurgeCall {
  const { method, headers, body = '' } = purge;
  const fill = (text: string) => fillIn(text, tags);
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const hasType = body === '' || names.has('content-type');
  return {
    method,
    url: fillIn(url, tags, encodeURIComponent),
    headers: {
      ...(names.has('user-agent') ? {} : { 'User-Agent': 'Colophon-Webhooks' }),
      ...(hasType ? {} : { 'Content-Type': 'application/json' }),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)])),
    },
    body: fill(body),
  };
}

function fillIn(text: string, tags: readonly string[], encode = (value: string) => value): string {
  return text.replaceAll(placeholderPattern, (written: string, name: string) => {
    const join = Object.hasOwn(placeholders, name) ? placeholders[name] : undefined;
    return join ? encode(join(tags)) : written;
  });
}

/** The tags of every purge, besides those of what has changed. */
export const tagsOfEveryPurge: readonly string[] = [anyTypeTag];

/** Converts a template to the fields of the record of a webhook. Errors: not_supported without a key, bad_config. */
export function toPurgeFields(
  purge: PurgeInput | undefined,
  { box, id, present }: { box: SecretBox; id: string; present?: PurgeTemplate | undefined },
): object {
  if (!purge) return {};
  const { method, headers, secretHeaders, body, maxTags } = purge;
  const secretNames = secretHeaders ? Object.keys(secretHeaders) : (present?.secretNames ?? []);
  return {
    purge: {
      method,
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      secretNames,
      ...(body !== undefined && { body }),
      maxTags,
    },
    ...(secretHeaders && {
      purgeSecrets: secretNames.length > 0 ? box.encrypt(JSON.stringify(secretHeaders), purposeOf(id)) : null,
    }),
  };
}

/** Reads the template from the record, which the content service validated. */
export function readPurge(value: unknown): PurgeTemplate | undefined {
  if (value === undefined || value === null) return undefined;
  // The content type of the record has these members.
  const stored = value as Omit<PurgeTemplate, 'headers'> & {
    readonly headers: readonly { readonly name: string; readonly value: string }[];
  };
  return {
    ...stored,
    headers: Object.fromEntries(stored.headers.map(({ name, value: text }) => [name, text])),
  };
}

/** Decrypts the secret headers, or says why that is impossible. */
export function readSecretHeaders(
  { id, purgeSecrets }: { readonly id: string; readonly purgeSecrets?: string },
  box: SecretBox,
): { readonly headers: Readonly<Record<string, string>> } | { readonly problem: string } {
  if (purgeSecrets === undefined) return { headers: {} };
  const found = box.decrypt(purgeSecrets, purposeOf(id));
  if ('problem' in found) return { problem: `A secret header cannot be read. ${found.problem}` };
  return { headers: JSON.parse(found.secret) as Record<string, string> };
}

const purposeOf = (id: string) => `${id} purge headers`;
