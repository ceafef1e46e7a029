/**
 * Reads the file `.env` of the folder in which a command runs. Variables that are set already win.
 */
import { readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { usage } from '../base/errors.ts';
import { systemReason } from '../base/system-error.ts';

const envFile = '.env';

/** Sets the variables of the file that are not set. Returns the names of those for Colophon. Errors: usage. */
export function readEnvFile(): string[] {
  const names: string[] = [];
  for (const [name, value] of Object.entries(parseEnv(readText()))) {
    if (process.env[name] !== undefined) continue;
    process.env[name] = value;
    if (name.startsWith('COLOPHON_')) names.push(name);
  }
  return names;
}

function readText(): string {
  try {
    // Some tools have a folder of this name.
    if (statSync(envFile, { throwIfNoEntry: false })?.isFile() !== true) return '';
    return readFileSync(envFile, 'utf8');
  } catch (error) {
    throw usage(`${envFile} ${systemReason(error) ?? `cannot be read: ${String(error)}`}`);
  }
}
