/**
 * A local npm registry that serves one package and redirects requests for other packages to another registry.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A listening registry. */
export interface Registry {
  readonly url: string;
  close(): void;
}

/** Serves a tarball as the latest version of its package; `manifest` is its `package.json`, `others` the other registry. */
export async function startRegistry({
  manifest,
  tarball,
  others,
}: {
  manifest: { readonly name: string; readonly version: string };
  tarball: string;
  others: string;
}): Promise<Registry> {
  const { name, version } = manifest;
  const bytes = readFileSync(tarball);
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (path === `/${name}`) {
      const dist = { tarball: `${url}/${name}/-/${name}-${version}.tgz`, integrity };
      response.setHeader('Content-Type', 'application/json');
      response.end(
        JSON.stringify({
          name,
          'dist-tags': { latest: version },
          versions: { [version]: { ...manifest, dist } },
        }),
      );
    } else if (path.startsWith(`/${name}/-/`)) response.end(bytes);
    else response.writeHead(302, { Location: new URL(path.slice(1), others).href }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address of this kind.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => server.close() };
}
