/**
 * Who has an asset open. Each user has one mark for an asset, which the page renews; a mark that is not renewed ends by itself, so nothing
 * has to be cleaned up after a browser that was closed or a server that has stopped.
 */
import { isDomainError } from '../../base/errors.ts';
import type { Clock } from '../../base/runtime.ts';
import { toHashedUuid } from '../../base/uuid.ts';
import type { ContentService } from '../../content/content-service.ts';
import { deleteExpired, deleteRecord, findRecords } from '../expiring-records.ts';

/** What a user does with an asset. */
export type PresenceState = 'viewing' | 'editing' | 'left';

/** Another user who has the asset open. */
export interface PresentUser {
  readonly name: string;
  readonly editing: boolean;
  /** Since when the user edits it, or has it open without editing it; in milliseconds since 1970. */
  readonly since: number;
}

/** A report of a page that has an asset open. */
export interface PresenceReport {
  readonly asset: string;
  /** The user, or the API client that reports for one. */
  readonly user: { readonly id: string; readonly name: string };
  readonly state: PresenceState;
  /** Called before the first mark is made. Rejects if there is no such asset. */
  readonly assertExists: () => Promise<unknown>;
}

/** The marks of all assets. */
export type Presence = ReturnType<typeof createPresence>;

/** How long a mark counts. Pages renew theirs every 20 seconds, so it outlives one report that fails. */
const markMs = 50_000;

const presenceType = 'com.colophon.system.Presence';

/** Creates it. The marks are records of the store, so that all servers see them; times are those of its clock. */
export function createPresence({
  system,
  readStoreClock,
  clock,
}: {
  system: ContentService;
  readStoreClock: () => Promise<number | undefined>;
  clock: Clock;
}) {
  async function mark(
    { asset, user, state, assertExists }: PresenceReport,
    id: string,
    nowMs: number,
  ): Promise<void> {
    const facts = { name: user.name, editing: state === 'editing', expiresAt: nowMs + markMs };
    try {
      const { asset: before } = await system.get(id, {});
      const isSame = before.editing === facts.editing && Number(before.expiresAt) > nowMs;
      await system.update({ id, body: { ...facts, ...(!isSame && { since: nowMs }) } }, {});
    } catch (error) {
      if (!isDomainError(error, 'not_found')) throw error;
      await assertExists();
      await deleteExpired(system, presenceType, nowMs);
      await create({ _id: id, _type: presenceType, asset, user: user.id, since: nowMs, ...facts });
    }
  }

  /** Another tab of the user may make the same mark at this moment. */
  async function create(record: Parameters<ContentService['create']>[0]): Promise<void> {
    try {
      await system.create(record, {});
    } catch (error) {
      if (!isDomainError(error, 'id_in_use')) throw error;
    }
  }

  return {
    /** Renews or removes the mark of a user, and returns the other users who have the asset open. Errors: those of `assertExists`. */
    async report(report: PresenceReport): Promise<readonly PresentUser[]> {
      const { asset, user, state } = report;
      const id = toHashedUuid(`presence: ${asset} ${user.id}`);
      if (state === 'left') {
        await deleteRecord(system, id);
        return [];
      }
      const nowMs = (await readStoreClock()) ?? clock.nowMs();
      await mark(report, id, nowMs);
      const marks = await findRecords(system, { from: presenceType, where: 'asset = ?', value: asset });
      return marks
        .filter((other) => other.user !== user.id && Number(other.expiresAt) > nowMs)
        .map(({ name, editing, since }) => ({
          name: String(name),
          editing: editing === true,
          since: Number(since),
        }))
        .sort((one, other) => (one.name < other.name ? -1 : 1));
    },
  };
}
