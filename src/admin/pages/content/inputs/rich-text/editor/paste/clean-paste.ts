/**
 * Cleans HTML from the clipboard: what only its program needs goes, such as styles of Word and empty paragraphs, and what a text cannot
 * hold is counted, so that the editor can say so.
 */
import { readEmbed, writeEmbed } from '../embeds.ts';
import { blockAttribute, inlineAttribute } from '../kept-parts.ts';
import { createElement } from '../mark-spelling.ts';
import { breakAttribute } from '../source-break.ts';
import { addSpelling, alignmentOf, spellingAttribute } from '../spelling.ts';
import { type RemovedReview, removeReview } from './remove-review.ts';
import { nestLists, removeEmptyLines, tidyTables, tidyWebParagraphs } from './tidy-blocks.ts';
import { makeWordLists } from './word-lists.ts';

/** The cleaned HTML, and in words what was dropped, empty when nothing was. */
export interface CleanedPaste {
  readonly html: string;
  readonly dropped: string;
}

/** What a text cannot hold, with its name in words. */
const unreadable: Readonly<Record<string, readonly [one: string, many: string]>> = {
  'iframe, embed, object': ['embedded page', 'embedded pages'],
  'video, audio': ['video or sound', 'videos or sounds'],
  'svg, canvas, math': ['drawing', 'drawings'],
  'input, select, textarea, button': ['control of a form', 'controls of a form'],
  [`[${blockAttribute}=""]`]: ['block of HTML', 'blocks of HTML'],
};

const readable = /^(https?:|\/files\/)/i;

const lostPictures = 'img:not([src^="http:" i], [src^="https:" i], [src^="/files/"])';

/** Links that lead somewhere outside the document that they are copied from. */
const links =
  'a:not([href^="http:" i], [href^="https:" i], [href^="mailto:" i], [href^="tel:" i], [href^="/"])';

/** Cleans HTML. It is read in a document that is never shown. */
export function cleanPaste(html: string): CleanedPaste {
  const template = document.createElement('template');
  template.innerHTML = html;
  const { content } = template;
  const sentences = describeReview(removeReview(content));
  const drop = (selector: string) => {
    const found = [...content.querySelectorAll(selector)].filter(
      ({ parentElement }) => !parentElement?.closest(selector),
    );
    for (const element of found) element.remove();
    return found.length;
  };
  keepEmbeds(content);
  findPictures(content);
  drop('style, script, meta, link, title, xml, colgroup, source');
  const pictures = drop(lostPictures);
  if (pictures > 0) {
    sentences.push(
      `${pictures} ${pictures === 1 ? 'picture' : 'pictures'} could not be read from the clipboard.`,
    );
  }
  for (const [selector, [one, many]] of Object.entries(unreadable)) {
    const count = drop(selector);
    if (count > 0) sentences.push(`${count} ${count === 1 ? `${one} was` : `${many} were`} left out.`);
  }
  const unlinked = unlink(content);
  if (unlinked > 0) {
    sentences.push(
      unlinked === 1
        ? '1 link led to a place in the document or on its computer; its text stays.'
        : `${unlinked} links led to places in the document or on its computer; their texts stay.`,
    );
  }
  for (const space of content.querySelectorAll('.Apple-converted-space')) space.replaceWith(' ');
  tidyWebParagraphs(content);
  makeWordLists(content);
  nestLists(content);
  removeEmptyLines(content);
  for (const element of content.querySelectorAll('*')) cleanAttributes(element);
  tidyTables(content);
  for (const element of content.querySelectorAll('p')) if (isEmpty(element)) element.remove();
  return { html: template.innerHTML, dropped: sentences.join(' ') };
}

function describeReview({ comments, hasDeletions }: RemovedReview): string[] {
  return [
    ...(comments > 0 ? [`${comments} ${comments === 1 ? 'comment was' : 'comments were'} left out.`] : []),
    ...(hasDeletions ? ['Text that tracked changes delete was left out.'] : []),
  ];
}

/** Leaves the embeds of what is pasted as blocks, and empties other blocks that the editor has kept, whose HTML may come from anywhere. */
function keepEmbeds(content: DocumentFragment): void {
  for (const block of content.querySelectorAll(`[${blockAttribute}], figure[data-embed]`)) {
    const embed = readEmbed(block.getAttribute(blockAttribute) ?? block.outerHTML);
    const kept = content.ownerDocument.createElement('div');
    kept.setAttribute(blockAttribute, embed ? writeEmbed(embed) : '');
    if (embed || block.hasAttribute(blockAttribute)) block.replaceWith(kept);
  }
}

/** Gives pictures that a page loads late, or offers in several sizes, an address that can be read. */
function findPictures(content: DocumentFragment): void {
  for (const picture of content.querySelectorAll('img')) {
    if (readable.test(picture.getAttribute('src') ?? '')) continue;
    const sources = [picture, ...(picture.closest('picture')?.querySelectorAll('source') ?? [])];
    const offered = ['data-src', 'srcset', 'data-srcset'].flatMap((name) =>
      sources.map((one) => one.getAttribute(name)?.trim().split(/\s/)[0]?.replace(/,$/, '') ?? ''),
    );
    const found = offered.find((address) => readable.test(address));
    if (found !== undefined) picture.setAttribute('src', found);
  }
}

/** Replaces links that lead nowhere by their text, and marks of footnotes, of Word and LibreOffice, by superscript; counts the links. */
function unlink(content: DocumentFragment): number {
  let count = 0;
  for (const link of content.querySelectorAll(links)) {
    const href = link.getAttribute('href');
    if (/^#(_(ftn|edn)|sd(foot|end)note)/.test(href ?? '')) {
      const mark = createElement(link, 'sup');
      mark.textContent = (link.textContent ?? '').trim();
      link.replaceWith(mark);
      continue;
    }
    if (href !== null) count++;
    link.replaceWith(...link.childNodes);
  }
  return count;
}

function cleanAttributes(element: Element): void {
  // Only texts that the editor opens have these; the blocks that are left are embeds.
  for (const name of [spellingAttribute, breakAttribute, inlineAttribute]) element.removeAttribute(name);
  if (element.matches('a')) {
    for (const name of ['class', 'target', 'rel', 'title']) element.removeAttribute(name);
    // A link is underlined because it is one.
    for (const part of element.querySelectorAll<HTMLElement>('[style]')) {
      part.style.textDecoration = part.style.textDecoration.replace('underline', '');
    }
    for (const line of element.querySelectorAll('u')) line.replaceWith(...line.childNodes);
  }
  if (element.matches('p, h1, h2, h3, h4, h5, h6')) keepDirection(element);
}

/** Keeps the alignment of a paragraph or a heading, and that it is written from right to left. */
function keepDirection(element: Element): void {
  const align = element.getAttribute('align') ?? '';
  const alignment = alignmentOf(element.getAttribute('style') ?? '');
  const shown = alignment === 'start' && align !== '' ? alignmentOf(`text-align: ${align}`) : alignment;
  const kept = {
    ...(element.getAttribute('dir') === 'rtl' ? { dir: 'rtl' } : {}),
    ...(shown === 'start' ? {} : { style: `text-align: ${shown}` }),
  };
  if (Object.keys(kept).length > 0) addSpelling(element, { kept });
}

/** Word and Google Docs make space with paragraphs that contain only a space. */
const isEmpty = (element: Element) =>
  (element.textContent ?? '').trim() === '' &&
  element.querySelector('img, br') === null &&
  !(element.parentElement?.matches('td, th') && element.parentElement.children.length === 1);
