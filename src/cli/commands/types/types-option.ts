/**
 * The option `--types`, which stands for COLOPHON_TYPES where it is given, and the content types that a call works with.
 */
import { type ChosenTypes, chooseTypes, describeDifferences } from '../../../app/chosen-types.ts';
import { type Config, readConfig } from '../../../app/config/config.ts';
import { checkFailed, usage } from '../../../base/errors.ts';
import { getType } from '../../../model/catalog.ts';
import type { Catalog } from '../../../model/content-type.ts';
import type { CommandCall } from '../../command.ts';

/** The configuration, with the content types that a call names. Errors: usage, bad_config. */
export function readConfigFor(call: CommandCall): Config {
  const types = call.option('types');
  if (types === '') throw usage('--types needs a folder');
  return readConfig({ ...process.env, ...(types === undefined ? {} : { COLOPHON_TYPES: types }) });
}

/** The content types of a call; says so where it uses others than those of a given folder. Errors: bad_types, bad_config, those of the store. */
export async function chooseTypesFor(config: Config, { isCompared = false } = {}): Promise<ChosenTypes> {
  const chosen = await chooseTypes(config, { isCompared });
  if (chosen.notice !== undefined) console.error(`colophon: ${chosen.notice}`);
  return chosen;
}

/** Errors: check_failed, with how they differ, when a command that writes has other types than the store was last served with. */
export function assertSame(chosen: ChosenTypes): void {
  if (chosen.differences.length === 0) return;
  throw checkFailed(
    `${describeDifferences(chosen)}\nNothing is written. Serve the store with these types first, or leave out --types and COLOPHON_TYPES`,
  );
}

/** The type of this class name or type ID. Errors: unknown_type. */
export const getNamedType = (catalog: Catalog, name: string) => getType(catalog, name, 'class');
