/**
 * Who sends the current request, for the change log and for the turns of searches. It follows a request through all its asynchronous work, so that services need
 * not pass it on.
 */

import { AsyncLocalStorage } from 'node:async_hooks';

/** Who changes something. `name` is what people call it at that time. */
export interface Actor {
  readonly kind: 'client' | 'user' | 'anonymous' | 'command' | 'system';
  readonly id?: string;
  readonly name?: string;
}

/** Who someone is, whatever name they have: a user by the ID of the record, an API client by its client ID. */
export type Account = Pick<Actor, 'kind' | 'id'>;

/** Returns the account of a sender. */
export const toAccount = ({ kind, id }: Actor): Account => ({ kind, ...(id !== undefined && { id }) });

/** Checks whether two accounts are the same. */
export const isSameAccount = (one: Account | undefined, other: Account | undefined): boolean =>
  one !== undefined && one.kind === other?.kind && one.id === other.id;

/** Where the writes of a request come from. */
export interface RequestOrigin {
  readonly by: Actor;
  /** The name of the run that the writes belong to. */
  readonly run?: string;
  readonly requestId?: string;
  /** The network address of an anonymous sender. */
  readonly address?: string | undefined;
  /** Says that the work of the request continues, for rate limits; see `work-meter.ts`. */
  readonly continueWork?: (() => void) | undefined;
}

/** Returns a name for the sender, by which senders take turns. Anonymous ones take them by network. */
export const nameSender = ({ by, address }: RequestOrigin) =>
  `${by.kind} ${by.id ?? (address === undefined ? '' : networkOf(address))}`;

/** Knows the origin of the work that is being done. */
export interface RequestOrigins {
  /** Returns the origin of the current work; outside any request, that is Colophon itself or the command that runs. */
  current(): RequestOrigin;
  /** Runs work on behalf of an origin, also all asynchronous work that it starts. */
  runAs<Result>(origin: RequestOrigin, work: () => Result): Result;
}

/** The names that a run can have, also as the pattern of openapi/cma.yaml. No URL can have `.` or `..` in its path. */
export const runNamePattern = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/;

const colophon: RequestOrigin = { by: { kind: 'system' } };

/** Creates it; `fallback` is the origin of the work outside any request. */
export function createRequestOrigins(fallback: RequestOrigin = colophon): RequestOrigins {
  const storage = new AsyncLocalStorage<RequestOrigin>();
  return {
    current: () => storage.getStore() ?? fallback,
    runAs: (origin, work) => storage.run(origin, work),
  };
}

/** Returns the network of an address: itself, or for IPv6 its 64-bit prefix, which one household usually has. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':'));
  const gap = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  return [...head, ...gap, ...tail].slice(0, 4).join(':');
}
