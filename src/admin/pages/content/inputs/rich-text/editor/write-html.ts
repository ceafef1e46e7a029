/**
 * Writes the document of the editor as HTML, in the spelling that its nodes have kept.
 */
import { DOMSerializer, type Node as EditorNode, Fragment, type Mark } from '@tiptap/pm/model';
import { blockAttribute, inlineAttribute } from './kept-parts.ts';
import { breakAttribute } from './source-break.ts';
import {
  alignmentAttribute,
  type Section,
  type Spelling,
  spellingAttribute,
  spellingOf,
} from './spelling.ts';

/** Creates a function that writes documents. Of a long text it writes only the blocks again that have changed since the last time. */
export function createHtmlWriter(): (text: EditorNode) => string {
  const written = new WeakMap<EditorNode, string>();
  return (text) => {
    const { firstChild } = text;
    if (text.childCount === 1 && firstChild?.type.name === 'paragraph' && firstChild.childCount === 0)
      return '';
    // Safe: the schema's attribute of the document has this type.
    const { lineEnd = '\n', close = {}, end = '', hasPlainSpaces } = (text.attrs.spelling ?? {}) as Spelling;
    const blocks = text.children.map((block, index, all) => {
      // What stands beside a paragraph matters only to how one without tags is written.
      const isFixed = !wasBareText(block);
      const isApart = !wasBareText(all[index - 1]) && !wasBareText(all[index + 1]);
      const html = (isFixed ? written.get(block) : undefined) ?? writeBlock(block, { close, isApart });
      if (isFixed) written.set(block, html);
      return html;
    });
    const whole = (blocks.join('') + end).replaceAll('\n', lineEnd);
    return hasPlainSpaces ? whole.replaceAll('&nbsp;', '\u00a0') : whole;
  };
}

interface Manner {
  readonly close: NonNullable<Spelling['close']>;
  /** Whether no text without tags stands beside a block of the whole text. */
  readonly isApart: boolean;
}

/** Whether a block was read as a paragraph without tags. */
const wasBareText = (block: EditorNode | undefined): boolean =>
  block?.type.name === 'paragraph' && (block.attrs.spelling as Spelling | null)?.isBare === true;

function writeBlock(block: EditorNode, manner: Manner): string {
  const target = { document: document.implementation.createHTMLDocument() };
  const element = DOMSerializer.fromSchema(block.type.schema).serializeNode(nestMarks(block), target);
  // Safe: a block is written as an element.
  return writeNode(element as ChildNode, manner);
}

/** Orders the marks below a node as they were nested; those that are new are within them. */
function nestMarks(node: EditorNode): EditorNode {
  if (node.isText || node.childCount === 0) {
    // Safe: the schema's attribute of a mark has this type.
    const depthOf = ({ attrs }: Mark) =>
      (attrs.spelling as Spelling | null)?.depth ?? Number.MAX_SAFE_INTEGER;
    return node.marks.length < 2 ? node : node.mark(node.marks.toSorted((a, b) => depthOf(a) - depthOf(b)));
  }
  return node.copy(Fragment.from(node.children.map(nestMarks)));
}

/** The elements without an end tag. */
const voidTags = new Set(['BR', 'HR', 'IMG']);

const writeChildren = (parent: Node, manner: Manner): string =>
  [...parent.childNodes].map((child) => writeNode(child, manner)).join('');

function writeNode(node: ChildNode, manner: Manner): string {
  if (!(node instanceof Element)) return escapeText(node.textContent ?? '');
  const sourceBreak = node.getAttribute(breakAttribute);
  if (sourceBreak !== null) return sourceBreak;
  const { before = '', end = '', tag = node.localName } = spellingOf(node);
  const block = node.getAttribute(blockAttribute);
  if (block !== null) return before + withClose(block, manner);
  if (isBare(node, manner)) return before + writeChildren(node, manner);
  const start = `${before}<${tag}${writeAttributes([...node.attributes], spellingOf(node))}`;
  if (voidTags.has(node.tagName)) return `${start}${manner.close[tag] ?? ''}>`;
  const content = tag === 'table' ? writeRows(node, manner) : writeChildren(node, manner);
  return `${start}>${content}${end}</${tag}>`;
}

/** Writes elements without an end tag within a kept block as the text has them; a browser writes them with `>`. */
const withClose = (html: string, { close }: Manner): string =>
  html.replaceAll(openTag, (whole, tag: string) =>
    close[tag] ? `${whole.slice(0, -1)}${close[tag]}>` : whole,
  );

/** A tag as browsers write it. */
const openTag = /<([a-z]+)(?: [^\s"=>]+="[^"]*")*>/g;

/** The attributes that stand only in the editor. */
const ownAttributes = new Set([spellingAttribute, alignmentAttribute, inlineAttribute]);

function writeAttributes(attributes: readonly Attr[], { order = [], kept = {} }: Spelling): string {
  const own = attributes.filter(({ name }) => !ownAttributes.has(name));
  return [...own.map(({ name, value }): [string, string] => [name, value]), ...Object.entries(kept)]
    .sort(([one], [other]) => order.indexOf(one) - order.indexOf(other))
    .map(([name, value]) => ` ${name}="${escapeText(value, true)}"`)
    .join('');
}

/** Writes the rows of a table in their sections. The first rows of a new table are its head if all their cells are header cells. */
function writeRows(table: Element, manner: Manner): string {
  let html = '';
  let open: Section | undefined;
  const end = () => (open && !open.isBare ? `${open.end ?? ''}</${open.name}>` : (open?.end ?? ''));
  for (const row of table.querySelectorAll(':scope > tbody > tr')) {
    const isHead = [...row.children].every(({ localName }) => localName === 'th');
    const isBelow = open !== undefined && !(open.name === 'thead' && !isHead);
    const section =
      spellingOf(row).section ??
      (isBelow && open ? open : { name: isHead && !open ? 'thead' : 'tbody', index: -1 });
    if (section.index !== open?.index || section.name !== open.name) {
      html += end() + (section.before ?? '');
      if (!section.isBare) html += `<${section.name}${writeAttributes([], section)}>`;
      open = section;
    }
    html += writeNode(row, manner);
  }
  return html + end();
}

/**
 * Whether a paragraph is written without its tags: as it was read, unless another text without tags stands beside it, or where a list
 * item or a cell begins with a new one.
 */
function isBare(node: Element, { isApart }: Manner): boolean {
  if (node.tagName !== 'P') return false;
  const { parentElement: parent, previousElementSibling: former, nextElementSibling: next } = node;
  const { isBare: wasBare, kept } = spellingOf(node);
  if (kept || wasBare === false) return false;
  if (!parent) return wasBare === true && isApart;
  if (wasBare && !node.hasChildNodes()) return true;
  const isText = (one: Element | null) => one?.tagName === 'P' && spellingOf(one).isBare !== false;
  if (wasBare) return !isText(former) && !isText(next);
  if (former) return false;
  if (/^T[DH]$/.test(parent.tagName)) return !next;
  return parent.tagName === 'LI' && (!next || /^[OU]L$/.test(next.tagName));
}

function escapeText(text: string, isAttribute = false): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('\u00a0', '&nbsp;');
  return isAttribute
    ? escaped.replaceAll('"', '&quot;')
    : escaped.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
