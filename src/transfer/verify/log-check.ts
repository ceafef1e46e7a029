/**
 * Checks the change log: numbers without holes, versions that follow from each other, and histories that end in the assets of today.
 *
 * Trimming removes the oldest entries, and erasing those of one asset, before the entry that says so. Other holes are faults.
 */
import type { CopiedEntry } from '../../store/copy/store-copy.ts';
import type { Findings } from '../../store/inspection/findings.ts';
import type { createCopyTables } from './copy-tables.ts';

/** Checks entries in the order of `seq`. */
export interface LogCheck {
  check(entry: CopiedEntry): void;
  /** Compares the end of the log with the last `seq`, and the ends of histories with the assets, except those of types that are not logged. */
  finish(expected: { readonly seq: number; readonly unlogged: readonly string[] }): void;
}

/** Creates it. All assets must be in the tables before `finish`. */
export function createLogCheck(tables: ReturnType<typeof createCopyTables>, findings: Findings): LogCheck {
  let [first, last, missing, erased] = [0, 0, 0, 0];

  function checkSeq({ seq, action, number }: CopiedEntry): void {
    if (last === 0) first = seq;
    else if (seq <= last) findings.fault('log', `seq ${seq} is in the log twice or in the wrong order`);
    else missing += seq - last - 1;
    last = seq;
    if (action === 'erase') erased += number - 1;
  }

  function checkChain(entry: CopiedEntry): void {
    const { asset: id, number, action, previousVersion = null } = entry;
    const end = tables.findEnd(id);
    // What an erasure has left begins anew.
    if (!end || action === 'erase') return;
    if (number !== end.number + 1) findings.fault('log', 'a history has a hole or an entry twice', { id });
    else if (previousVersion !== end.version) {
      findings.fault('log', 'an entry does not continue from the version before it', { id });
    }
  }

  return {
    check(entry) {
      const { isDamaged, asset: id } = entry;
      if (isDamaged) findings.fault('log', 'what an entry changed cannot be read', { id });
      checkSeq(entry);
      checkChain(entry);
      tables.setEnd(entry);
    },
    finish({ seq, unlogged }) {
      if (last < seq) missing += seq - last;
      if (missing > erased) findings.fault('log', 'entries are missing', { count: missing - erased });
      for (const { id, type, number, end } of tables.disagreements()) {
        if (type !== undefined && unlogged.includes(type)) continue;
        if (end) findings.fault('log', 'the asset is not as its last change has left it', { id });
        // Its entries may have been trimmed.
        else if (first === 1 && number > 0)
          findings.fault('log', 'the asset has no entry in the log, which is complete', { id });
      }
    },
  };
}
