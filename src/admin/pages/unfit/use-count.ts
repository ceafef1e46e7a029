/**
 * Counts the unfit assets of all types again, and puts the results into the report type by type.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { UnfitCount, UnfitReport } from '../../api.ts';
import { unfitReport } from '../../parts/data/unfit.ts';
import { useAction } from '../../parts/forms/use-action.ts';
import { countType } from './count-type.ts';

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
