/**
 * Serves the admin UI: its index at every address of a page, since the pages find their way in the browser, and the files that
 * belong to it.
 *
 * Only files that the build made have an address, so none leads out of their folder. The pages hold no data; what they show comes
 * from the admin API.
 */
import { extname } from 'node:path';
import express, { type Request, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import { methodNotAllowed, routeNotFound } from '../../base/errors.ts';
import { requestPath } from '../request/request-path.ts';
import { codings, indexName, type PageFile, type PageFiles, readPageFiles } from './page-files.ts';

const pagePaths = ['/admin', '/admin/*path', '/_debug/query', '/docs', '/docs/*path'];
const filesPath = '/admin/';

/** Makes what serves the UI that was built into a folder. Until it is there its pages say how to build it. */
export function servePages(folder: string): RequestHandler {
  let files: PageFiles | undefined;
  const router = express.Router({ caseSensitive: true });
  router.get('/', (_request, response) => response.redirect(302, '/admin'));
  router.all(pagePaths, securePage, async (request, response) => {
    if (!['GET', 'HEAD'].includes(request.method)) throw methodNotAllowed(request.method, ['GET', 'HEAD']);
    files ??= readPageFiles(folder);
    if (files) await sendPage(request, response, files);
    else response.status(503).set('Cache-Control', 'no-store').type('html').send(unbuiltPage);
  });
  return router;
}

/** Takes the place of the headers that protect answers that are JSON. */
const securePage = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      // Content has pictures from anywhere.
      imgSrc: ["'self'", 'data:', 'https:', 'http:'],
      fontSrc: ["'self'", 'data:'],
      workerSrc: ["'self'", 'blob:'],
      connectSrc: ["'self'"],
      frameSrc: ["'self'"],
      objectSrc: ["'none'"],
      frameAncestors: ["'none'"],
      baseUri: ["'self'"],
      formAction: ["'self'"],
    },
  },
  referrerPolicy: { policy: 'same-origin' },
  // Every answer has it, or none.
  strictTransportSecurity: false,
  // Browsers complain of these where a page comes by plain http.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  // What they say is said above, or was meant for browsers of old.
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

async function sendPage(request: Request, response: Response, files: PageFiles): Promise<void> {
  const path = requestPath(request);
  const name = path.startsWith(filesPath) ? path.slice(filesPath.length) : indexName;
  const file = files.get(name);
  if (file) return send(request, response, { name, file });
  const index = files.get(indexName);
  if (!index || isAsset(name)) throw routeNotFound(path);
  return send(request, response, { name: indexName, file: index });
}

/** The names of assets are made of what is in them, so these never change. */
const isAsset = (name: string) => name.startsWith('assets/');

async function send(
  request: Request,
  response: Response,
  { name, file }: { name: string; file: PageFile },
): Promise<void> {
  const coding = codings.find((one) => request.acceptsEncodings(one) !== false);
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

const unbuiltPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Colophon</title>
<p>The admin UI has not been built. Build it with <code>npm run build:admin</code>, then load this page again.</p>
</html>
`;
