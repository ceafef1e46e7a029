/**
 * Puts lists, tables and lines from the clipboard into the form that a text has.
 */
import { createElement } from '../mark-spelling.ts';
import { addSpelling, alignmentOf } from '../spelling.ts';

/** Puts lists that stand between the items of another, as those of Google Docs do, into the item before them. */
export function nestLists(root: DocumentFragment): void {
  for (const list of root.querySelectorAll(':is(ul, ol) > :is(ul, ol)')) {
    const before = list.previousElementSibling;
    if (before?.matches('li')) before.append(list);
    else {
      const item = createElement(list, 'li');
      list.before(item);
      item.append(list);
    }
  }
}

/** Makes headings of the paragraphs that are headings for Word for the web, and removes the space at the end of its paragraphs. */
export function tidyWebParagraphs(root: DocumentFragment): void {
  for (const end of root.querySelectorAll('span.EOP[data-ccp-props], .ListMarkerWrappingSpan')) end.remove();
  for (const paragraph of root.querySelectorAll('p[role="heading"]')) {
    const level = Number(paragraph.getAttribute('aria-level'));
    if (!isHeadingLevel(level)) continue;
    const heading = createElement(paragraph, `h${level}`);
    for (const name of ['style', 'dir', 'align']) {
      const value = paragraph.getAttribute(name);
      if (value !== null) heading.setAttribute(name, value);
    }
    heading.append(...paragraph.childNodes);
    paragraph.replaceWith(heading);
  }
}

const isHeadingLevel = (level: number): level is 1 | 2 | 3 | 4 | 5 | 6 => [1, 2, 3, 4, 5, 6].includes(level);

const blocks =
  'address, article, aside, blockquote, div, dl, figure, h1, h2, h3, h4, h5, h6, hr, li, ol, p, pre, section, table, ul';

/** Removes line breaks that only make space between blocks, or end one. */
export function removeEmptyLines(root: DocumentFragment): void {
  for (const line of root.querySelectorAll('br')) {
    const before = besideOf(line, 'previousSibling');
    const after = besideOf(line, 'nextSibling');
    const isBlock = (node: Node | null) => node instanceof Element && node.matches(blocks);
    const isLast =
      after === null && line.parentElement?.matches('p, div, li, td, th, h1, h2, h3, h4, h5, h6');
    if (isBlock(after) || isBlock(before) || isLast || line.matches('.Apple-interchange-newline'))
      line.remove();
  }
}

/** The next sibling that is more than white space. */
function besideOf(node: Node, way: 'previousSibling' | 'nextSibling'): Node | null {
  let next = node[way];
  while (next && !(next instanceof Element) && (next.textContent?.trim() === '' || next instanceof Comment)) {
    next = next[way];
  }
  return next;
}

/** Makes the cells of a head header cells, moves captions before their tables, and keeps how cells are aligned. */
export function tidyTables(root: DocumentFragment): void {
  for (const caption of root.querySelectorAll('table > caption')) {
    const paragraph = createElement(caption, 'p');
    paragraph.append(...caption.childNodes);
    caption.parentElement?.before(paragraph);
    caption.remove();
  }
  for (const cell of root.querySelectorAll('thead > tr > td')) {
    const header = createElement(cell, 'th');
    for (const { name, value } of cell.attributes) header.setAttribute(name, value);
    header.append(...cell.childNodes);
    cell.replaceWith(header);
  }
  for (const cell of root.querySelectorAll('td, th')) alignCell(cell);
}

/** Aligns the paragraphs of a cell that is aligned, as cells of spreadsheets are. */
function alignCell(cell: Element): void {
  const style = cell.getAttribute('style') ?? '';
  const attribute = cell.getAttribute('align');
  const alignment = alignmentOf(
    /text-align/.test(style) || attribute === null ? style : `text-align: ${attribute}`,
  );
  if (alignment === 'start' || (cell.textContent ?? '').trim() === '') return;
  if (!cell.querySelector(blocks)) {
    const paragraph = createElement(cell, 'p');
    paragraph.append(...cell.childNodes);
    cell.append(paragraph);
  }
  for (const paragraph of cell.querySelectorAll(':scope > p')) {
    if (!/text-align/.test(paragraph.getAttribute('style') ?? ''))
      addSpelling(paragraph, { kept: { style: `text-align: ${alignment}` } });
  }
}
