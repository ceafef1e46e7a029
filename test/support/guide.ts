/**
 * Reads a page of the guide as steps that a reader takes: commands to run, servers to start, files to write.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.ts';
import { type CodeBlock, codeBlocksOf } from './markdown.ts';

/** What a reader does with one block of a page. */
export type Step =
  | { readonly kind: 'run'; readonly command: string; readonly output?: CodeBlock }
  | { readonly kind: 'serve'; readonly command: string }
  | { readonly kind: 'write'; readonly path: string; readonly text: string };

/** Reads the text of a page by its path in the repository. */
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

/** A block is a file when the paragraph above ends with its path. */
function toFile({ introduction, text }: CodeBlock): Step[] {
  const [, path] = /`([\w-]+\/[\w./-]+\.\w+)`:$/.exec(introduction) ?? [];
  return path === undefined ? [] : [{ kind: 'write', path, text }];
}

/** Whether what a command printed is the output that the page shows, but for what differs from run to run. */
export function isOutput(shown: CodeBlock, printed: string): boolean {
  if (shown.language === 'json') return maskedJson(shown.text) === maskedJson(printed);
  const parts = shown.text.split('…').map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join('.*?')}$`, 's').test(printed.trim());
}

/** JSON without what is assigned anew: UUIDs of version 7, times since the demo's, ETags. */
function maskedJson(text: string): string {
  const masked = (_key: string, value: unknown) => {
    if (typeof value === 'number') return value > demoTimeMs ? 'time' : value;
    if (typeof value !== 'string') return value;
    return value
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4})-7[0-9a-f]{3}(-[0-9a-f]{4})-[0-9a-f]{12}/g, 'uuid')
      .replace(/^"[\w-]{12}"$/, 'etag');
  };
  return JSON.stringify(JSON.parse(text), masked);
}

/** When the demo says that its assets were published. */
const demoTimeMs = 1_767_225_600_000;
