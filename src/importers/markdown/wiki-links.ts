/**
 * Markdown with wiki links and embeds: `[[Page|text]]` becomes an element with `data-page`, and `![[picture.png]]` a picture.
 */

import { escapeText } from '../rich-text.ts';
import { isMediaName } from './local-files.ts';
import { createMarkdown } from './render-markdown.ts';

const wikiLink = /^(!?)\[\[([^\]|\n]+)(?:\|([^\]\n]*))?\]\]/;

/** Renders Markdown as HTML. */
export const renderMarkdown = createMarkdown({
  extensions: [
    {
      name: 'wikiLink',
      level: 'inline',
      start: (text) => text.search(/!?\[\[/),
      tokenizer: (text) => {
        const found = wikiLink.exec(text);
        return found ? { type: 'wikiLink', raw: found[0] } : undefined;
      },
      renderer: ({ raw }) => toElement(raw),
    },
  ],
});

function toElement(link: string): string {
  const [, mark, target = '', label] = wikiLink.exec(link) ?? [];
  const [to, shown] = [escapeText(target), escapeText(label ?? target)];
  if (mark === '') return `<a data-page="${to}">${shown}</a>`;
  if (!isMediaName(target)) return `<span data-embed-page="${to}">${shown}</span>`;
  // A number in place of a text is the width.
  const [, width, height] = /^(\d+)(?:x(\d+))?$/.exec(label ?? '') ?? [];
  if (width === undefined) return `<img src="${to}" alt="${shown}">`;
  return `<img src="${to}" alt="${to}" width="${width}"${height === undefined ? '' : ` height="${height}"`}>`;
}
