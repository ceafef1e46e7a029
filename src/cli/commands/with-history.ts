/**
 * Opens the past of assets for a command: that at a server with `--url`, otherwise that of the configured store.
 */
import type { HistoryTarget } from '../../transfer/history/history-target.ts';
import { createHttpHistory } from '../../transfer/history/http-history.ts';
import { createStoreHistory } from '../../transfer/history/store-history.ts';
import type { CommandCall } from '../command.ts';
import { readWholeNumber } from '../whole-number.ts';
import { readConfigFor } from './types-option.ts';
import { openContent, type Purpose, readServer } from './with-target.ts';

/** Runs `work` with the target that the call names, and always closes it. */
export async function withHistory<Outcome>(
  call: CommandCall,
  purpose: Purpose,
  work: (target: HistoryTarget) => Promise<Outcome>,
): Promise<Outcome> {
  const config = readConfigFor(call);
  const url = call.option('url');
  const retries = readWholeNumber(call, 'attempts', { fallback: 8, min: 1, max: 100 }) - 1;
  const target =
    url === undefined
      ? createStoreHistory(await openContent(call, { config, purpose }))
      : createHttpHistory({ ...(await readServer(call, { url, config })), retries });
  try {
    return await work(target);
  } finally {
    await target.close();
  }
}
