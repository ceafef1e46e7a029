/**
 * What a backup leaves out of the system records, and how it makes a record fit its moment.
 *
 * Left out is what only makes sense in the store where it came about: sessions and devices, so that nobody is signed in after a
 * restore; finished sign-ins; who has an asset open; failed attempts; up to where the log is
 * followed; and idempotency records, whose responses may tell of writes that the backup does not have.
 */
import type { JsonObject, UnloggedParts } from '../model/content-type.ts';
import { loadSystemTypes, systemPrefix } from './system-types.ts';

const leftOut = [
  'Session',
  'Presence',
  'KnownDevice',
  'FailedAttempts',
  'FinishedSignIn',
  'KeyedRequest',
  'ErasureProgress',
  'WebhookCursor',
  'WebhookHeldAsset',
  'WebhookDelivery',
  'WebhookLease',
];

export interface BackupRules {
  /** The class names of records that are left out. */
  readonly leftOut: readonly string[];
  /** What the change log leaves out, by class name. */
  readonly unlogged: ReadonlyMap<string, UnloggedParts>;
}

export function backupRules(): BackupRules {
  const types = [...loadSystemTypes().types.values()];
  return {
    leftOut: leftOut.map((name) => `${systemPrefix}${name}`),
    unlogged: new Map(
      types.flatMap(({ class: name, unlogged }) => (unlogged ? [[name, unlogged] as const] : [])),
    ),
  };
}

const runClass = `${systemPrefix}Run`;
const counted = ['created', 'updated', 'deleted', 'erased', 'countedTo', 'lastWriteAt'];

/** Whether a class name is that of records that may have to be changed by `fitToMoment`. */
export const mayNotFit = (type: string) => type === runClass;

/** Removes the counts of a run that reach beyond the moment; they are made again from the change log. */
export function fitToMoment(record: JsonObject, seq: number): JsonObject {
  if (typeof record.countedTo !== 'number' || record.countedTo <= seq) return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => !counted.includes(name)));
}
