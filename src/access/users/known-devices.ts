/**
 * Devices from which a user has signed in before, recognized by a token in a cookie.
 *
 * Failed sign-ins are counted separately for a known device: the user can still sign in there after strangers failed too often
 * on the same account or from the same address. Only the hash of a token is stored.
 */
import type { Clock, IdSource } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { hashSecret } from '../clients/secret.ts';
import { deleteExpired, deleteRecord, findRecords } from '../expiring-records.ts';
import { deviceType } from './session-records.ts';
import { userType } from './users.ts';

/** A device and the user who signed in there. */
export interface KnownDevice {
  readonly id: string;
  readonly userId: string;
}

/** The known devices of all users. */
export interface KnownDevices {
  /** Finds the device of a token. */
  find(token: string): Promise<KnownDevice | undefined>;
  /** Adds a device, and returns its token, which is available here only. */
  add(userId: string): Promise<string>;
}

/** How long a device stays known, counted from its first sign-in. */
export const deviceMs = 180 * 24 * 60 * 60 * 1000;

/** The maximum number of known devices of a user; a further one replaces the oldest. */
const maxDevices = 20;

/** Creates the service, which keeps known devices in the system's content service. */
export function createKnownDevices({
  system,
  clock,
  ids,
}: {
  system: ContentService;
  clock: Clock;
  ids: IdSource;
}): KnownDevices {
  async function find(token: string): Promise<KnownDevice | undefined> {
    const query = { from: deviceType, where: 'tokenHash = ?', value: hashSecret(token) };
    const [record] = await findRecords(system, query);
    if (!record || Number(record.expiresAt) <= clock.nowMs() || !isJsonObject(record.user)) return undefined;
    return { id: record._id, userId: String(record.user._ref) };
  }

  async function add(userId: string): Promise<string> {
    const nowMs = clock.nowMs();
    await deleteExpired(system, deviceType, nowMs);
    await deleteOldest(userId);
    const token = ids.secret();
    const user = { _ref: userId, _type: userType };
    const record = { _type: deviceType, tokenHash: hashSecret(token), user, expiresAt: nowMs + deviceMs };
    await system.create(record, {});
    return token;
  }

  /** Makes room for one more device. */
  async function deleteOldest(userId: string): Promise<void> {
    const query = { from: deviceType, where: 'user = ?', values: [userId], withCount: false };
    const sort = [{ field: 'expiresAt', descending: true }];
    const { items } = await system.find({ ...query, sort, offset: maxDevices - 1, limit: 100 }, {});
    await Promise.all(items.map(({ asset }) => deleteRecord(system, asset._id)));
  }

  return { find, add };
}
