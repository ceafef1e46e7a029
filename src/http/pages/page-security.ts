/**
 * The security headers of pages, which replace those of JSON responses.
 */
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * Creates the handler that sets the headers. Browsers run only scripts from files of this server, and the inline scripts whose hashes
 * are given, each as `sha256-…`. Frames show pages of this server, and of the origins that `frameOrigins` returns.
 */
export function securePages(
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
