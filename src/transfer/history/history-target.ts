/**
 * The port of the commands about the past of an asset: `http-history.ts` implements it for a server, `store-history.ts` for a store.
 */
import type { DescribedHistory } from '../../content/history/describe-change.ts';
import type { NamedMoment } from '../../content/history/read-history.ts';

/** Which changes to list. */
export interface HistoryPageRequest {
  readonly id: string;
  readonly limit: number;
  /** The `next` of the page before. */
  readonly cursor?: string;
}

/** Which past state to restore. */
export interface Restoration {
  readonly id: string;
  readonly moment: NamedMoment;
  /** Absent means the whole state. */
  readonly fields?: readonly string[];
  /** Whether to check the write only. */
  readonly isDryRun: boolean;
}

/** The past of assets. Errors, of each call: transfer_failed when a server refuses; those of the content service. */
export interface HistoryTarget {
  list(page: HistoryPageRequest): Promise<DescribedHistory>;
  /** Restores a past state; returns the asset and its version, which a dry run does not have. */
  restore(restoration: Restoration): Promise<{ readonly asset: object; readonly version?: string }>;
  erase(id: string): Promise<void>;
  close(): Promise<void>;
}
