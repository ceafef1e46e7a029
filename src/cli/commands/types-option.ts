/**
 * The option `--types`, which stands for COLOPHON_TYPES where it is given.
 */
import { type Config, readConfig } from '../../app/config.ts';
import { usage } from '../../base/errors.ts';
import type { CommandCall } from '../command.ts';

/** The configuration, with the content types that a call names. Errors: usage, bad_config. */
export function readConfigFor(call: CommandCall): Config {
  const types = call.option('types');
  if (types === '') throw usage('--types needs a folder');
  return readConfig({ ...process.env, ...(types === undefined ? {} : { COLOPHON_TYPES: types }) });
}
