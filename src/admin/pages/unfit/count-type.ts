/**
 * Counts the unfit assets of a type by listing them all, so that the result is the same whichever process answers.
 */
import type { UnfitAsset, UnfitCount, UnfitRule } from '../../api.ts';
import { listUnfit } from '../../parts/data/unfit.ts';

const pageSize = 1000;
/** How many assets are named for each rule, as in the server's counts. */
const maxIds = 5;

/** Counts a type; `onProgress` is told how many assets were checked by each request. Errors: those of the API; the signal's reason. */
export async function countType(
  { class: type, name }: Pick<UnfitCount, 'class' | 'name'>,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (checked: number) => void },
): Promise<UnfitCount> {
  let countedAt: number | undefined;
  const rules = new Map<string, UnfitRule>();
  let [assets, unfit] = [0, 0];
  for (let after: string | undefined; ; ) {
    const page = await listUnfit({ type, rule: undefined, after, limit: pageSize }, signal);
    for (const asset of page.items) addTo(rules, asset);
    countedAt ??= page.checkedAt;
    assets += page.checked;
    unfit += page.items.length;
    onProgress(page.checked);
    if (page.next === undefined)
      return { class: type, name, countedAt, assets, unfit, rules: [...rules.values()] };
    after = page.next;
  }
}

/** Adds an asset to the rules that it breaks; one that breaks a rule in several items of a list breaks it once. */
function addTo(rules: Map<string, UnfitRule>, { _id, problems }: UnfitAsset): void {
  const broken = new Map(
    problems.map(({ path, message }) => {
      const general = path.replace(/\[\d+\]/g, '[]');
      return [`${general} ${message}`, { path: general, message }];
    }),
  );
  for (const [key, rule] of broken) {
    const { assets, ids } = rules.get(key) ?? { assets: 0, ids: [] };
    rules.set(key, { ...rule, assets: assets + 1, ids: ids.length < maxIds ? [...ids, _id] : ids });
  }
}
