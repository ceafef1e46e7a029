/**
 * Checks the definition of a webhook before it is saved: its URL, its types and its predicate.
 */
import { isIP } from 'node:net';
import { invalidBody, notSupported, type Problem } from '../base/errors.ts';
import type { Catalog } from '../model/content-type.ts';
import { findForbiddenKind } from '../outbound/find-forbidden-kind.ts';
import { checkSelection } from './compiled-webhook.ts';
import { checkPurge } from './purge/check-purge.ts';
import type { WebhookDefinition } from './records/webhook.ts';

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
