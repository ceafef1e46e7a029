/**
 * One difference between two sets of content types, and what it means for stored content and for clients.
 */

/**
 * What a change requires.
 * - `breaking`: stored content, requests or clients that are valid before are not valid after it.
 * - `attention`: nothing is invalid, but someone should look: a client may receive what it did not receive before.
 * - `safe`: nothing has to follow.
 */
export type Severity = 'breaking' | 'attention' | 'safe';

/** All severities, the worst first. */
export const severities = ['breaking', 'attention', 'safe'] as const satisfies readonly Severity[];

/** One difference between two sets of content types. */
export interface TypeChange {
  readonly severity: Severity;
  /** The class name, the one before the change if it was renamed. */
  readonly type: string;
  /** The JSON path of a field, such as `address.city`; absent for a change of the type itself. */
  readonly path?: string;
  /** Such as `is required, without a default`. */
  readonly message: string;
}

/** A finding about a type or a field, before it is known where it is. */
export type Finding = Pick<TypeChange, 'severity' | 'message'>;
/** A finding about fields. */
export type FieldFinding = Finding & { readonly path: string };

export const breaking = (message: string): Finding => ({ severity: 'breaking', message });
export const attention = (message: string): Finding => ({ severity: 'attention', message });
export const safe = (message: string): Finding => ({ severity: 'safe', message });
