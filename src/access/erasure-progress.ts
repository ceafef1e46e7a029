/**
 * The record of how far copies of erased assets are removed.
 */
import { unlessError } from '../base/errors.ts';
import { toHashedUuid } from '../base/uuid.ts';
import type { ContentService } from '../content/content-service.ts';
import type { ErasureProgress, ProgressRecord } from '../content/erasure/erasure-sweep.ts';
import { unlessOvertaken, untilWritten } from '../content/planned-writes.ts';

/** SDL of the record. */
export const erasureProgressType = /* GraphQL */ `
  "Up to where the change log is followed to remove what is kept of erased assets; there is one at most."
  type ErasureProgress @contentType(class: "com.colophon.system.ErasureProgress") {
    "The line of history of the store that the numbers belong to."
    epoch: String!
    "Copies outside the log are removed up to this entry."
    copiesTo: Float!
    "Nothing is left up to this entry."
    wholeTo: Float!
  }
`;

const id = toHashedUuid('erasure progress');
const typeName = 'com.colophon.system.ErasureProgress';

/** Creates the record of a system's content service. */
export function createProgressRecord(system: ContentService): ProgressRecord {
  const find = () => unlessError(system.get(id, {}), 'not_found');

  async function tryAdvance(epoch: string, progress: Partial<ErasureProgress>) {
    const stored = await find();
    const isPresent = stored?.asset.epoch === epoch;
    const present = isPresent ? toProgress(stored.asset) : start;
    const copiesTo = Math.max(present.copiesTo, progress.copiesTo ?? 0);
    const wholeTo = Math.max(present.wholeTo, progress.wholeTo ?? 0);
    if (isPresent && copiesTo === present.copiesTo && wholeTo === present.wholeTo) return undefined;
    const body = { epoch, copiesTo, wholeTo };
    return unlessOvertaken(
      stored
        ? system.update({ id, body, ifVersions: [stored.version] }, {})
        : system.create({ _id: id, _type: typeName, ...body }, {}),
    );
  }

  return {
    async read(epoch) {
      const stored = await find();
      return stored?.asset.epoch === epoch ? toProgress(stored.asset) : start;
    },
    async advance(epoch, progress) {
      await untilWritten(() => tryAdvance(epoch, progress));
    },
  };
}

const start: ErasureProgress = { copiesTo: 0, wholeTo: 0 };

const toProgress = ({ copiesTo, wholeTo }: Record<string, unknown>): ErasureProgress => ({
  copiesTo: Number(copiesTo),
  wholeTo: Number(wholeTo),
});
