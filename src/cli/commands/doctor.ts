/**
 * `colophon doctor`: checks an installation without changing it, and exits with 1 if it finds an error.
 */

import { styleText } from 'node:util';
import type { Level } from '../../app/doctor/finding.ts';
import { examine } from '../../app/doctor/run-checks.ts';
import { checkFailed } from '../../base/errors.ts';
import type { CommandCall } from '../command.ts';
import { printJson, printTable } from '../output.ts';
import { createRuntime } from './command-runtime.ts';

const colors = { ok: 'green', warning: 'yellow', error: 'red' } as const satisfies Record<Level, string>;

/** Runs `colophon doctor`. Errors: check_failed. */
export async function doctor(call: CommandCall): Promise<void> {
  const { settings, findings } = await examine(process.env, createRuntime(call));
  if (call.has('json')) printJson({ settings, findings });
  else {
    if (call.has('settings')) {
      printTable(
        ['setting', 'value', 'source'],
        settings.map(({ name, value, source }) => [name, value, source]),
      );
      console.log();
    }
    for (const { check, level, message } of findings)
      console.log(`${colored(level.padEnd(7), colors[level])}  ${check}: ${message}`);
  }
  const errors = findings.filter(({ level }) => level === 'error').length;
  if (errors > 0) throw checkFailed(errors === 1 ? '1 error' : `${errors} errors`);
}

function colored(text: string, color: 'green' | 'yellow' | 'red'): string {
  // Node.js reads NO_COLOR and FORCE_COLOR, and whether the stream is a terminal.
  return styleText(color, text, { stream: process.stdout });
}
