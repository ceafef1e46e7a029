/**
 * Makes lists of the list items that Word puts on the clipboard: paragraphs that have their level in a style, and their bullet or
 * number as text. Word for the web puts each item into a list without others, and the level into an attribute.
 */

import { createElement } from '../mark-spelling.ts';

/** Replaces the items below `root` by lists. */
export function makeWordLists(root: DocumentFragment): void {
  /** The lists that are open, from the outermost on. */
  let open: Element[] = [];
  let former: Element | undefined;
  const webItems = freeWebItems(root);
  for (const paragraph of root.querySelectorAll('p, li')) {
    const level = webItems.get(paragraph)?.level ?? levelOf(paragraph);
    if (level === undefined) continue;
    if (former?.nextElementSibling !== paragraph) open = [];
    const { tag, start } = webItems.get(paragraph) ?? cutMarker(paragraph);
    open.length = Math.min(open.length, level);
    if (open.length === level && open.at(-1)?.localName !== tag) open.pop();
    while (open.length < level) {
      const list = beginList(paragraph, open.at(-1), tag);
      // A list goes on after a paragraph in between.
      if (start > 1 && open.length === level - 1) list.setAttribute('start', String(start));
      open.push(list);
    }
    const item = createElement(paragraph, 'li');
    item.append(...paragraph.childNodes);
    open.at(-1)?.append(item);
    [former] = open;
    paragraph.remove();
  }
}

/** Begins a list in the last item of the list that encloses it, or before the paragraph. */
function beginList(paragraph: Element, outer: Element | undefined, tag: 'ul' | 'ol'): Element {
  const list = createElement(paragraph, tag);
  if (!outer) paragraph.before(list);
  else {
    if (!outer.lastElementChild) outer.append(createElement(paragraph, 'li'));
    outer.lastElementChild?.append(list);
  }
  return list;
}

/** The tag of the list that an item belongs to, and its number. */
interface Marker {
  readonly tag: 'ul' | 'ol';
  readonly start: number;
}

/** Puts the items of Word for the web in the place of their lists, which have a box each. */
function freeWebItems(root: DocumentFragment): ReadonlyMap<Element, Marker & { readonly level: number }> {
  const freed = new Map<Element, Marker & { readonly level: number }>();
  for (const box of root.querySelectorAll('.ListContainerWrapper')) {
    const items = [...box.querySelectorAll('li')];
    if (!items.every((item) => /^[1-9]$/.test(item.getAttribute('data-aria-level') ?? ''))) continue;
    for (const [index, item] of items.entries()) {
      const list = item.closest('ul, ol');
      const start = Number.parseInt(list?.getAttribute('start') ?? '', 10) || 1;
      freed.set(item, {
        tag: list?.localName === 'ol' ? 'ol' : 'ul',
        start: start + index,
        level: Number(item.getAttribute('data-aria-level')),
      });
    }
    box.replaceWith(...items);
  }
  return freed;
}

function levelOf(paragraph: Element): number | undefined {
  if (paragraph.localName !== 'p') return undefined;
  const [, level] = /mso-list:\s*l\d+\s+level(\d)/.exec(paragraph.getAttribute('style') ?? '') ?? [];
  return level === undefined ? undefined : Number(level);
}

/** Removes the bullet or the number of Word. */
function cutMarker(paragraph: Element): Marker {
  const marker = [...paragraph.querySelectorAll('span')].find((span) =>
    /mso-list:\s*Ignore/i.test(span.getAttribute('style') ?? ''),
  );
  const [, number] = /^\s*\(?([0-9]+|[a-z]|[ivxlc]+)[.)]/i.exec(marker?.textContent ?? '') ?? [];
  marker?.remove();
  return { tag: number === undefined ? 'ul' : 'ol', start: Number.parseInt(number ?? '', 10) || 1 };
}
