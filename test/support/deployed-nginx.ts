/** The configuration of nginx that `deploy/` has, for servers of a test. */
import { readPage } from './guide.ts';

/** The ports in place of the addresses of `deploy/nginx.conf`. */
export interface DeployedPorts {
  readonly listen: number;
  readonly instances: readonly number[];
}

/** Returns `deploy/nginx.conf`, in which only the addresses are others. */
export function deployedNginx({ listen, instances }: DeployedPorts): string {
  const lines = readPage('deploy/nginx.conf').split('\n');
  const isInstance = (line: string) => /^ +server [\d.]+:4000 /.test(line);
  const first = lines.find(isInstance);
  if (first === undefined || !lines.includes('  listen 80;'))
    throw new Error('deploy/nginx.conf has other addresses');
  const servers = instances.map((port) => first.replace(/[\d.]+:4000/, `127.0.0.1:${port}`));
  return lines
    .flatMap((line) => (line === first ? servers : isInstance(line) ? [] : [line]))
    .join('\n')
    .replace('listen 80;', `listen 127.0.0.1:${listen};`);
}
