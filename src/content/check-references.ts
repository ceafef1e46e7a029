/**
 * Whether the targets of references are there, and are what the references say.
 */
import type { Problem } from '../base/errors.ts';
import type { Asset, Reference } from '../model/content-type.ts';
import type { FoundReference } from '../model/validate-asset.ts';
import type { ContentStore } from '../store/port.ts';

/** Problems of an asset's references, all looked up in one call of the store. */
export async function findDangling({
  store,
  asset,
  references,
}: {
  store: ContentStore;
  asset: Pick<Asset, '_id' | '_type'>;
  references: readonly FoundReference[];
}): Promise<Problem[]> {
  // An asset may refer to itself, which is not yet there when it is created.
  const isSelf = ({ _ref, _type }: Reference) => _ref === asset._id && _type === asset._type;
  const others = references.filter(({ reference }) => !isSelf(reference));
  if (others.length === 0) return [];
  const types = await store.getTypes([...new Set(others.map(({ reference }) => reference._ref))]);
  return others.flatMap(({ path, reference }) => {
    const type = types.get(reference._ref);
    if (type === undefined) return [{ path, message: `refers to ${reference._ref}, which does not exist` }];
    return type === reference._type
      ? []
      : [{ path: `${path}._type`, message: `is ${reference._type}, but the asset is a ${type}` }];
  });
}
