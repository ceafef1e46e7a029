/**
 * Reads a page of the guide as the steps of its reader: commands to run, servers to start, files to write.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.ts';
import { type CodeBlock, codeBlocksOf } from './markdown.ts';

/** What the reader does with one code block of a page. */
export type Step =
  | { readonly kind: 'run'; readonly command: string; readonly output?: CodeBlock }
  | { readonly kind: 'serve'; readonly command: string }
  | { readonly kind: 'write'; readonly path: string; readonly text: string };

/** Reads a page by its path in the repository. */
export function readPage(path: string): string {
  return readFileSync(join(packageRoot, path), 'utf8');
}

/** Returns the steps of a page, in order. Blocks that only show something, such as a grammar, are not steps. */
export function stepsOf(page: string): Step[] {
  const blocks = codeBlocksOf(page);
  return blocks.flatMap((block, index): Step[] => {
    if (block.language !== 'sh') return toFile(block);
    if (startsServer.test(block.text)) return [{ kind: 'serve', command: block.text }];
    const next = blocks[index + 1];
    const output = next?.followsBlock && outputLanguages.includes(next.language) ? { output: next } : {};
    return [{ kind: 'run', command: block.text, ...output }];
  });
}

const startsServer = /(^|&& )npm (start|run demo)$/;
const outputLanguages = ['json', 'text', ''];

/** Returns a step that writes a file when the paragraph above the block ends with a path. */
function toFile({ introduction, text }: CodeBlock): Step[] {
  const [, path] = /`([\w-]+\/[\w./-]+\.\w+)`:$/.exec(introduction) ?? [];
  return path === undefined ? [] : [{ kind: 'write', path, text }];
}

/** Whether a command printed the output that the page shows; values that differ from run to run are ignored. */
export function isOutput(shown: CodeBlock, printed: string): boolean {
  if (shown.language === 'json') return maskedJson(shown.text) === maskedJson(printed);
  const parts = shown.text.split('…').map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join('.*?')}$`, 's').test(printed.trim());
}

/** Replaces the values of a JSON text that differ from run to run: UUIDs of version 7, times after the demo's, ETags, changes. */
function maskedJson(text: string): string {
  const masked = (key: string, value: unknown) => {
    if (key === 'change' || key === 'changes') return key;
    if (typeof value === 'number') return value > demoTimeMs ? 'time' : value;
    if (typeof value !== 'string') return value;
    return value
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4})-7[0-9a-f]{3}(-[0-9a-f]{4})-[0-9a-f]{12}/g, 'uuid')
      .replace(/^"[\w-]{12}\.[\w-]{8}"$/, 'etag');
  };
  return JSON.stringify(JSON.parse(text), masked);
}

/** The demo has no later date. */
const demoTimeMs = 1_767_225_600_000;
