/**
 * Functions that build the errors of unique values.
 */
import { DomainError } from './domain-error.ts';
import { quote } from './problems.ts';

/** A unique value that another asset has. */
export const valueInUse = (field: string, value: string) =>
  inUse(`${quote(value)} is already in use: ${quote(field)} is unique`, { field, value });

/** A unique value at `path` that leads to no single asset: several assets of a release have it. */
export const ambiguousValue = ({ path, field, value }: { path: string; field: string; value: string }) =>
  inUse(`${quote(value)} is the ${quote(field)} of several assets of the release, so it names none of them`, {
    field: path,
    value,
    reason: 'names several assets of the release',
  });

const inUse = (message: string, details: { field: string; value: string; reason?: string }) =>
  new DomainError('value_in_use', message, details);
