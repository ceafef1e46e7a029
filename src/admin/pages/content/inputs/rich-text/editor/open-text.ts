/**
 * Opens the HTML of a text in the editor, and says what would not come back from it.
 */
import { getSchema } from '@tiptap/core';
import { DOMParser, type Node as EditorNode } from '@tiptap/pm/model';
import { extensions } from './extensions.ts';
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

/** Lists what differs between the HTML of a text and what the editor would write; empty when it is the same. */
function findLosses(html: string, written: string): readonly string[] {
  if (html === written) return [];
  const [before, after] = [countParts(html), countParts(written)];
  const missing = [...before].filter(([part, count]) => count > (after.get(part) ?? 0)).map(([part]) => part);
  return missing.length > 0 ? missing : [describePlace(html, written)];
}

/** How often each tag, attribute and comment occurs in a text, by its name in words. */
function countParts(html: string): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (part: string) => counts.set(part, (counts.get(part) ?? 0) + 1);
  const template = document.createElement('template');
  template.innerHTML = html;
  const nodes = document.createTreeWalker(
    template.content,
    NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_COMMENT,
  );
  while (nodes.nextNode()) {
    const node = nodes.currentNode;
    if (!(node instanceof Element)) {
      count('comments');
      continue;
    }
    const tag = `<${node.localName}>`;
    count(`the tag ${tag}`);
    for (const { name } of node.attributes) count(`the attribute ${name} of ${tag}`);
  }
  return counts;
}

/** How many characters around the first difference are quoted. */
const quoted = { before: 10, after: 30 };

/** Where no tag is lost, the same is written in another way. */
function describePlace(html: string, written: string): string {
  let same = 0;
  while (html[same] === written[same]) same++;
  const quote = (text: string) => {
    const part = text.slice(Math.max(0, same - quoted.before), same + quoted.after);
    return part.replace(/\s+/g, ' ').trim() || 'nothing';
  };
  return `the way in which “${quote(html)}” is written (it would become “${quote(written)}”)`;
}
