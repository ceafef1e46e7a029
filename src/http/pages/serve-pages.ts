/**
 * Serves the guide and the admin UI. Every address of a page of the admin UI returns the index, because routing happens in the browser.
 *
 * Only files of the build have an address, so no address leads out of their folder. The files contain no data; pages get their data
 * from the admin API.
 */
import express, { type Request, type RequestHandler, type Response } from 'express';
import { methodNotAllowed, routeNotFound } from '../../base/errors.ts';
import { queryText, requestPath } from '../request/request-path.ts';
import { hashInlineScripts } from './inline-scripts.ts';
import { indexName, type PageFiles, readPageFiles } from './page-files.ts';
import { securePages } from './page-security.ts';
import { isAsset, sendPageFile } from './send-page-file.ts';
import { serveGuide } from './serve-guide.ts';

const pagePaths = ['/admin', '/admin/*path', '/docs', '/docs/*path'];

/** The former address of the page of predicates. */
const formerPredicates = '/_debug/query';
const filesPath = '/admin/';

/** The folders of the built pages, and the path of the public URL, below which callers see them. */
export interface PageOptions {
  readonly admin: string;
  readonly guide: string;
  readonly basePath?: string;
  /** Returns the origins of the sites that the admin UI shows in frames. */
  readonly frameOrigins?: (() => readonly string[]) | undefined;
}

/** Creates the handler for the admin UI and the guide. While a folder is missing, the response says how to build it. */
export function servePages({ admin, guide, basePath = '', frameOrigins }: PageOptions): RequestHandler {
  let pages: BuiltPages | undefined;
  const router = express.Router({ caseSensitive: true });
  router.get('/', (_request, response) => response.redirect(302, `${basePath}/admin`));
  router.all(formerPredicates, (request, response) => {
    assertRead(request);
    const query = queryText(request);
    response.redirect(302, `${basePath}/admin/predicates${query === '' ? '' : `?${query}`}`);
  });
  router.use(serveGuide(guide, basePath));
  router.all(pagePaths, (request, response, next) => {
    assertRead(request);
    pages ??= readPages(admin, { basePath, frameOrigins });
    const { files, secure } = pages ?? unbuilt;
    secure(request, response, () => {
      if (files) sendPage(request, response, files).catch(next);
      else response.status(503).set('Cache-Control', 'no-store').type('html').send(unbuiltPage);
    });
  });
  return router;
}

/** Errors: method_not_allowed. */
function assertRead({ method }: Request): void {
  if (!['GET', 'HEAD'].includes(method)) throw methodNotAllowed(method, ['GET', 'HEAD']);
}

/** The files of the admin UI, and the handler that sets the headers of its pages. */
interface BuiltPages {
  readonly files: PageFiles | undefined;
  readonly secure: RequestHandler;
}

const unbuilt: BuiltPages = { files: undefined, secure: securePages() };

function readPages(
  folder: string,
  { basePath = '', frameOrigins }: Pick<PageOptions, 'basePath' | 'frameOrigins'>,
): BuiltPages | undefined {
  const files = readPageFiles(folder, basePath);
  return files && { files, secure: securePages(hashInlineScripts(files), frameOrigins) };
}

async function sendPage(request: Request, response: Response, files: PageFiles): Promise<void> {
  const path = requestPath(request);
  const name = path.startsWith(filesPath) ? path.slice(filesPath.length) : indexName;
  const file = files.get(name);
  if (file) return sendPageFile(request, response, { name, file });
  const index = files.get(indexName);
  if (!index || isAsset(name)) throw routeNotFound(path);
  return sendPageFile(request, response, { name: indexName, file: index });
}

const unbuiltPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Colophon</title>
<p>The admin UI has not been built. Build it with <code>npm run build:admin</code>, then load this page again.</p>
</html>
`;
