/**
 * The headers with which files are served: whatever their bytes are, no script in them runs in the name of this server.
 */
import { isShown } from '../../text/media-types.ts';

/** Who may read files: anyone who knows their hash, or API clients and signed-in users. */
export type FilesAccess = 'ANYONE' | 'CLIENT_CREDENTIALS';

/** The header `Cache-Control` of responses with files. */
export const cacheControl: Readonly<Record<FilesAccess, string>> = {
  ANYONE: 'public, max-age=31536000, immutable',
  CLIENT_CREDENTIALS: 'private, max-age=31536000, immutable',
};

/** What a viewer of the browser needs, and nothing that a document could load or run. */
const shownPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; object-src 'self'";

/** A document is saved instead of shown. As a picture, SVG has its own styles and pictures, and never runs scripts. */
const savedPolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";

/** Returns the headers that say how a browser treats the bytes of a media type; `name` is the one to save them under. */
export function toContentHeaders(mediaType: string, name: string): Readonly<Record<string, string>> {
  const shown = isShown(mediaType);
  return {
    'Content-Type': mediaType,
    'Content-Disposition': toDisposition(shown ? 'inline' : 'attachment', name),
    'Content-Security-Policy': shown ? shownPolicy : savedPolicy,
    'X-Content-Type-Options': 'nosniff',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Accept-Ranges, Content-Disposition, Content-Range, ETag, X-Request-Id',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  };
}

/** Formats `Content-Disposition`: a name in ASCII for old readers, and the name in UTF-8 as RFC 8187 has it. */
function toDisposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*!]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"${ascii === name ? '' : `; filename*=UTF-8''${encoded}`}`;
}
