/**
 * Counts the unfit assets of all types again, and puts the results into the report type by type.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { UnfitAsset, UnfitCount, UnfitReport, UnfitRule } from '../../api.ts';
import { listUnfit, unfitReport } from '../../parts/data/unfit.ts';
import { useAction } from '../../parts/forms/busy-button.tsx';

/** How far a count is. */
export interface Progress {
  readonly types: number;
  readonly assets: number;
}

/** Runs a count at a time. Leaving the page ends it; types that are counted by then stay counted. */
export function useCount() {
  const client = useQueryClient();
  const [progress, setProgress] = useState<Progress>({ types: 0, assets: 0 });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const action = useAction(async (types: readonly UnfitCount[]) => {
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setProgress({ types: 0, assets: 0 });
    const onProgress = (checked: number) =>
      setProgress((before) => ({ ...before, assets: before.assets + checked }));
    for (const type of types) {
      const counted = await countType(type, { signal, onProgress }).catch((error: unknown) => {
        if (signal.aborted) return undefined;
        throw error;
      });
      if (!counted) return;
      setProgress((before) => ({ ...before, types: before.types + 1 }));
      client.setQueryData(unfitReport.queryKey, (report) => replace(report, counted));
    }
  });
  return { ...action, progress, stop: () => running.current?.abort() };
}

function replace(report: UnfitReport | undefined, counted: UnfitCount): UnfitReport | undefined {
  return report && { items: report.items.map((item) => (item.class === counted.class ? counted : item)) };
}

const pageSize = 1000;
/** How many assets are named for each rule, as in the server's counts. */
const maxIds = 5;

/** Counts a type; `onProgress` is told how many assets were checked by each request. Errors: those of the API; the signal's reason. */
async function countType(
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
