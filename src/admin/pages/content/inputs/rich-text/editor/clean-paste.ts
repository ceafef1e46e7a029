/**
 * Cleans what is pasted from Word, Google Docs and web pages, before the editor reads what it has nodes for.
 */
import { breakAttribute } from './source-break.ts';
import { spellingAttribute } from './spelling.ts';
import { makeWordLists } from './word-lists.ts';

/** Returns the HTML without what only its program needs: styles of Word, bullets as text, empty paragraphs, local pictures. */
export function cleanPaste(html: string): string {
  const template = document.createElement('template');
  template.innerHTML = html;
  const { content } = template;
  makeWordLists(content);
  for (const element of content.querySelectorAll('*')) {
    // Only texts that the editor opens have a spelling.
    for (const name of [spellingAttribute, breakAttribute]) element.removeAttribute(name);
    if (element.matches('a')) for (const name of ['class', 'target', 'rel']) element.removeAttribute(name);
    if (isUnwanted(element)) element.remove();
  }
  return template.innerHTML;
}

function isUnwanted(element: Element): boolean {
  if (element.matches('p')) return isEmpty(element);
  return element.matches('style, script, meta, link, title, xml, img:not([src^="http:"], [src^="https:"])');
}

/** Word and Google Docs make space with paragraphs that contain only a space. */
const isEmpty = (element: Element) =>
  (element.textContent ?? '').trim() === '' && element.querySelector('img, br') === null;
