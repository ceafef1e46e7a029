/**
 * `colophon verify`: checks the configured store, and says what is wrong with it.
 */
import { type Verified, verify as verifyStore } from '../../../app/compose/compose-verify.ts';
import { readConfig } from '../../../app/config/config.ts';
import { checkFailed } from '../../../base/errors.ts';
import { systemClock } from '../../../base/runtime.ts';
import { grouped, showProgress } from '../../../transfer/progress.ts';
import type { CommandCall } from '../../command.ts';
import { printJson, progressScreen } from '../../output.ts';

export async function verify(call: CommandCall): Promise<void> {
  const display = showProgress({ screen: progressScreen(), clock: systemClock });
  const verified = await verifyStore(readConfig(process.env), {
    isRepairing: call.has('repair'),
    begin: (part) => display.begin(`checking ${part === 'database' ? 'the database' : `the ${part}`}`),
    progress: (lines) => display.update({ lines, done: lines }),
  }).finally(display.end);
  const faults = verified.findings.filter(({ isFault }) => isFault);
  if (call.has('json')) printJson({ isSound: faults.length === 0, ...verified });
  else print(verified);
  if (faults.length === 0) return;
  throw checkFailed(
    call.has('repair')
      ? 'The store is damaged, and a repair does not help. `colophon backup create` saves what can be read; or restore a backup'
      : 'The store is damaged. `colophon verify --repair` repairs indexes, words and totals; for anything else, `colophon backup create` saves what can be read, or restore a backup',
  );
}

function print({ checked, findings }: Verified): void {
  for (const finding of findings) console.log(describe(finding));
  if (checked === undefined) return;
  const { assets, entries } = checked;
  const faults = findings.filter(({ isFault }) => isFault).length;
  console.log(
    `checked ${grouped(assets)} assets and ${grouped(entries)} changes: ${faults === 0 ? 'no damage' : `${faults} kinds of damage`}`,
  );
}

function describe({ part, isFault, message, count, ids }: Verified['findings'][number]): string {
  const times = count > 1 ? `, ${grouped(count)} times` : '';
  const where = ids.length > 0 ? ` (${ids.join(', ')}${count > ids.length ? ', …' : ''})` : '';
  return `${isFault ? 'damage' : 'notice'} in ${part}: ${message}${times}${where}`;
}
