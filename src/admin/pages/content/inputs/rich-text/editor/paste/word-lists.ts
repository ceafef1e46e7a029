/**
 * Makes lists of the list items that Word puts on the clipboard: paragraphs that have their level in a style, and their bullet or
 * number as text.
 */

import { createElement } from '../mark-spelling.ts';

/** Replaces the items below `root` by lists. */
export function makeWordLists(root: DocumentFragment): void {
  /** The lists that are open, from the outermost on. */
  let open: Element[] = [];
  let former: Element | undefined;
  for (const paragraph of root.querySelectorAll('p')) {
    const level = levelOf(paragraph);
    if (level === undefined) continue;
    if (former?.nextElementSibling !== paragraph) open = [];
    const { tag, start } = cutMarker(paragraph);
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

function levelOf(paragraph: Element): number | undefined {
  const [, level] = /mso-list:\s*l\d+\s+level(\d)/.exec(paragraph.getAttribute('style') ?? '') ?? [];
  return level === undefined ? undefined : Number(level);
}

/** Removes the bullet or the number. Returns the tag of the list that it belongs to, and the number. */
function cutMarker(paragraph: Element): { readonly tag: 'ul' | 'ol'; readonly start: number } {
  const marker = [...paragraph.querySelectorAll('span')].find((span) =>
    /mso-list:\s*Ignore/i.test(span.getAttribute('style') ?? ''),
  );
  const [, number] = /^\s*\(?([0-9]+|[a-z]|[ivxlc]+)[.)]/i.exec(marker?.textContent ?? '') ?? [];
  marker?.remove();
  return { tag: number === undefined ? 'ul' : 'ol', start: Number.parseInt(number ?? '', 10) || 1 };
}
