/**
 * Keeps what receivers answer out of the log of deliveries once the asset is erased: an answer may repeat the message, and may come after
 * the erasure has removed the deliveries of the asset.
 */
import type { LogFollower } from '../../content/changes/follow-changes.ts';
import type { Delivery, DeliveryRecords } from '../records/delivery-records.ts';

/** Returns the records, which keep no answer about a change that the change log lacks. */
export function forgetErased(records: DeliveryRecords, { find }: Pick<LogFollower, 'find'>): DeliveryRecords {
  const isErased = async ({ responseBody, seq, assetId }: Delivery) =>
    responseBody ? (await find(seq))?.asset !== assetId : false;
  return {
    ...records,
    async save(delivery) {
      const { responseBody: _, ...withoutAnswer } = delivery;
      if (await isErased(delivery)) return records.save(withoutAnswer);
      await records.save(delivery);
      // An erasure before this look may have missed the record; one after it removes the record.
      if (await isErased(delivery)) await records.save(withoutAnswer);
    },
  };
}
