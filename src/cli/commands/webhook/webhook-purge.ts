/**
 * The options of `colophon webhook create` and `update` that are about purges.
 */
import { usage } from '../../../base/errors.ts';
import type { PurgeInput, PurgeTemplate } from '../../../webhooks/purge/purge-template.ts';
import type { CommandCall } from '../../command.ts';
import { readWholeNumber } from '../../whole-number.ts';

const texts = ['method', 'body', 'max-tags'];
const lists = ['header', 'secret-header'];

/** Whether a call says anything about the form of purges. */
export const hasPurgeOptions = (call: CommandCall): boolean =>
  texts.some((name) => call.option(name) !== undefined) ||
  lists.some((name) => call.options(name).length > 0);

/** Reads the kind of a new webhook. Errors: usage. */
export function readKind(call: CommandCall): 'changes' | 'purge' {
  const kind = call.option('kind') ?? 'changes';
  if (kind !== 'changes' && kind !== 'purge') throw usage('--kind must be changes or purge');
  return kind;
}

/** Refuses options about purges for a webhook that sends changes. Errors: usage. */
export function assertNoPurge(call: CommandCall): object {
  if (hasPurgeOptions(call))
    throw usage('--method, --header, --secret-header, --body and --max-tags need --kind purge');
  return {};
}

/** Reads the form of purges; what is not given is as in `present`. Errors: usage. */
export function readPurge(call: CommandCall, present?: PurgeTemplate): PurgeInput {
  const headers = call.options('header');
  const secretHeaders = call.options('secret-header');
  const body = call.option('body') ?? present?.body;
  return {
    method: call.option('method') ?? present?.method ?? 'POST',
    headers: headers.length > 0 ? readHeaders('header', headers) : (present?.headers ?? {}),
    ...(secretHeaders.length > 0 && { secretHeaders: readHeaders('secret-header', secretHeaders) }),
    ...(body ? { body } : {}),
    maxTags: readWholeNumber(call, 'max-tags', { fallback: present?.maxTags ?? 30, min: 1, max: 256 }),
  };
}

function readHeaders(option: string, headers: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    headers.map((header) => {
      const [, name, value] = /^([^:\s]+):\s*(.+)$/.exec(header) ?? [];
      // The header is not repeated in the message: it may be a secret.
      if (name === undefined || value === undefined)
        throw usage(`--${option} must be a name and a value, such as "X-Name: value"`);
      return [name, value];
    }),
  );
}

/** Prints the form of purges. */
export function purgeLines({ method, headers, secretNames, body, maxTags }: PurgeTemplate): string {
  return [
    `Purge     ${method}, at most ${maxTags} tags in a request`,
    ...Object.entries(headers).map(([name, value]) => `Header    ${name}: ${value}`),
    ...secretNames.map((name) => `Header    ${name}: (secret)`),
    ...(body === undefined ? [] : [`Body      ${body}`]),
  ].join('\n');
}
