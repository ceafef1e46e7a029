/**
 * A copy of the checkout without build output; it shares the installed packages with the original.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.ts';

/** Copies all files except ignored ones into a new folder. */
export function copyCheckout(folder: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: packageRoot,
    encoding: 'utf8',
  });
  const paths = listed.split('\0').filter((path) => path !== '' && existsSync(join(packageRoot, path)));
  for (const path of paths) cpSync(join(packageRoot, path), join(folder, path));
  linkPackages(realpathSync(join(packageRoot, 'node_modules')), join(folder, 'node_modules'));
}

/** Links to each installed package; packages of this repository are linked to their folders in the copy. */
function linkPackages(packages: string, folder: string): void {
  mkdirSync(folder);
  for (const name of readdirSync(packages)) {
    const path = join(packages, name);
    if (name === '@colophon') linkPackages(path, join(folder, name));
    else symlinkSync(lstatSync(path).isSymbolicLink() ? readlinkSync(path) : path, join(folder, name));
  }
}
