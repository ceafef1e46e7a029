/**
 * Writes the document of the editor as HTML, in the spelling that its nodes have kept.
 */
import { DOMSerializer, type Node as EditorNode } from '@tiptap/pm/model';
import { breakAttribute } from './source-break.ts';
import { type Spelling, spellingAttribute, spellingOf } from './spelling.ts';

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
  const { before = '', end = '', tag = node.localName, order = [] } = spellingOf(node);
  if (isBare(node, isAlone)) return before + writeChildren(node, close);
  const attributes = [...node.attributes]
    .filter(({ name }) => name !== spellingAttribute)
    .sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name))
    .map(({ name, value }) => ` ${name}="${escapeText(value, true)}"`);
  const start = `${before}<${tag}${attributes.join('')}`;
  if (voidTags.has(node.tagName)) return `${start}${close}>`;
  return `${start}>${writeChildren(node, close)}${end}</${tag}>`;
}

/** Whether a paragraph is written without its tags. In a list that is so unless the text had them there. */
function isBare(node: Element, isAlone: boolean): boolean {
  if (node.tagName !== 'P') return false;
  const { parentElement: parent, previousElementSibling: former, nextElementSibling: next } = node;
  const { isBare: wasBare } = spellingOf(node);
  if (!parent) return wasBare === true && isAlone;
  if (former) return false;
  if (wasBare && !node.hasChildNodes()) return true;
  if (parent.tagName === 'LI') return wasBare !== false && (!next || /^[OU]L$/.test(next.tagName));
  return wasBare === true && !next;
}

function escapeText(text: string, isAttribute = false): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('\u00a0', '&nbsp;');
  return isAttribute
    ? escaped.replaceAll('"', '&quot;')
    : escaped.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
