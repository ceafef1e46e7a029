/**
 * Checks the definition of a webhook before it is saved: its URL, its types and its predicate.
 */

import { isIP } from 'node:net';
import { invalidBody, notSupported, type Problem } from '../base/errors.ts';
import type { Catalog } from '../model/content-type.ts';
import { findForbiddenKind } from '../outbound/find-forbidden-kind.ts';
import { checkSelection } from './compiled-webhook.ts';
import { knownPlaceholders, type PurgeInput, placeholdersOf, templateTexts } from './purge/purge-template.ts';
import { type WebhookDefinition, webhookActions } from './records/webhook.ts';

/** Requires a store with a change log. Errors: not_supported. */
export function assertLogged({ isLogged }: { readonly isLogged: boolean }): void {
  if (!isLogged) throw notSupported('This store keeps no change log, which webhooks need');
}

/** Checks a definition. Errors: invalid_body with all problems; one of the predicate has a column. */
export function assertWebhook(
  definition: Omit<WebhookDefinition, 'name'>,
  { catalog, allowsPrivate }: { catalog: Catalog; allowsPrivate: boolean },
): void {
  const { url, types, where, purge } = definition;
  const message = findUrlProblem(url, allowsPrivate);
  const problems: Problem[] = [
    ...(message === undefined ? [] : [{ path: 'url', message }]),
    ...checkSelection(catalog, { types, ...(where !== undefined && { where }) }),
    ...(purge ? checkPurge(purge, definition) : []),
  ];
  if (problems.length > 0) throw invalidBody(problems);
}

/** Checks the changed members of a webhook, as it will be with them. A `where` of null removes the predicate. Errors: invalid_body. */
export function assertWebhookChanges(
  { where, ...changes }: Partial<Omit<WebhookDefinition, 'where'>> & { readonly where?: string | null },
  { present, ...context }: { present: WebhookDefinition; catalog: Catalog; allowsPrivate: boolean },
): void {
  if (changes.purge && !present.purge) {
    throw invalidBody([{ path: 'purge', message: 'must not be given for a webhook of the kind changes' }]);
  }
  const { where: presentWhere, ...others } = present;
  const next = where === undefined ? presentWhere : where;
  assertWebhook({ ...others, ...changes, ...(typeof next === 'string' && { where: next }) }, context);
}

/** Finds what makes a URL no receiver. Names are resolved only when something is sent. */
function findUrlProblem(text: string, allowsPrivate: boolean): string | undefined {
  const url = URL.parse(text);
  if (!url || text.trim() !== text) return 'must be an absolute URL';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https:// or http://';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password';
  if (allowsPrivate) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const kind = /^(.+\.)?localhost$/.test(host)
    ? 'a loopback'
    : isIP(host)
      ? findForbiddenKind(host)
      : undefined;
  if (kind === undefined) return undefined;
  return `must not have ${kind} address, unless COLOPHON_WEBHOOK_PRIVATE is true`;
}

/** The parts of a definition that say what is sent. */
type Sent = Pick<WebhookDefinition, 'url' | 'actions' | 'where' | 'payload'>;

/** Finds the problems of a webhook that purges. */
function checkPurge(purge: Omit<PurgeInput, 'maxTags'> & { maxTags: number }, sent: Sent): Problem[] {
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
