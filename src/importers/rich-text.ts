/**
 * Rich text as the editor of the admin UI writes it, so that it opens as text there.
 */

/** A tag or a comment, or the text between them. */
const parts = /<!--[\s\S]*?-->|<[/!]?[A-Za-z](?:"[^"]*"|'[^']*'|[^'">])*>|[^<]+|</g;

/** Rewrites HTML of a renderer: characters stand as they are where they may, and elements without content have no slash. */
export const toEditorHtml = (html: string): string =>
  html.replaceAll(parts, (part) => {
    if (part.startsWith('<!--')) return part;
    const plain = part.replaceAll('\u00a0', '&nbsp;').replaceAll(apostrophes, "'");
    if (part.startsWith('<')) return plain.replace(/\s*\/>$/, '>');
    return plain.replaceAll(/&(quot|#34|#x22);/gi, '"').replaceAll(entities, toCharacter);
  });

/** Entities of characters that are no signs of HTML. */
const entities = /&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi;

const named = new Map(
  Object.entries({
    ...{ mdash: '—', ndash: '–', hellip: '…', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”' },
    ...{ laquo: '«', raquo: '»', copy: '©', reg: '®', trade: '™', times: '×', middot: '·', bull: '•' },
  }),
);

function toCharacter(entity: string, decimal?: string, hex?: string, name = ''): string {
  const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16);
  // Windows and control characters, signs of HTML and no-break spaces stay entities.
  const isPlain = (code > 0xa0 && code < 0xd800) || code === 0x25;
  return isPlain ? String.fromCodePoint(code) : (named.get(name) ?? entity);
}

const apostrophes = /&(#39|#x27|apos);/gi;

/** Writes a text as the value of an attribute or as text. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
