/**
 * What endpoints are said to be: their state as a coloured mark, and their access rules in words.
 */
import { Group } from '@mantine/core';
import type { Access, GraphqlEndpoint, RestAccess, RestEndpoint } from '../../api.ts';
import { Mark, PublicWritesMark } from '../layout/mark.tsx';

const states = {
  draft: { label: 'Draft', color: 'gray' },
  published: { label: 'Published', color: 'green' },
  changed: { label: 'Published, draft differs', color: 'blue' },
} as const;

/** Its badge; further ones when published mappings are broken, with their number, and when anyone can change content through it. */
export function EndpointState({
  endpoint,
}: {
  endpoint: Pick<RestEndpoint, 'state' | 'broken' | 'warnings' | 'published'>;
}) {
  const { state, broken, published } = endpoint;
  const warnings = [...endpoint.warnings, ...(published?.warnings ?? [])];
  const hasPublicWrites = warnings.some(({ code }) => code === 'public_write');
  return <StateMarks state={state} broken={broken.length} hasPublicWrites={hasPublicWrites} />;
}

/** The same badges, of an endpoint in short. */
export function StateMarks({
  state,
  broken,
  hasPublicWrites,
}: {
  state: RestEndpoint['state'];
  broken: number;
  hasPublicWrites: boolean;
}) {
  const { label, color } = states[state];
  return (
    <Group gap={4}>
      <Mark color={color}>{label}</Mark>
      {broken > 0 && <Mark color="red">{`${broken} broken`}</Mark>}
      {hasPublicWrites && <PublicWritesMark />}
    </Group>
  );
}

/** The kinds of access, by what they ask of callers. */
export const accessNames: Readonly<Record<Access, string>> = {
  ANYONE: 'Anyone',
  API_KEY: 'API key',
  CLIENT_CREDENTIALS: 'Client credentials',
};

/** What each asks of callers, in a sentence. */
export const accessMeanings: Readonly<Record<Access, string>> = {
  ANYONE: 'No credentials are required: anyone who can reach the server may use it.',
  API_KEY: 'Callers send a key of an API client as X-API-Key, or its ID and secret.',
  CLIENT_CREDENTIALS: 'Callers send X-Client-Id and X-Client-Secret. A key is not enough.',
};

/** The labels of the choices. */
export const restAccessNames: Readonly<Record<RestAccess, string>> = {
  INHERIT: 'As the source',
  ...accessNames,
};

/** A sentence that explains each choice. */
export const restAccessMeanings: Readonly<Record<RestAccess, string>> = {
  INHERIT: 'The same rule as the source endpoint, including later changes.',
  ...accessMeanings,
};

/** The effective access rule. A deleted source counts as the strictest one. */
export function accessOf(access: RestAccess, source: GraphqlEndpoint | undefined): Access {
  return access === 'INHERIT' ? (source?.access ?? 'CLIENT_CREDENTIALS') : access;
}
