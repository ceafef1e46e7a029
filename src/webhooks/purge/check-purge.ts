/**
 * Checks the definition of a webhook that purges a cache: placeholders, headers, and members that only other webhooks have.
 */
import type { Problem } from '../../base/errors.ts';
import { type WebhookDefinition, webhookActions } from '../records/webhook.ts';
import { knownPlaceholders, type PurgeInput, placeholdersOf, templateTexts } from './purge-template.ts';

/** The parts of a definition that say what is sent. */
type Sent = Pick<WebhookDefinition, 'url' | 'actions' | 'where' | 'payload'>;

/** Finds the problems of a webhook that purges. */
export function checkPurge(purge: Omit<PurgeInput, 'maxTags'> & { maxTags: number }, sent: Sent): Problem[] {
  return [
    ...checkUnusedMembers(sent),
    ...checkMethod(purge),
    ...checkPlaceholders(purge, sent.url),
    ...checkHeaders(purge.headers, 'purge.headers'),
    ...checkHeaders(purge.secretHeaders ?? {}, 'purge.secretHeaders', Object.keys(purge.headers)),
  ];
}

function checkUnusedMembers({ actions, where, payload }: Sent): Problem[] {
  const message =
    'must not be given for a webhook of the kind purge, which purges what any change has touched';
  return [
    ...(actions.length < webhookActions.length ? [{ path: 'actions', message }] : []),
    ...(where !== undefined ? [{ path: 'where', message }] : []),
    ...(payload === 'asset' ? [{ path: 'payload', message }] : []),
  ];
}

function checkMethod({ method, maxTags }: Pick<PurgeInput, 'method' | 'maxTags'>): Problem[] {
  const isMethod = /^[A-Z]{1,20}$/.test(method) && method !== 'CONNECT' && method !== 'TRACE';
  return [
    ...(isMethod
      ? []
      : [{ path: 'purge.method', message: 'must be a method in capitals, such as POST or PURGE' }]),
    ...(Number.isInteger(maxTags) && maxTags >= 1 && maxTags <= 256
      ? []
      : [{ path: 'purge.maxTags', message: 'must be a whole number from 1 to 256' }]),
  ];
}

function checkPlaceholders(purge: Pick<PurgeInput, 'headers' | 'body'>, url: string): Problem[] {
  const texts = templateTexts({ url, purge });
  const written = new Set([...texts.values()].flatMap(placeholdersOf));
  const unknown = [...texts].flatMap(([path, text]) =>
    placeholdersOf(text)
      .filter((each) => !knownPlaceholders.includes(each))
      .map((each) => ({
        path,
        message: `has the unknown placeholder ${each}; there are ${knownPlaceholders.join(', ')}`,
      })),
  );
  if (unknown.length > 0) return unknown;
  if (written.size === 0) {
    const message = `must have a placeholder for the tags in url, headers or body: ${knownPlaceholders.join(', ')}`;
    return [{ path: 'purge', message }];
  }
  if (written.has('{tag}') && written.size > 1) {
    const message =
      'must not have {tag}, which makes a request for each tag, beside placeholders for all tags';
    return [{ path: 'purge', message }];
  }
  // Braces are no part of a host, but the parser of URLs takes some.
  const authority = /^[a-z]+:\/\/[^/?#]*/i.exec(url)?.[0] ?? '';
  return placeholdersOf(authority).length > 0
    ? [{ path: 'url', message: 'must have placeholders only in its path and its query' }]
    : [];
}

/** Headers that belong to the connection, to the signature, or follow from the body. */
const reserved =
  /^(connection|content-length|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|webhook-.*)$/i;

function checkHeaders(
  headers: Readonly<Record<string, string>>,
  path: string,
  others: readonly string[] = [],
): Problem[] {
  const seen = new Set(others.map((name) => name.toLowerCase()));
  return Object.entries(headers).flatMap(([name, value]) => {
    const isRepeated = seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    const message = isRepeated ? 'is given twice' : (findNameProblem(name) ?? findValueProblem(value));
    return message === undefined ? [] : [{ path: `${path}.${name}`, message }];
  });
}

function findNameProblem(name: string): string | undefined {
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name)) return 'is not the name of a header';
  return reserved.test(name) ? 'is a header that cannot be set' : undefined;
}

const findValueProblem = (value: string) =>
  /^[\t\x20-\x7e]*$/.test(value) ? undefined : 'must have printable ASCII characters only';
