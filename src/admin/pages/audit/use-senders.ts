/**
 * The senders whose changes the audit log can show: kinds of senders, API clients, and users that are known to the page.
 */
import { useQuery } from '@tanstack/react-query';
import type { Change } from '../../api.ts';
import { nameOfActor } from '../../parts/changes/actor-name.tsx';
import { apiClientList } from '../../parts/data/lists.ts';
import { useSession } from '../../session.ts';
import type { AuditQuery } from './audit-query.ts';

const kinds = [
  { value: 'client', label: 'Any API client' },
  { value: 'user', label: 'Any user' },
  { value: 'anonymous', label: 'Anyone without credentials' },
  { value: 'command', label: 'Command line' },
  { value: 'system', label: 'Colophon' },
];

/** A choice is `<kind>` or `<kind>:<id>`. */
type Choice = { readonly value: string; readonly label: string };

/** The choices of a select, and their meaning as filters. */
export function useSenders(changes: readonly Change[], query: AuditQuery) {
  const clients = useQuery(apiClientList).data?.items ?? [];
  const user = useSession()?.user;
  const users = new Map<string, string>(user ? [[user.id, user.email]] : []);
  for (const { by } of changes) {
    if (by.kind === 'user' && by.id !== undefined) users.set(by.id, nameOfActor(by));
  }
  const listed = [
    { group: 'Kinds', items: kinds },
    { group: 'Users', items: [...users].map(([id, label]) => ({ value: `user:${id}`, label })) },
    {
      group: 'API clients',
      items: clients.map(({ clientId, name }) => ({ value: `client:${clientId}`, label: name })),
    },
  ];
  const chosen = toChoice(query);
  const isListed = listed.some(({ items }) => items.some(({ value }) => value === chosen));
  const unlisted: Choice[] =
    chosen === null || isListed ? [] : [{ value: chosen, label: query.by ?? chosen }];
  return {
    choices: [...listed, ...(unlisted.length > 0 ? [{ group: 'Others', items: unlisted }] : [])],
    toChoice,
    toFilter,
  };
}

function toChoice({ byKind, by }: AuditQuery): string | null {
  if (by !== undefined) return `${byKind ?? 'client'}:${by}`;
  return byKind ?? null;
}

function toFilter(value: string | null): { byKind: string | undefined; by: string | undefined } {
  const [byKind, ...id] = (value ?? '').split(':');
  return { byKind: byKind || undefined, by: id.length > 0 ? id.join(':') : undefined };
}
