/**
 * Keeps what the editor has no nodes for: blocks such as `<section>`, which it shows as HTML, and inline elements such as `<kbd>`.
 * Nothing of them takes effect in the editor.
 */
import { Mark, Node } from '@tiptap/core';

/** The attribute with the HTML of a block that is kept as it is. */
export const blockAttribute = 'data-colophon-block';

/** The attribute of inline elements that the editor keeps without knowing them. */
export const inlineAttribute = 'data-colophon-inline';

/** A block that is shown as HTML and can be moved and deleted, but not edited. */
export const KeptBlock = Node.create({
  name: 'keptBlock',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({
    html: {
      default: '',
      parseHTML: (element) => element.getAttribute(blockAttribute),
      renderHTML: ({ html }) => ({ [blockAttribute]: html }),
    },
  }),
  parseHTML: () => [{ tag: `div[${blockAttribute}]` }],
  renderHTML: ({ HTMLAttributes }) => ['div', HTMLAttributes],
  addNodeView: () => (view) => {
    const dom = document.createElement('div');
    dom.className = 'colophon-kept-block';
    const title = document.createElement('div');
    title.textContent = 'Kept as it is. Edit the HTML to change it.';
    const source = document.createElement('pre');
    source.textContent = view.node.attrs.html;
    dom.append(title, source);
    return { dom };
  },
});

/** An inline element whose tag and attributes are in its spelling. */
export const KeptInline = Mark.create({
  name: 'keptInline',
  excludes: '',
  inclusive: false,
  parseHTML: () => [{ tag: `[${inlineAttribute}]` }],
  renderHTML: ({ HTMLAttributes }) => ['span', { ...HTMLAttributes, [inlineAttribute]: '' }, 0],
});

/** Inline elements that are kept. */
const keptTags = 'span, small, mark, abbr, cite, q, kbd, var, samp, time, ins, dfn, bdi, bdo, a:not([href])';

/** The blocks that the editor knows; others are kept. */
const knownBlocks = 'p, h1, h2, h3, h4, h5, h6, ul, ol, blockquote, pre, hr, table';

/** Marks the inline elements below `root` that are kept, and replaces blocks. `isInline` tells what stands within a line. */
export function markKept(root: DocumentFragment, isInline: (element: Element) => boolean): void {
  for (const element of root.querySelectorAll('*')) {
    for (const name of [blockAttribute, inlineAttribute]) element.removeAttribute(name);
  }
  keepBlocks(root, isInline);
  for (const element of root.querySelectorAll(keptTags)) element.setAttribute(inlineAttribute, '');
}

function keepBlocks(container: ParentNode, isInline: (element: Element) => boolean): void {
  for (const child of [...container.childNodes]) {
    if (child.nodeType === document.COMMENT_NODE && !isBesideText(child, isInline)) {
      replace(child, `<!--${child.textContent}-->`);
    } else if (child instanceof Element && !isInline(child)) {
      if (!child.matches(knownBlocks) || !isRegular(child)) replace(child, child.outerHTML);
      else if (child.matches('blockquote')) keepBlocks(child, isInline);
      else if (child.matches('ul, ol')) for (const item of child.children) keepBlocks(item, isInline);
      else if (child.matches('table')) {
        for (const cell of child.querySelectorAll(':scope > * > tr > *')) keepBlocks(cell, isInline);
      }
    }
  }
}

/** Whether a list has only items, and a table only sections of rows of cells. */
function isRegular(element: Element): boolean {
  const has = (selector: string) => [...element.querySelectorAll(selector)];
  if (element.matches('ul, ol')) return [...element.children].every((child) => child.matches('li'));
  if (!element.matches('table')) return true;
  return (
    element.querySelector('tr > *') !== null &&
    has(':scope > *').every((child) => child.matches('thead, tbody, tfoot')) &&
    has(':scope > *').every((section) => section.children.length > 0) &&
    has(':scope > * > *').every((row) => row.matches('tr') && row.children.length > 0) &&
    has(':scope > * > tr > *').every((cell) => cell.matches('td, th'))
  );
}

/** Whether a comment belongs to a run of text, which has no place for it. */
function isBesideText(comment: ChildNode, isInline: (element: Element) => boolean): boolean {
  const isText = (node: ChildNode | null, next: (one: ChildNode) => ChildNode | null): boolean => {
    if (node === null) return false;
    if (node instanceof Element) return isInline(node);
    return (
      (node.nodeType === document.TEXT_NODE && node.textContent?.trim() !== '') || isText(next(node), next)
    );
  };
  return (
    isText(comment.previousSibling, (one) => one.previousSibling) ||
    isText(comment.nextSibling, (one) => one.nextSibling)
  );
}

function replace(node: ChildNode, html: string): void {
  const block = node.ownerDocument?.createElement('div');
  block?.setAttribute(blockAttribute, html);
  if (block) node.replaceWith(block);
}
