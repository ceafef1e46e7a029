/**
 * Cleans HTML from the clipboard: what only its program needs goes, such as styles of Word and empty paragraphs, and what a text cannot
 * hold is counted, so that the editor can say so.
 */
import { blockAttribute, inlineAttribute } from '../kept-parts.ts';
import { breakAttribute } from '../source-break.ts';
import { addSpelling, alignmentOf, spellingAttribute } from '../spelling.ts';
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
};

const lostPictures = 'img:not([src^="http:"], [src^="https:"], [src^="/files/"])';

/** Cleans HTML. It is read in a document that is never shown. */
export function cleanPaste(html: string): CleanedPaste {
  const template = document.createElement('template');
  template.innerHTML = html;
  const { content } = template;
  const sentences: string[] = [];
  const drop = (selector: string) => {
    const found = [...content.querySelectorAll(selector)].filter(
      ({ parentElement }) => !parentElement?.closest(selector),
    );
    for (const element of found) element.remove();
    return found.length;
  };
  drop('style, script, meta, link, title, xml, colgroup');
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
  makeWordLists(content);
  for (const element of content.querySelectorAll('*')) {
    // Only texts that the editor opens have these.
    for (const name of [spellingAttribute, breakAttribute, blockAttribute, inlineAttribute]) {
      element.removeAttribute(name);
    }
    if (element.matches('a')) for (const name of ['class', 'target', 'rel']) element.removeAttribute(name);
    if (element.matches('p, h1, h2, h3, h4, h5, h6')) keepAlignment(element);
    if (element.matches('p') && isEmpty(element)) element.remove();
  }
  return { html: template.innerHTML, dropped: sentences.join(' ') };
}

function keepAlignment(element: Element): void {
  const alignment = alignmentOf(element.getAttribute('style') ?? '');
  if (alignment !== 'start') addSpelling(element, { kept: { style: `text-align: ${alignment}` } });
}

/** Word and Google Docs make space with paragraphs that contain only a space. */
const isEmpty = (element: Element) =>
  (element.textContent ?? '').trim() === '' &&
  element.querySelector('img, br') === null &&
  !(element.parentElement?.matches('td, th') && element.parentElement.children.length === 1);
