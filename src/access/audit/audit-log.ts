/**
 * The audit: all changes of content and of system records, newest first, with who made them and what they mean.
 *
 * It is for administrators, who may see all content. Former and present values are no part of it, but for titles.
 */

import { hash } from 'node:crypto';
import { invalidParameter } from '../../base/errors.ts';
import type {
  ChangeEntry,
  ChangeFilter,
  ChangeReader,
  LoggedChange,
} from '../../content/changes/follow-changes.ts';
import { draftClass, toDraftRecord } from '../../content/drafts/draft.ts';
import { titleOf } from '../../model/asset-title.ts';
import type { Asset, Catalog } from '../../model/content-type.ts';
import { wordsOfName } from '../../text/words-of-name.ts';
import { systemPrefix } from '../system-types.ts';

/** Which changes to show. All conditions must hold; absent ones do not restrict. A type may be a class name or a type ID. */
export type AuditFilter = Omit<ChangeFilter, 'latestOnly'>;

/** A change as the audit shows it. */
export interface AuditedChange extends Omit<LoggedChange, 'before'>, ChangeDescription {
  /** What people call the type, such as `Cookie notice`. */
  readonly typeName: string;
}

/** A page of the audit, which may have fewer changes than its limit. */
interface AuditPage {
  readonly items: readonly AuditedChange[];
  /** The cursor of the next page; absent at the end. */
  readonly next?: string;
}

/** Which page to read. */
interface AuditRequest {
  readonly filter: AuditFilter;
  readonly cursor?: string;
  readonly limit: number;
}

/** Reads the audit. Errors: not_supported on a store without a change log. */
export type AuditLog = ReturnType<typeof createAuditLog>;

const portion = 200;

/** Creates the audit. `catalogs` know the names of the types. */
export function createAuditLog({ reader, catalogs }: { reader: ChangeReader; catalogs: readonly Catalog[] }) {
  const findType = (name: string) => catalogs.map((catalog) => catalog.find(name)).find(Boolean);

  /** Names a type for people, also one that is not known any more. */
  function nameOf(className: string): string {
    const type = findType(className);
    return type?.label ?? wordsOfName(type?.name ?? className);
  }

  /** Type IDs become class names. A type that is not known any more is still found by its class name. */
  function withClassNames({ types, ...filter }: AuditFilter): AuditFilter {
    return types ? { ...filter, types: types.map((name) => findType(name)?.class ?? name) } : filter;
  }

  async function describe(entry: LoggedChange): Promise<AuditedChange> {
    const { before: _, ...change } = entry;
    const typeName = nameOf(entry.type);
    const needsState = isOfRecord(entry) && entry.action !== 'erase';
    const state = needsState ? await reader.stateAfter(entry) : undefined;
    return {
      ...change,
      typeName,
      ...describeChange(entry, { state, typeName, title: titleIn(entry, state) }),
    };
  }

  /** Finds the title of an asset that was deleted, or created as a draft. The titles of others are those that they have today. */
  function titleIn(entry: LoggedChange, state: Asset | undefined): string | undefined {
    const asset = entry.type === draftClass ? createdBy(state) : deletedBy(entry);
    const title = asset && titleOf(asset, findType(asset._type));
    return title === asset?._id ? undefined : title;
  }

  async function describeAll(changes: readonly LoggedChange[]): Promise<AuditedChange[]> {
    const described: AuditedChange[] = [];
    for (const change of changes) described.push(await describe(change));
    return described;
  }

  /** Reads a page. Errors: invalid_parameter for the cursor. */
  async function page({ filter: given, cursor, limit }: AuditRequest): Promise<AuditPage> {
    const scope = { filter: withClassNames(given), epoch: await reader.epoch() };
    const from = cursor === undefined ? {} : { from: readCursor(cursor, scope) };
    const { entries, next } = await reader.read({ filter: scope.filter, ...from, limit });
    const items = await describeAll(entries);
    return { items, ...(next === undefined ? {} : { next: toCursor(next, scope) }) };
  }

  /** Reads all changes that match, in portions; the first is read before it resolves. */
  async function all(given: AuditFilter): Promise<AsyncIterable<readonly AuditedChange[]>> {
    const filter = withClassNames(given);
    const first = await reader.read({ filter, limit: portion });
    return (async function* () {
      for (let { entries, next } = first; ; ) {
        if (entries.length > 0) yield await describeAll(entries);
        if (next === undefined) return;
        ({ entries, next } = await reader.read({ filter, from: next, limit: portion }));
      }
    })();
  }

  return { page, all };
}

/** The asset that a draft creates. */
function createdBy(record: Asset | undefined): Asset | undefined {
  const draft = record && toDraftRecord(record);
  return draft?.action === 'create' ? { ...draft.set, _id: draft.asset, _type: draft.type } : undefined;
}

/** The asset that a change of content deleted; its entry has the whole of it. */
const deletedBy = (entry: LoggedChange) =>
  entry.action === 'delete' && !isOfRecord(entry) ? (entry.before as Asset | undefined) : undefined;

// Says in words what a change did: to a system record by what it means, such as a secret that was replaced, and to content by its
// type. Secrets are never in the log, so that only the name of their field says that they have changed.

/** A change as people read it. */
interface ChangeDescription {
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
function isOfRecord({ type }: Pick<ChangeEntry, 'type'>): boolean {
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

// Cursors of the audit and of the activity: where a page ends, bound to the filter it was read with and to the store's line of history.

/** What a cursor belongs to. */
interface CursorScope {
  readonly filter: object;
  /** The name of the store's line of history. */
  readonly epoch: string;
}

/** Makes the cursor of the entries before `seq`. */
export function toCursor(seq: number, scope: CursorScope): string {
  return `${seq.toString(36)}.${toMark(scope)}`;
}

/** Reads a cursor: the `seq` to continue from. Errors: invalid_parameter when it belongs to something else. */
export function readCursor(cursor: string, scope: CursorScope): number {
  const [, seq = '', mark] = /^([0-9a-z]{1,11})\.([\w-]{8})$/.exec(cursor) ?? [];
  const number = Number.parseInt(seq, 36);
  if (mark !== toMark(scope) || !Number.isSafeInteger(number)) {
    throw invalidParameter('cursor', 'does not belong to these filters and this store; begin without it');
  }
  return number;
}

function toMark({ filter, epoch }: CursorScope): string {
  const sorted = Object.entries(filter).sort(([one], [other]) => (one < other ? -1 : 1));
  return hash('sha256', JSON.stringify([epoch, sorted]), 'base64url').slice(0, 8);
}
