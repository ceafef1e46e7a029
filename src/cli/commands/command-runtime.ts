/**
 * What a command runs with that works on a store directly: no log, the clock of the machine, and itself as the origin of its writes.
 */
import type { Runtime } from '../../app/compose/runtime.ts';
import { createRequestOrigins } from '../../base/request-origin.ts';
import { randomIds, silentLogger, systemClock } from '../../base/runtime.ts';
import type { CommandCall } from '../command.ts';

/** Creates the runtime of a call, which attributes its writes to the command. */
export const createRuntime = ({ command }: CommandCall): Runtime => ({
  logger: silentLogger,
  clock: systemClock,
  ids: randomIds,
  origins: createRequestOrigins({ by: { kind: 'command', name: command } }),
});
