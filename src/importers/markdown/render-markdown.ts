/**
 * Renders Markdown as HTML that says all that the text says.
 */
import { Marked, type MarkedExtension, Renderer } from 'marked';
import { escapeText } from '../rich-text.ts';

/** HTML, and what of the text it does not have. */
interface Rendered {
  readonly html: string;
  /** The names of addresses that no link uses. */
  readonly unused: readonly string[];
}

const plain = new Renderer();

/** Keeps what stands behind the language of a code block, such as `{file="a.html"}`, as an attribute. */
const codeBlocks: MarkedExtension = {
  renderer: {
    code(block) {
      const [, info] = /^\s*\S+\s+(\S.*)$/.exec(block.lang ?? '') ?? [];
      if (info === undefined) return false;
      return plain.code(block).replace('<pre>', () => `<pre data-info="${escapeText(info)}">`);
    },
  },
};

/** Creates a renderer with further forms of Markdown. */
export function createMarkdown(...forms: MarkedExtension[]): (text: string) => Rendered {
  const markdown = new Marked(codeBlocks, ...forms);
  return (text) => {
    const tokens = markdown.lexer(text);
    const used = new Set<unknown>();
    markdown.walkTokens(tokens, (token) => {
      if (token.type === 'link' || token.type === 'image') used.add(token.href);
    });
    const names = Object.entries(tokens.links).filter(([, { href }]) => !used.has(href));
    return { html: markdown.parser(tokens), unused: names.map(([name]) => name) };
  };
}
