/**
 * The headers that protect pages, in place of those that protect JSON.
 */
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * Creates the handler that sets the headers. Scripts run only from files of this server, and those inline scripts whose hashes
 * are given, each as `sha256-…`.
 */
export function securePages(scriptHashes: readonly string[] = []): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...scriptHashes.map((hash) => `'${hash}'`)],
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
