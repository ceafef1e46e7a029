/**
 * Says in words what a change did: to a system record by what it means, such as a secret that was replaced, and to content by its
 * type. Secrets are never in the log, so that only the name of their field says that they have changed.
 */
import type { ChangeEntry } from '../../content/changes/follow-changes.ts';
import type { Asset } from '../../model/content-type.ts';
import { systemPrefix } from '../system-types.ts';

/** A change as people read it. */
export interface ChangeDescription {
  /** The name of the record, or the title of the asset, if it is known. */
  readonly name?: string;
  /** Such as `Published REST endpoint "News"`. */
  readonly description: string;
  /** When the release that was scheduled will be published, in milliseconds since 1970. */
  readonly publishAt?: number;
}

/** What the names of the record types are in a sentence, and which of their fields is the name. */
const records: Readonly<Record<string, { readonly noun: string; readonly nameField: string }>> = {
  ApiClient: { noun: 'API client', nameField: 'name' },
  User: { noun: 'user', nameField: 'email' },
  GraphqlEndpoint: { noun: 'GraphQL endpoint', nameField: 'name' },
  TrustedDocuments: { noun: 'trusted documents of the GraphQL endpoint', nameField: 'endpoint' },
  RestEndpoint: { noun: 'REST endpoint', nameField: 'name' },
  Webhook: { noun: 'webhook', nameField: 'name' },
  ReleaseAction: { noun: 'release', nameField: 'release' },
  PreviewLink: { noun: 'preview link of the release', nameField: 'release' },
  Draft: { noun: 'draft of the asset', nameField: 'asset' },
};

/** What the last action of a REST endpoint did. */
const endpointActions: Readonly<Record<string, string>> = {
  SAVED: 'Saved the draft of',
  PUBLISHED: 'Published',
  UNPUBLISHED: 'Unpublished',
  RESTORED: 'Restored an earlier draft of',
};

/** What the last action on a release did. */
const releaseActions: Readonly<Record<string, string>> = {
  CREATED: 'Created',
  RETITLED: 'Changed the title of',
  SCHEDULED: 'Scheduled',
  UNSCHEDULED: 'Took back the schedule of',
  PUBLISHED: 'Published drafts of',
  STOPPED: 'Stopped the scheduled publication of',
};

/** A field that every update of content changes. */
const updateDate = 'cms.content.updateDate';
const maxFields = 5;

/** Tells whether the description of a change needs the state that the change left. */
export function isOfRecord({ type }: Pick<ChangeEntry, 'type'>): boolean {
  return type.startsWith(systemPrefix);
}

/**
 * Describes a change.
 *
 * Shapes: `state` is the record after the change, or as it was deleted, as far as it is known; `typeName` is what to call content of
 * its type, and `title` the title of content that is not live, or of the asset of a draft.
 */
export function describeChange(
  entry: ChangeEntry,
  { state, typeName, title }: { state: Asset | undefined; typeName: string; title?: string | undefined },
): ChangeDescription {
  const record = isOfRecord(entry) ? records[entry.type.slice(systemPrefix.length)] : undefined;
  const name = title ?? (record && textOf(state?.[record.nameField]));
  const object = `${record?.noun ?? typeName}${name === undefined ? '' : ` ${JSON.stringify(name)}`}`;
  const publishAt = record === records.ReleaseAction ? state?.publishAt : undefined;
  return {
    ...(name === undefined ? {} : { name }),
    description: describe(entry, { object, state }),
    ...(typeof publishAt === 'number' && { publishAt }),
  };
}

function describe(
  entry: ChangeEntry,
  { object, state }: { object: string; state: Asset | undefined },
): string {
  const ofRelease = describeRelease(entry, { object, state });
  if (ofRelease !== undefined) return ofRelease;
  switch (entry.action) {
    case 'create':
      return `Created ${object}`;
    case 'delete':
      return `Deleted ${object}`;
    case 'erase':
      return `Erased ${object} with its history`;
    case 'signIn':
      return 'Signed in';
    case 'update':
      return describeUpdate(entry, { object, state });
  }
}

function describeRelease(
  { type, action }: ChangeEntry,
  { object, state }: { object: string; state: Asset | undefined },
): string | undefined {
  const isWrite = action === 'create' || action === 'update';
  if (type !== `${systemPrefix}ReleaseAction` || !isWrite) return undefined;
  const words = releaseActions[textOf(state?.action) ?? ''] ?? 'Changed';
  const drafts = state?.drafts;
  const count = typeof drafts === 'number' ? ` (drafts: ${drafts})` : '';
  return `${words} ${object}${count}`;
}

function describeUpdate(
  { type, changed }: ChangeEntry,
  { object, state }: { object: string; state: Asset | undefined },
): string {
  const has = (field: string) => changed.includes(field);
  switch (type) {
    case `${systemPrefix}ApiClient`:
      if (has('revokedAt')) return `Revoked ${object}`;
      if (has('secretHash')) return `Replaced the secret of ${object}`;
      if (has('keys')) return `Changed the keys of ${object}`;
      break;
    case `${systemPrefix}User`:
      if (has('passwordHash') && has('invitationHash')) return `Accepted the invitation of ${object}`;
      if (has('passwordHash')) return `Changed the password of ${object}`;
      if (has('disabledAt')) return `${state?.disabledAt ? 'Disabled' : 'Enabled'} ${object}`;
      if (has('role')) return `Changed the role of ${object} to ${textOf(state?.role) ?? 'admin'}`;
      if (has('invitationHash')) return `Created an invitation link for ${object}`;
      break;
    case `${systemPrefix}GraphqlEndpoint`:
      if (has('deleting')) return `${state?.deleting ? 'Started' : 'Cancelled'} the deletion of ${object}`;
      break;
    case `${systemPrefix}Webhook`:
      if (has('secret')) return `Replaced the secret of ${object}`;
      if (has('disabledAt')) return `${state?.disabledAt ? 'Disabled' : 'Enabled'} ${object}`;
      if (has('startMark')) return `Started a replay of ${object}`;
      break;
    case `${systemPrefix}RestEndpoint`: {
      const action = endpointActions[textOf(state?.action) ?? ''];
      if (has('number') && action !== undefined) return `${action} ${object}`;
      break;
    }
  }
  return `Changed ${listFields(changed)} of ${object}`;
}

function listFields(changed: readonly string[]): string {
  const explicit = changed.filter((field) => field !== updateDate);
  const named = explicit.length > 0 ? explicit : changed;
  if (named.length === 0) return 'nothing';
  const more = named.length - maxFields;
  return `${named.slice(0, maxFields).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
