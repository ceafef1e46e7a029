/**
 * The assets that are selected in a list, on all of its pages.
 */
import { useState } from 'react';
import type { Asset } from '../../../api.ts';

/** A selected asset with its title. */
export interface SelectedAsset {
  readonly asset: Pick<Asset, '_id' | '_type'>;
  readonly name: string;
}

/** The selection. */
export interface Selection {
  readonly items: readonly SelectedAsset[];
  readonly has: (id: string) => boolean;
  /** Selects assets, or no longer selects them. */
  readonly set: (assets: readonly SelectedAsset[], isSelected: boolean) => void;
  /** Selects these and no others. */
  readonly replace: (assets: readonly SelectedAsset[]) => void;
}

/** Holds the selection while the list is open. */
export function useSelection(): Selection {
  const [selected, setSelected] = useState<ReadonlyMap<string, SelectedAsset>>(new Map());
  return {
    items: [...selected.values()],
    has: (id) => selected.has(id),
    set: (assets, isSelected) =>
      setSelected((before) => {
        const next = new Map(before);
        for (const each of assets) {
          if (isSelected) next.set(each.asset._id, each);
          else next.delete(each.asset._id);
        }
        return next;
      }),
    replace: (assets) => setSelected(new Map(assets.map((each) => [each.asset._id, each]))),
  };
}
