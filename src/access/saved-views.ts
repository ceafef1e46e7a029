/**
 * Saved views: what a list of assets shows, under a name, for its owner or for everybody.
 *
 * A view outlives changes of the content types: the list that opens it leaves out what no longer applies.
 */
import { forbidden, invalidBody, notFound } from '../base/errors.ts';
import { isUuid } from '../base/uuid.ts';
import type { ContentService } from '../content/content-service.ts';
import { getType } from '../model/catalog.ts';
import type { Asset, Catalog, JsonObject } from '../model/content-type.ts';
import { deleteRecords } from './expiring-records.ts';
import { includesRole, type Role } from './users/roles.ts';

/** The class name of the records. */
const viewClass = 'com.colophon.system.SavedView';

/** Who sees and changes views. `key` tells users and API clients apart. */
export interface ViewUser {
  readonly key: string;
  readonly name: string;
  readonly role: Role;
}

/** What a user says of a view. */
export interface ViewDraft {
  readonly name: string;
  /** The class name of the listed type. */
  readonly type: string;
  /** The search, the filters, the order and the page size, as the query string of the list. */
  readonly query: string;
  /** The paths of the columns; absent means the usual ones. */
  readonly columns?: readonly string[] | undefined;
  /** Whether everybody sees it. */
  readonly shared?: boolean | undefined;
}

/** A view as a user sees it. */
export interface SavedView extends ViewDraft {
  readonly id: string;
  readonly shared: boolean;
  /** The name of its owner. */
  readonly owner: string;
  /** Whether the user may change and delete it. */
  readonly mayChange: boolean;
  readonly isMine: boolean;
}

/** What to change; null for `columns` goes back to the usual ones. */
export interface ViewChanges extends Partial<Pick<ViewDraft, 'name' | 'query' | 'shared'>> {
  readonly columns?: readonly string[] | null | undefined;
}

/** The views of all users. Those of others that are not shared do not exist for a user. */
export type SavedViews = ReturnType<typeof createSavedViews>;

/** The most views of a user, and of all users together that are shared. */
const maxOwn = 100;
const maxShared = 200;

/** The key of a user in records. */
export const userKey = (id: string) => `user:${id}`;

/** Creates the service; `catalog` has the content types. */
export function createSavedViews({ system, catalog }: { system: ContentService; catalog: Catalog }) {
  const find = async (where: string, values: readonly (string | boolean)[], limit: number) => {
    const query = { from: viewClass, where, values: [...values], offset: 0, limit, withCount: false };
    return (await system.find(query, {})).items.map(({ asset }) => asset);
  };

  async function assertRoom(where: string, values: readonly (string | boolean)[], max: number, what: string) {
    if ((await find(where, values, max)).length < max) return;
    throw invalidBody([{ path: '', message: `There are already ${max} ${what}: delete some first` }]);
  }

  const assertRoomToShare = () => assertRoom('shared = ?', [true], maxShared, 'shared views');

  /** Finds a view that a user sees. */
  async function getRecord(user: ViewUser, id: string): Promise<Asset> {
    if (isUuid(id)) {
      for await (const records of system.getMany([id.toLowerCase()], {}))
        for (const record of records)
          if (record._type === viewClass && (record.shared === true || record.owner === user.key))
            return record;
    }
    throw notFound(id, 'saved view');
  }

  return {
    /** Lists the views of a user and the shared ones, by name; those of one type if it is given. Errors: unknown_type. */
    async list(user: ViewUser, type?: string): Promise<readonly SavedView[]> {
      const known = type === undefined ? undefined : getType(catalog, type, 'type');
      const classes = known && [known.class, ...known.formerClasses];
      const found = await find('owner = ? or shared = ?', [user.key, true], maxOwn + maxShared);
      return found
        .filter((record) => !classes || classes.includes(String(record.type)))
        .map((record) => toView(record, user))
        .sort((one, other) => one.name.localeCompare(other.name, 'en'));
    },

    /** Errors: unknown_type; invalid_body when there are too many; forbidden for a shared one without the role. */
    async create(
      user: ViewUser,
      { name, type, query, columns, shared = false }: ViewDraft,
    ): Promise<SavedView> {
      const { class: className } = getType(catalog, type, 'type');
      if (shared) assertMayShare(user);
      await assertRoom('owner = ?', [user.key], maxOwn, 'saved views of yours');
      if (shared) await assertRoomToShare();
      const owned = { owner: user.key, ownerName: user.name };
      const record = {
        name,
        type: className,
        query,
        ...(columns && { columns: [...columns] }),
        shared,
        ...owned,
      };
      const { asset } = await system.create({ _type: viewClass, ...record }, {});
      return toView(asset, user);
    },

    /** Errors: not_found. */
    get: async (user: ViewUser, id: string): Promise<SavedView> => toView(await getRecord(user, id), user),

    /** Errors: not_found; invalid_body when there are too many shared ones; forbidden. */
    async update(user: ViewUser, id: string, { columns, ...changes }: ViewChanges): Promise<SavedView> {
      const record = await getRecord(user, id);
      if (record.shared === true || changes.shared) assertMayShare(user);
      if (changes.shared && record.shared !== true) await assertRoomToShare();
      // The owner may be gone, and nobody else would see the view.
      if (changes.shared === false && record.shared === true && record.owner !== user.key)
        throw forbidden('Only its owner can keep a shared view from everybody; others can delete it');
      const body = { ...changes, ...(columns !== undefined && { columns: columns && [...columns] }) };
      // Only members that are given are defined.
      const { asset } = await system.update({ id: record._id, body: body as JsonObject }, {});
      return toView(asset, user);
    },

    /** Errors: not_found, forbidden. */
    async delete(user: ViewUser, id: string): Promise<void> {
      const record = await getRecord(user, id);
      if (record.owner !== user.key) assertMayShare(user);
      await system.delete({ id: record._id }, {});
    },
  };
}

/** Deletes the views of a user who is deleted, apart from those that are shared. */
export async function deleteOwnViews(system: ContentService, userId: string): Promise<void> {
  const query = { from: viewClass, where: 'owner = ? and shared = false', value: userKey(userId) };
  while (await deleteRecords(system, query));
}

const mayShare = ({ role }: ViewUser) => includesRole(role, 'editor');

function assertMayShare(user: ViewUser): void {
  if (mayShare(user)) return;
  throw forbidden(`Views for everybody need the role editor, and ${user.name} has the role ${user.role}`);
}

function toView(record: Asset, user: ViewUser): SavedView {
  const { _id: id, name, type, query, columns, shared, owner, ownerName } = record;
  const isMine = owner === user.key;
  return {
    id,
    name: String(name),
    type: String(type),
    query: String(query),
    ...(Array.isArray(columns) && { columns: columns.map(String) }),
    shared: shared === true,
    owner: String(ownerName),
    isMine,
    mayChange: shared === true ? mayShare(user) : isMine,
  };
}
