/**
 * The door straight to a store, by the content service of this process.
 */
import { transferFailed } from '../base/errors.ts';
import type { ContentService } from '../content/content-service.ts';
import type { ContentDoor } from './door.ts';

/** Makes a door that sees and writes everything. */
export function createStoreDoor({
  content,
  target,
  close,
}: {
  content: ContentService;
  target: string;
  close: () => Promise<void>;
}): ContentDoor {
  return {
    target,
    async page(selection, limit) {
      return (await content.find({ ...selection, offset: 0, limit, withCount: false }, {})).items;
    },
    async count(selection) {
      return (await content.find({ ...selection, offset: 0, limit: 0, withCount: true }, {})).count ?? 0;
    },
    async findMissing({ type, refs }) {
      const there = await content.getMany(refs, {});
      return refs.filter((ref) => there.get(ref.toLowerCase())?._type !== type);
    },
    batch: () => Promise.reject(transferFailed('not yet')),
    close,
  };
}
