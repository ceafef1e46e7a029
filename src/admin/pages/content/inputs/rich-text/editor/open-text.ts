/**
 * Opens the HTML of a text in the editor, and says what would not come back from it.
 */
import { getSchema } from '@tiptap/core';
import { DOMParser, type Node as EditorNode } from '@tiptap/pm/model';
import { extensions } from './extensions.ts';
import { findLosses } from './find-losses.ts';
import { markSpelling } from './mark-spelling.ts';
import { createHtmlWriter } from './write-html.ts';

const schema = getSchema(extensions);
const parser = DOMParser.fromSchema(schema);

/** A text as the editor shows it, and what of it the editor does not keep. */
export interface OpenedText {
  readonly content: EditorNode;
  readonly losses: readonly string[];
}

/** Opens a text. Nothing in it runs or is loaded: it is read in a document that is never shown. */
export function openText(html: string): OpenedText {
  const template = document.createElement('template');
  template.innerHTML = html;
  const spelling = markSpelling(template.content, html);
  const { content } = parser.parse(template.content, { preserveWhitespace: 'full' });
  const text = schema.topNodeType.create({ spelling }, content);
  const isBlank = /^\s*(<p>\s*<\/p>)?\s*$/.test(html);
  return { content: text, losses: isBlank ? [] : findLosses(html, createHtmlWriter()(text)) };
}
