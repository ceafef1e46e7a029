/**
 * `colophon clock accept`: makes the store take the present time, after its clock was far beyond the last time that it had seen.
 */
import { acceptTime } from '../../../app/compose/accept-time.ts';
import { readConfig } from '../../../app/config/config.ts';
import type { CommandCall } from '../../command.ts';
import { createRuntime } from '../command-runtime.ts';

export async function acceptClock(call: CommandCall): Promise<void> {
  const { former, accepted } = await acceptTime(readConfig(process.env), createRuntime(call));
  const seen = former === undefined ? 'no time before' : toText(former);
  console.log(`accepted ${toText(accepted)}; the store had seen ${seen}`);
}

const toText = (ms: number) => new Date(ms).toISOString();
