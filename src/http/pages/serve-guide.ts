/**
 * Serves the guide that VitePress built from docs/, at /docs/guide.
 *
 * Only files of the build have an address. VitePress writes inline scripts into its pages; the content security policy
 * allows exactly these, by their hashes.
 */
import express, { type Request, type RequestHandler, type Response } from 'express';
import { methodNotAllowed, routeNotFound } from '../../base/errors.ts';
import { requestPath } from '../request/request-path.ts';
import { hashInlineScripts } from './inline-scripts.ts';
import { indexName, type PageFiles, readPageFiles } from './page-files.ts';
import { securePages } from './page-security.ts';
import { isAsset, sendPageFile } from './send-page-file.ts';

/** The path of the guide, which is also in the `base` of docs/.vitepress/config.ts. */
const guidePath = '/docs/guide';
const notFoundName = '404.html';

/** The files of the guide, and the handler that sets the headers of its pages. */
interface Guide {
  readonly files: PageFiles;
  readonly secure: RequestHandler;
}

/**
 * Creates the handler for a guide that was built into a folder, below the path of the public URL. While the folder is missing, the
 * response says how to build it.
 */
export function serveGuide(folder: string, basePath: string): RequestHandler {
  let guide: Guide | undefined;
  const router = express.Router({ caseSensitive: true });
  router.all([guidePath, `${guidePath}/*path`], (request, response, next) => {
    if (!['GET', 'HEAD'].includes(request.method)) throw methodNotAllowed(request.method, ['GET', 'HEAD']);
    guide ??= readGuide(folder, basePath);
    if (!guide) {
      response.status(404).set('Cache-Control', 'no-store').type('html').send(unbuiltPage);
      return;
    }
    const { files, secure } = guide;
    secure(request, response, () => sendGuidePage(request, response, { files, basePath }).catch(next));
  });
  return router;
}

function readGuide(folder: string, basePath: string): Guide | undefined {
  const files = readPageFiles(folder, basePath);
  return files && { files, secure: securePages(hashInlineScripts(files)) };
}

async function sendGuidePage(
  request: Request,
  response: Response,
  { files, basePath }: { files: PageFiles; basePath: string },
): Promise<void> {
  const path = requestPath(request).slice(guidePath.length);
  const name = path.slice(1);
  const found = findName(files, name);
  if (path === '' || (found === undefined && files.has(`${name}/${indexName}`))) {
    response.redirect(302, `${basePath}${guidePath}${path}/`);
    return;
  }
  const shown = found ?? notFoundName;
  const file = files.get(shown);
  if (!file || (!found && isAsset(name))) throw routeNotFound(requestPath(request));
  response.status(found ? 200 : 404);
  await sendPageFile(request, response, { name: shown, file });
}

/** Finds the file for a path in the guide: addresses of pages have no `.html`, those of folders end with a slash. */
function findName(files: PageFiles, name: string): string | undefined {
  if (name === '' || name.endsWith('/')) return files.has(name + indexName) ? name + indexName : undefined;
  return [name, `${name}.html`].find((candidate) => files.has(candidate));
}

const unbuiltPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Colophon</title>
<p>The guide has not been built. Build it with <code>npm run docs:build</code>, then load this page again.</p>
</html>
`;
