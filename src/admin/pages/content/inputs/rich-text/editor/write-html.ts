/**
 * Writes the document of the editor as HTML, in the spelling that its nodes have kept.
 */
import { DOMSerializer, type Node as EditorNode } from '@tiptap/pm/model';
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
    const isAlone = text.childCount === 1;
    if (isAlone && firstChild?.type.name === 'paragraph' && firstChild.childCount === 0) return '';
    // Safe: the schema's attribute of the document has this type.
    const { lineEnd = '\n', close = '', end = '' } = (text.attrs.spelling ?? {}) as Spelling;
    const blocks = text.children.map((block) => {
      // Whether a block is alone can matter to how it is written.
      const html = (isAlone ? undefined : written.get(block)) ?? writeBlock(block, { close, isAlone });
      if (!isAlone) written.set(block, html);
      return html;
    });
    return (blocks.join('') + end).replaceAll('\n', lineEnd);
  };
}

interface Manner {
  readonly close: string;
  readonly isAlone: boolean;
}

function writeBlock(block: EditorNode, { close, isAlone }: Manner): string {
  const target = { document: document.implementation.createHTMLDocument() };
  const element = DOMSerializer.fromSchema(block.type.schema).serializeNode(block, target);
  // Safe: a block is written as an element.
  return writeNode(element as ChildNode, { close, isAlone });
}

/** The elements without an end tag. */
const voidTags = new Set(['BR', 'HR', 'IMG']);

const writeChildren = (parent: Node, close: string): string =>
  [...parent.childNodes].map((child) => writeNode(child, { close, isAlone: false })).join('');

function writeNode(node: ChildNode, { close, isAlone }: Manner): string {
  if (!(node instanceof Element)) return escapeText(node.textContent ?? '');
  const sourceBreak = node.getAttribute(breakAttribute);
  if (sourceBreak !== null) return sourceBreak;
  const { before = '', end = '', tag = node.localName } = spellingOf(node);
  const block = node.getAttribute(blockAttribute);
  if (block !== null) return before + block;
  if (isBare(node, isAlone)) return before + writeChildren(node, close);
  const start = `${before}<${tag}${writeAttributes([...node.attributes], spellingOf(node))}`;
  if (voidTags.has(node.tagName)) return `${start}${close}>`;
  const content = tag === 'table' ? writeRows(node, close) : writeChildren(node, close);
  return `${start}>${content}${end}</${tag}>`;
}

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
function writeRows(table: Element, close: string): string {
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
    html += writeNode(row, { close, isAlone: false });
  }
  return html + end();
}

/** Whether a paragraph is written without its tags. In a list that is so unless the text had them there. */
function isBare(node: Element, isAlone: boolean): boolean {
  if (node.tagName !== 'P') return false;
  const { parentElement: parent, previousElementSibling: former, nextElementSibling: next } = node;
  const { isBare: wasBare, kept } = spellingOf(node);
  if (kept) return false;
  if (!parent) return wasBare === true && isAlone;
  if (former) return false;
  if (wasBare && !node.hasChildNodes()) return true;
  if (/^T[DH]$/.test(parent.tagName)) return wasBare !== false && !next;
  if (parent.tagName === 'LI') return wasBare !== false && (!next || /^[OU]L$/.test(next.tagName));
  return wasBare === true && !next;
}

function escapeText(text: string, isAttribute = false): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('\u00a0', '&nbsp;');
  return isAttribute
    ? escaped.replaceAll('"', '&quot;')
    : escaped.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
