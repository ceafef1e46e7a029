/**
 * The audit: all changes of content and of system records, newest first, with who made them and what they mean.
 *
 * It is for administrators, who may see all content. Former and present values are no part of it, but for titles.
 */
import type { ChangeFilter, ChangeReader, LoggedChange } from '../../content/changes/follow-changes.ts';
import { draftClass, toDraftRecord } from '../../content/drafts/draft.ts';
import { titleOf } from '../../model/asset-title.ts';
import type { Asset, Catalog } from '../../model/content-type.ts';
import { wordsOfName } from '../../text/words-of-name.ts';
import { readCursor, toCursor } from './audit-cursor.ts';
import { type ChangeDescription, describeChange, isOfRecord } from './describe-change.ts';

/** Which changes to show. All conditions must hold; absent ones do not restrict. A type may be a class name or a type ID. */
export type AuditFilter = Omit<ChangeFilter, 'latestOnly'>;

/** A change as the audit shows it. */
export interface AuditedChange extends Omit<LoggedChange, 'before'>, ChangeDescription {
  /** What people call the type, such as `Cookie notice`. */
  readonly typeName: string;
}

/** A page of the audit, which may have fewer changes than its limit. */
export interface AuditPage {
  readonly items: readonly AuditedChange[];
  /** The cursor of the next page; absent at the end. */
  readonly next?: string;
}

/** Which page to read. */
export interface AuditRequest {
  readonly filter: AuditFilter;
  readonly cursor?: string;
  readonly limit: number;
}

/** Reads the audit. Errors: not_supported on a store without a change log. */
export interface AuditLog {
  /** Reads a page. Errors: invalid_parameter for the cursor. */
  page(request: AuditRequest): Promise<AuditPage>;
  /** Reads all changes that match, in portions; the first is read before it resolves. */
  all(filter: AuditFilter): Promise<AsyncIterable<readonly AuditedChange[]>>;
}

const portion = 200;

/** Creates the audit. `catalogs` know the names of the types. */
export function createAuditLog({
  reader,
  catalogs,
}: {
  reader: ChangeReader;
  catalogs: readonly Catalog[];
}): AuditLog {
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

  async function page({ filter: given, cursor, limit }: AuditRequest): Promise<AuditPage> {
    const scope = { filter: withClassNames(given), epoch: await reader.epoch() };
    const from = cursor === undefined ? {} : { from: readCursor(cursor, scope) };
    const { entries, next } = await reader.read({ filter: scope.filter, ...from, limit });
    const items = await describeAll(entries);
    return { items, ...(next === undefined ? {} : { next: toCursor(next, scope) }) };
  }

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
