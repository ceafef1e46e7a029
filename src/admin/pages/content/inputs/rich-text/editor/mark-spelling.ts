/**
 * Prepares the HTML of a text for the editor: moves what the editor has no nodes for, such as white space between blocks, into
 * attributes that its nodes keep. `write-html.ts` undoes this. New elements belong to the document of the text, as one that moves into
 * the page's document loads its pictures and gets its event handlers.
 */
import { inlineAttribute, markKept } from './kept-parts.ts';
import { breakAttribute } from './source-break.ts';
import { addSpelling, type Spelling, spellingAttribute, spellingOf } from './spelling.ts';

/** The tags of inline content. */
const inlineTags = new Set(
  'A B STRONG I EM U S DEL STRIKE CODE BR IMG SPAN SUB SUP SMALL MARK ABBR CITE Q KBD VAR SAMP TIME INS DFN BDI BDO'.split(
    ' ',
  ),
);

const isInline = ({ tagName }: Element) => inlineTags.has(tagName);

const isMark = (element: Element | null) =>
  element !== null && isInline(element) && !/^(BR|IMG)$/.test(element.tagName);

/** How many marks an element is within. */
const depthOf = ({ parentElement: parent }: Element): number =>
  parent && isMark(parent) ? depthOf(parent) + 1 : 0;

/** The attributes that nodes and marks of the editor have. Others are kept with the spelling. */
const knownAttributes: Readonly<Record<string, readonly string[]>> = {
  A: ['href', 'target', 'rel', 'title', 'class'],
  IMG: ['src', 'alt', 'title', 'width', 'height'],
  OL: ['start', 'type'],
  TD: ['colspan', 'rowspan'],
  TH: ['colspan', 'rowspan'],
};

/** The elements whose content is blocks. Other ones contain text, or the editor has no node for them. */
const containerTags = 'ul, ol, li, blockquote, table, thead, tbody, tfoot, tr, td, th';

/** The elements in which a paragraph may have no tags. The text itself is another. */
const bareTags = new Set(['LI', 'BLOCKQUOTE', 'TD', 'TH']);

/** Marks the elements of `root`, which was read from `html`. Returns the spelling of the whole text. */
export function markSpelling(root: DocumentFragment, html: string): Spelling {
  for (const element of root.querySelectorAll('*')) {
    element.removeAttribute(spellingAttribute);
    element.removeAttribute(breakAttribute);
  }
  markKept(root, isInline);
  for (const element of root.querySelectorAll('*')) addSpelling(element, ownSpelling(element));
  const containers = [...root.querySelectorAll(containerTags)];
  const end = markBlocks(root, true);
  for (const container of containers) {
    const rest = markBlocks(container, bareTags.has(container.tagName));
    if (bareTags.has(container.tagName)) beginWithText(container);
    if (rest !== '') addSpelling(container, { end: rest });
  }
  markSections(root, html);
  markBreaks(root);
  return {
    ...(end === '' ? {} : { end }),
    close: findCloses(html),
    ...(html.includes('\u00a0') ? { hasPlainSpaces: true } : {}),
    ...(html.includes('\r\n') ? { lineEnd: '\r\n' } : {}),
  };
}

/** An element without an end tag, with what stands before its `>`. */
const voidTag = /<(area|br|col|embed|hr|img|input|source|track|wbr)\b(?:"[^"]*"|'[^']*'|[^'">])*?(\s*\/?)>/gi;

function findCloses(html: string): Record<string, string> {
  const closes: Record<string, string> = {};
  for (const [, tag = '', close = ''] of html.matchAll(voidTag)) closes[tag.toLowerCase()] ??= close;
  return closes;
}

function ownSpelling(element: Element): Spelling {
  const { tagName, parentElement } = element;
  const isKept = element.hasAttribute(inlineAttribute);
  const attributes = [...element.attributes].filter(({ name }) => !name.startsWith('data-colophon-'));
  const order = attributes.map(({ name }) => name);
  const kept: Record<string, string> = {};
  const known = knownAttributes[isKept ? '' : tagName] ?? [];
  // The class of code in a code block names its language.
  const isCode = tagName === 'CODE' && parentElement?.tagName === 'PRE';
  for (const { name, value } of isCode ? [] : attributes) {
    if (known.includes(name)) continue;
    kept[name] = value;
    element.removeAttribute(name);
  }
  const isNested = isMark(element) && (isMark(parentElement) || [...element.children].some(isMark));
  const isInBare = parentElement !== null && bareTags.has(parentElement.tagName);
  return {
    ...(order.length > 1 ? { order } : {}),
    ...(isNested ? { depth: depthOf(element) } : {}),
    ...(Object.keys(kept).length > 0 ? { kept } : {}),
    ...(isKept || /^(B|I|DEL|STRIKE)$/.test(tagName) ? { tag: tagName.toLowerCase() } : {}),
    ...(tagName === 'P' && isInBare ? { isBare: false } : {}),
  };
}

/**
 * Marks the white space between the blocks of a container, and puts text that stands beside blocks into paragraphs where
 * `isBareAllowed`. Returns the white space at the end.
 */
function markBlocks(container: ParentNode & Node, isBareAllowed: boolean): string {
  let space = '';
  for (const part of toParts(container)) {
    if (part instanceof Element) {
      addSpelling(part, space === '' ? {} : { before: space });
      space = '';
    } else {
      space += cutSpace(part[0], /^[ \t\n\f\r]+/);
      const isEmpty = part.every((node) => node.nodeType === Node.TEXT_NODE && node.textContent === '');
      if (isEmpty || !isBareAllowed) continue;
      const after = cutSpace(part.at(-1), /[ \t\n\f\r]+$/);
      const paragraph = createElement(container, 'p');
      part[0]?.before(paragraph);
      paragraph.append(...part);
      addSpelling(paragraph, { isBare: true, ...(space === '' ? {} : { before: space }) });
      space = after;
    }
  }
  return space;
}

/** Gives a list item or a quotation a text to begin with, as the editor needs one; without content it is not written. */
function beginWithText(container: Element): void {
  const { firstElementChild: first, tagName } = container;
  if (first && (first.tagName === 'P' || tagName !== 'LI')) return;
  const paragraph = createElement(container, 'p');
  addSpelling(paragraph, { isBare: true });
  container.prepend(paragraph);
}

/** The blocks of a container, and the runs of text and inline elements between them. Comments are left out. */
function toParts(container: Node): (Element | ChildNode[])[] {
  const parts: (Element | ChildNode[])[] = [];
  for (const node of container.childNodes) {
    const isElement = node instanceof Element;
    if (isElement && !inlineTags.has(node.tagName)) parts.push(node);
    else if (isElement || node.nodeType === Node.TEXT_NODE) {
      const last = parts.at(-1);
      if (Array.isArray(last)) last.push(node);
      else parts.push([node]);
    }
  }
  return parts;
}

/** Takes the white space at one end from a text. */
function cutSpace(node: ChildNode | undefined, space: RegExp): string {
  if (node?.nodeType !== Node.TEXT_NODE) return '';
  const text = node.textContent ?? '';
  const [found = ''] = space.exec(text) ?? [];
  node.textContent = text.replace(space, '');
  return found;
}

/** Tells the rows of tables which section they are in, as the editor has no nodes for sections. */
function markSections(root: DocumentFragment, html: string): void {
  const isBare = !/<tbody/i.test(html);
  let index = 0;
  for (const section of root.querySelectorAll('thead, tbody, tfoot')) {
    index++;
    const name = section.localName;
    const bare = name === 'tbody' && isBare ? { isBare } : {};
    for (const row of section.children)
      addSpelling(row, { section: { ...spellingOf(section), ...bare, name, index } });
  }
}

/** Puts each line break within a paragraph into an element, as the editor shows it as a space. */
function markBreaks(root: DocumentFragment): void {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (text instanceof Text && text.data.includes('\n') && !text.parentElement?.closest('pre')) {
      found.push(text);
    }
  }
  for (const text of found) {
    const pieces = text.data.split(/([ \t]*\n[ \t\n\f]*)/);
    text.replaceWith(...pieces.map((piece, index) => (index % 2 === 0 ? piece : toBreak(text, piece))));
  }
}

function toBreak(place: Node, text: string): Element {
  const element = createElement(place, 'span');
  element.setAttribute(breakAttribute, text);
  return element;
}

/** Creates an element in the document of `place`. */
export function createElement(
  { ownerDocument }: Node,
  tag: 'p' | 'span' | 'li' | 'ul' | 'ol' | 'th' | 'sup' | `h${1 | 2 | 3 | 4 | 5 | 6}`,
): Element {
  if (!ownerDocument) throw new Error('A node of a text has no document');
  return ownerDocument.createElement(tag);
}
