/**
 * Writes the document of the editor as HTML, in the spelling that its nodes have kept.
 */
import { DOMSerializer, type Node as EditorNode } from '@tiptap/pm/model';
import { breakAttribute } from './source-break.ts';
import { type Spelling, spellingAttribute, spellingOf } from './spelling.ts';

/** Writes a document. One without content is an empty text. */
export function writeHtml(text: EditorNode): string {
  const { firstChild } = text;
  if (text.childCount === 1 && firstChild?.type.name === 'paragraph' && firstChild.childCount === 0)
    return '';
  // Safe: the schema's attribute of the document has this type.
  const spelling = (text.attrs.spelling ?? {}) as Spelling;
  const { lineEnd = '\n', close = '', end = '' } = spelling;
  const target = { document: document.implementation.createHTMLDocument() };
  const root = DOMSerializer.fromSchema(text.type.schema).serializeFragment(text.content, target);
  return (writeChildren(root, close) + end).replaceAll('\n', lineEnd);
}

/** The elements without an end tag. */
const voidTags = new Set(['BR', 'HR', 'IMG']);

const writeChildren = (parent: Node, close: string): string =>
  [...parent.childNodes].map((child) => writeNode(child, close)).join('');

function writeNode(node: ChildNode, close: string): string {
  if (!(node instanceof Element)) return escapeText(node.textContent ?? '');
  const sourceBreak = node.getAttribute(breakAttribute);
  if (sourceBreak !== null) return sourceBreak;
  const { before = '', end = '', tag = node.localName, order = [] } = spellingOf(node);
  if (isBare(node)) return before + writeChildren(node, close);
  const attributes = [...node.attributes]
    .filter(({ name }) => name !== spellingAttribute)
    .sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name))
    .map(({ name, value }) => ` ${name}="${escapeText(value, true)}"`);
  const start = `${before}<${tag}${attributes.join('')}`;
  if (voidTags.has(node.tagName)) return `${start}${close}>`;
  return `${start}>${writeChildren(node, close)}${end}</${tag}>`;
}

/** Whether a paragraph is written without its tags. In a list that is so unless the text had them there. */
function isBare(node: Element): boolean {
  if (node.tagName !== 'P') return false;
  const { parentElement, previousElementSibling: former, nextElementSibling: next } = node;
  const { isBare: wasBare } = spellingOf(node);
  if (parentElement?.tagName === 'LI') {
    return wasBare !== false && !former && (!next || /^[OU]L$/.test(next.tagName));
  }
  return wasBare === true && !former && !next;
}

function escapeText(text: string, isAttribute = false): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('\u00a0', '&nbsp;');
  return isAttribute
    ? escaped.replaceAll('"', '&quot;')
    : escaped.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
