/**
 * Checks what only a store's own database knows of: its files, indexes, words and totals. What holds for every store is checked on
 * a copy; see `store/copy/`.
 */
import type { Catalog } from '../../model/content-type.ts';
import type { Findings } from './findings.ts';

/** A store that is being checked. Errors: store_busy, store_failure. */
export interface StoreInspection {
  /** Adds what is wrong; other processes may write meanwhile. */
  check(findings: Findings): Promise<void>;
  /**
   * Creates indexes, words and totals again from the assets. Errors: transfer_failed when the store is in use or its assets are
   * damaged.
   */
  repair(): Promise<void>;
  close(): Promise<void>;
}

/** What to check a store for. */
export interface InspectionOptions {
  /** The content types that the store was last served with, and those of system records. */
  readonly catalog: Catalog;
}
