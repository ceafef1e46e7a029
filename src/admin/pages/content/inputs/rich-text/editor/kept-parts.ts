/**
 * Keeps what the editor has no nodes for: blocks such as `<section>`, which it shows as HTML, and inline elements such as `<kbd>`.
 * Nothing of them takes effect in the editor.
 */
import { type Editor, Mark, Node } from '@tiptap/core';
import { Selection } from '@tiptap/pm/state';
import { type Embed, readEmbed } from './embeds.ts';

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
    const { html } = view.node.attrs;
    const embed = readEmbed(html);
    const dom = document.createElement('div');
    dom.className = 'colophon-kept-block';
    if (embed) drawEmbed(dom, embed);
    else dom.append(draw('div', 'Kept as it is. Edit the HTML to change it.'), draw('pre', html));
    return { dom };
  },
});

function draw(tag: string, text: string): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

/** Draws the host, the address and the caption of an embed; nothing is loaded from there. */
function drawEmbed(dom: HTMLElement, { address, caption }: Embed): void {
  const host = URL.parse(address)?.host ?? address;
  dom.setAttribute('role', 'figure');
  dom.setAttribute('aria-label', `Embed from ${host}`);
  dom.append(draw('strong', host), draw('div', address));
  if (caption !== '') dom.append(draw('em', caption));
}

/** The embed that is selected; `isPlain` says whether its address and its caption can be changed. */
export function embedAt({ state }: Editor): ReturnType<typeof readEmbed> {
  const { $from, from, to } = state.selection;
  const node = to > from ? $from.nodeAfter : null;
  return node?.type.name === 'keptBlock' && node.nodeSize === to - from
    ? readEmbed(node.attrs.html)
    : undefined;
}

/** Replaces the selected kept block; or inserts one in place of an empty line or below the line with the cursor, and goes on below it. */
export function insertKeptBlock({ state, view, schema }: Editor, html: string): void {
  const { keptBlock, paragraph } = schema.nodes;
  if (!keptBlock || !paragraph) return;
  const { from, to, $from, $to } = state.selection;
  const { parent } = $to;
  view.focus();
  const selected = to > from && !parent.isTextblock ? $from.nodeAfter : null;
  if (selected?.type === keptBlock) {
    view.dispatch(state.tr.setNodeAttribute(from, 'html', html));
    return;
  }
  const isEmptyLine =
    parent.type === paragraph &&
    parent.content.size === 0 &&
    $to.node(-1).canReplaceWith($to.index(-1), $to.index(-1) + 1, keptBlock);
  const end = parent.isTextblock ? $to.after() : to;
  const start = isEmptyLine ? $to.before() : end;
  const tr = state.tr.replaceWith(start, end, keptBlock.create({ html }));
  if (!tr.doc.resolve(start + 1).nodeAfter) tr.insert(start + 1, paragraph.create());
  tr.setSelection(Selection.near(tr.doc.resolve(start + 1), 1));
  view.dispatch(tr.scrollIntoView());
}

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
    if (isComment(child) && !isBesideText(child, isInline)) {
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

/** Whether `<pre>` has code, a list only items, and a table only sections of rows of cells. A comment between items has no place. */
function isRegular(element: Element): boolean {
  if (element.matches('pre'))
    return element.firstElementChild === element.firstChild && element.matches(':has(> code)');
  const has = (selector: string) => [...element.querySelectorAll(selector)];
  if (element.matches('ul, ol') && [...element.childNodes].some(isComment)) return false;
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

const isComment = ({ nodeType }: ChildNode) => nodeType === document.COMMENT_NODE;

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
