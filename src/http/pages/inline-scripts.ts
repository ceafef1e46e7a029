/**
 * The inline scripts of built pages, which the content security policy allows by their hashes.
 */
import { createHash } from 'node:crypto';
import type { PageFiles } from './page-files.ts';

/** Returns the hashes of all inline scripts of the pages, as a content security policy names them. */
export function hashInlineScripts(files: PageFiles): string[] {
  const pages = [...files]
    .filter(([name]) => name.endsWith('.html'))
    .map(([, { bytes }]) => bytes.toString());
  const scripts = pages.flatMap((page) => [
    ...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs),
  ]);
  const hashes = scripts.map(([, script = '']) => createHash('sha256').update(script).digest('base64'));
  return [...new Set(hashes)].map((hash) => `sha256-${hash}`);
}
