/**
 * Rich text as the editor of the admin UI writes it, so that it opens as text there.
 */

/** A tag or a comment, or the text between them. */
const parts = /<!--[\s\S]*?-->|<[/!]?[A-Za-z](?:"[^"]*"|'[^']*'|[^'">])*>|[^<]+|</g;

/** Rewrites HTML of a renderer: characters stand as they are where they may, and elements without content have no slash. */
export const toEditorHtml = (html: string): string =>
  html.replaceAll(parts, (part) => {
    if (part.startsWith('<!--')) return part;
    if (part.startsWith('<')) return part.replaceAll(apostrophes, "'").replace(/\s*\/>$/, '>');
    return part.replaceAll(apostrophes, "'").replaceAll(/&(quot|#34|#x22);/gi, '"');
  });

const apostrophes = /&(#39|#x27|apos);/gi;

/** Writes a text as the value of an attribute or as text. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
