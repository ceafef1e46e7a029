/**
 * Checks the name of the header with the cache tags.
 */
import type { Problem } from '../../base/errors.ts';

const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** Names that HTTP, browsers or Colophon give a meaning, whole (with `$`) or by their beginning. */
const reserved = new RegExp(
  `^(${[
    'accept(-|$)|access-control-|age$|allow$|alt-svc$|authorization$|cache-control$|clear-site-data$|connection$|content-|cookie',
    'cross-origin-|date$|etag$|expect|expires$|forwarded$|host$|idempotency-|if-|keep-alive$|last-|link$|location$|nel$|origin|permissions-',
    'pragma$|priority$|proxy-|range$|ratelimit|referer$|referrer-|refresh$|report|retry-after$|sec-|server(-timing)?$|set-cookie|status$',
    'strict-transport-|te$|timing-|trace|trailer$|transfer-|upgrade|user-agent$|vary$|via$|warning$|www-|x-accel-|x-api-key$|x-base-|x-change$',
    'x-client-|x-content-|x-dns-|x-download-|x-forwarded|x-frame-|x-permitted-|x-powered-|x-request-|x-run$|x-xss-',
  ].join('|')})`,
  'i',
);

/** Finds the problem of the member `cacheTags` of a REST endpoint. What is no text is left to other checks. */
export function checkCacheTags(header: unknown): Problem[] {
  if (typeof header !== 'string') return [];
  const message = !headerName.test(header)
    ? 'must be the name of a header, such as Surrogate-Key, Cache-Tag or xkey'
    : reserved.test(header)
      ? `must not be ${header}, which has another meaning; use a name such as Surrogate-Key, Cache-Tag or xkey`
      : undefined;
  return message === undefined ? [] : [{ path: 'cacheTags', message }];
}
