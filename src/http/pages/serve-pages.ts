/**
 * Serves the guide and the admin UI. Every address of a page of the admin UI returns the index, because routing happens in the browser.
 *
 * Only files of the build have an address, so no address leads out of their folder. The files contain no data; pages get their data
 * from the admin API.
 */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlibConstants } from 'node:zlib';
import express, { type Request, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import { methodNotAllowed, routeNotFound } from '../../base/errors.ts';
import { queryText, requestPath } from '../request/request-head.ts';
import { type Coding, chooseCoding } from '../response/send-response.ts';

const pagePaths = ['/admin', '/admin/*path', '/docs', '/docs/*path'];

/** The former address of the page of predicates. */
const formerPredicates = '/_debug/query';
const filesPath = '/admin/';

/** The folders of the built pages, and the path of the public URL, below which callers see them. */
interface PageOptions {
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

// Serves the guide that VitePress built from docs/, at /docs/guide.
//
// Only files of the build have an address. VitePress writes inline scripts into its pages; the content security policy
// allows exactly these, by their hashes.

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
function serveGuide(folder: string, basePath: string): RequestHandler {
  let guide: Guide | undefined;
  const router = express.Router({ caseSensitive: true });
  router.all([guidePath, `${guidePath}/*path`], (request, response, next) => {
    if (!['GET', 'HEAD'].includes(request.method)) throw methodNotAllowed(request.method, ['GET', 'HEAD']);
    guide ??= readGuide(folder, basePath);
    if (!guide) {
      response.status(404).set('Cache-Control', 'no-store').type('html').send(unbuiltGuide);
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

const unbuiltGuide = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Colophon</title>
<p>The guide has not been built. Build it with <code>npm run docs:build</code>, then load this page again.</p>
</html>
`;

// The files of built pages, in memory. They are read together, so that a page never loads files of another build. Each file is
// compressed once, when it is first requested. The builds leave a placeholder where the path of the public URL belongs.

interface PageFile {
  readonly bytes: Buffer;
  /** Compresses the bytes; returns `undefined` for file types that compression does not make smaller. */
  compress(coding: Coding): Promise<Buffer> | undefined;
}

/** The files by their paths below the folder, such as `assets/index.js`. */
type PageFiles = ReadonlyMap<string, PageFile>;

/** The file name of the main page of a folder. */
const indexName = 'index.html';

/** The placeholder in built files; src/admin/vite.config.ts and docs/.vitepress/config.ts begin their `base` with it. */
const placeholder = '/__base__';

/**
 * Reads a folder and its subfolders, and puts `basePath` in place of the placeholder. Returns `undefined` unless the folder contains
 * an index.
 */
function readPageFiles(folder: string, basePath: string): PageFiles | undefined {
  if (!existsSync(join(folder, indexName))) return undefined;
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(
    paths.map((path) => [relative(folder, path).replaceAll(sep, '/'), readPageFile(path, basePath)]),
  );
}

/** The extensions of files that compression makes smaller; pictures and most fonts are already compressed. */
const compressible = ['.css', '.html', '.js', '.json', '.map', '.svg', '.ttf', '.txt', '.wasm'];

function readPageFile(path: string, basePath: string): PageFile {
  const built = readFileSync(path);
  const bytes = built.includes(placeholder)
    ? Buffer.from(built.toString().replaceAll(placeholder, basePath))
    : built;
  const compressed = new Map<Coding, Promise<Buffer>>();
  return {
    bytes,
    compress(coding) {
      if (!compressible.includes(extname(path))) return undefined;
      const known = compressed.get(coding) ?? compressors[coding](bytes);
      compressed.set(coding, known);
      return known;
    },
  };
}

const [toBrotli, toGzip] = [promisify(brotliCompress), promisify(gzip)];

const compressors: Readonly<Record<Coding, (bytes: Buffer) => Promise<Buffer>>> = {
  // The highest quality would save another tenth, but take thirty times as long.
  br: (bytes) => toBrotli(bytes, { params: { [zlibConstants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes) => toGzip(bytes),
};

/** Sends a file with its content type. */
async function sendPageFile(
  request: Request,
  response: Response,
  { name, file }: { name: string; file: PageFile },
): Promise<void> {
  const coding = chooseCoding(request.headers['accept-encoding']?.toString());
  const compressed = coding && (await file.compress(coding));
  const body = compressed ?? file.bytes;
  response.type(extname(name)).set({
    'Cache-Control': isAsset(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
    'Content-Length': String(body.length),
    Vary: 'Accept-Encoding',
    ...(coding && compressed ? { 'Content-Encoding': coding } : {}),
  });
  response.end(body);
}

/** Tells whether a name contains a hash of the content, so that the file never changes. */
const isAsset = (name: string) => name.startsWith('assets/');

/**
 * Creates the handler that sets the headers. Browsers run only scripts from files of this server, and the inline scripts whose hashes
 * are given, each as `sha256-…`. Frames show pages of this server, and of the origins that `frameOrigins` returns.
 */
function securePages(
  scriptHashes: readonly string[] = [],
  frameOrigins: () => readonly string[] = () => [],
): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...scriptHashes.map((hash) => `'${hash}'`)],
        styleSrc: ["'self'", "'unsafe-inline'"],
        // Content can contain pictures from any server.
        imgSrc: ["'self'", 'data:', 'https:', 'http:'],
        fontSrc: ["'self'", 'data:'],
        workerSrc: ["'self'", 'blob:'],
        connectSrc: ["'self'"],
        frameSrc: [() => ["'self'", ...frameOrigins()].join(' ')],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
      },
    },
    referrerPolicy: { policy: 'same-origin' },
    // createApp sets it on every response or on none.
    strictTransportSecurity: false,
    // Browsers report these as errors on pages served by plain http.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    // The policy above covers these, or only outdated browsers read them.
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
}

/** Returns the hashes of all inline scripts of the pages, as a content security policy names them. */
function hashInlineScripts(files: PageFiles): string[] {
  const pages = [...files]
    .filter(([name]) => name.endsWith('.html'))
    .map(([, { bytes }]) => bytes.toString());
  const scripts = pages.flatMap((page) => [
    ...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs),
  ]);
  const hashes = scripts.map(([, script = '']) => createHash('sha256').update(script).digest('base64'));
  return [...new Set(hashes)].map((hash) => `sha256-${hash}`);
}
