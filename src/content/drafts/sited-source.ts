/**
 * The drafts that count for a sender restricted to sites: those of assets whose live owner is one of the sites, or that are not live. An
 * asset whose draft is left out is as it is live, so the sender does not see it either.
 */
import { siteOwnerField } from '../../model/content-type.ts';
import type { ContentStore } from '../../store/port.ts';
import { idOfWrite } from '../../store/port.ts';
import { readMany } from '../reading/read-chunks.ts';
import { isVisible } from '../reading/site-visibility.ts';
import type { Draft, DraftSource } from './draft.ts';

/** Leaves out the drafts of assets of other sites; without `sites`, returns the source itself. */
export function withinSites(
  source: DraftSource,
  { store, sites }: { store: Pick<ContentStore, 'getMany'>; sites?: readonly string[] | undefined },
): DraftSource {
  if (!sites) return source;
  const holder = { sites };

  async function findHidden(drafts: readonly Draft[]): Promise<ReadonlySet<string>> {
    const hidden = new Set<string>();
    for await (const found of readMany(store, drafts.filter(mayMove).map(idOfWrite))) {
      for (const [id, { asset }] of found) if (!isVisible(asset, holder)) hidden.add(id);
    }
    return hidden;
  }

  return {
    async find(ids) {
      const found = await source.find(ids);
      const hidden = await findHidden([...found.values()]);
      return new Map([...found].filter(([id]) => !hidden.has(id)));
    },
    async ofTypes(types) {
      const found = await source.ofTypes(types);
      const hidden = await findHidden(found);
      return found.filter((draft) => !hidden.has(idOfWrite(draft)));
    },
  };
}

/** Whether a draft may leave its asset with another owner than the live one: a change of other fields keeps it. */
const mayMove = (draft: Draft) =>
  draft.kind !== 'patch' || Object.hasOwn(draft.set, siteOwnerField) || draft.unset.includes(siteOwnerField);
