/**
 * Splits a JSON text into the items of its lists, so that a large export is never in memory as a whole: those of a list at the top, or
 * those of the lists that are members of an object at the top. Of a file of lines, each line is an item.
 */
import type { Json } from '../reader.ts';
import { maxCharacters, openText, readLines, SourceError, type SourceFile } from '../source/source.ts';

/** A part of a JSON text. */
export interface JsonPart {
  /** The member of the object at the top; empty where there is none. */
  readonly member: string;
  readonly value: Json;
  /** Whether it is an item of a list. */
  readonly isItem: boolean;
}

/** Reads the parts of a file. Errors: SourceError with the place. */
export async function* readJsonParts(path: SourceFile): AsyncGenerator<JsonPart> {
  if (/\.(jsonl|ndjson)$/i.test(path)) {
    yield* readValues(path);
    return;
  }
  const splitter = createSplitter();
  for await (const chunk of openText(path)) yield* splitter.push(String(chunk));
  yield* splitter.end();
}

async function* readValues(path: SourceFile): AsyncGenerator<JsonPart> {
  let number = 0;
  for await (const line of readLines(path, maxCharacters)) {
    number++;
    if (line.trim() === '') continue;
    try {
      yield {
        member: '',
        value: parseExact(number === 1 ? line.replace(/^\uFEFF/, '') : line),
        isItem: true,
      };
    } catch (error) {
      throw new SourceError(
        `line ${number} is not valid JSON: ${error instanceof Error ? error.message : error}`,
      );
    }
  }
}

/** Creates a splitter. A part is what stands at the depth of items: below a list or an object at the top. */
function createSplitter() {
  /** `start` and `end`: before and after the value; `list` and `object`: within it. */
  let top: 'start' | 'list' | 'object' | 'end' = 'start';
  let member = '';
  /** In an object at the top: whether the value of the member is a list. */
  let isInMemberList = false;
  let text = '';
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let offset = 0;

  function finish(): JsonPart[] {
    const part = text.trim();
    text = '';
    if (part === '') return [];
    const isItem = top !== 'object' || isInMemberList;
    try {
      if (top === 'object' && !isInMemberList) {
        const [name = '', value = null] =
          Object.entries(Object(parseExact(`{${part}}`)) as { [name: string]: Json })[0] ?? [];
        return [{ member: name, value, isItem: false }];
      }
      return [{ member, value: parseExact(part), isItem }];
    } catch (error) {
      throw new SourceError(
        `is not valid JSON near byte ${offset}: ${error instanceof Error ? error.message : error}`,
      );
    }
  }

  function* push(chunk: string): Generator<JsonPart> {
    for (const letter of chunk) {
      offset++;
      if (isInString) {
        text += letter;
        if (isEscaped) isEscaped = false;
        else if (letter === '\\') isEscaped = true;
        else if (letter === '"') isInString = false;
        continue;
      }
      if (letter === '"') {
        isInString = true;
        text += letter;
        continue;
      }
      yield* meet(letter);
    }
    // A chunk is short beside the limit.
    if (text.length > maxCharacters)
      throw new SourceError(`has an item of more than ${maxCharacters} characters`);
  }

  function* meet(letter: string): Generator<JsonPart> {
    if (top === 'start') {
      if (/[\s\uFEFF]/.test(letter)) return;
      if (letter === '[') {
        top = 'list';
        return;
      }
      if (letter === '{') {
        top = 'object';
        return;
      }
      throw new SourceError('is no JSON: it must begin with [ or {');
    }
    if (top === 'end') {
      if (/\s/.test(letter)) return;
      throw new SourceError('has several values: the name of a file of lines ends in .jsonl');
    }
    const isOpening = letter === '{' || letter === '[';
    const isClosing = letter === '}' || letter === ']';
    if (depth === 0 && isOpening && top === 'object' && !isInMemberList && letter === '[') {
      const [, name] = /^\s*"((?:[^"\\]|\\.)*)"\s*:\s*$/.exec(text) ?? [];
      if (name !== undefined) {
        member = JSON.parse(`"${name}"`) as string;
        isInMemberList = true;
        text = '';
        return;
      }
    }
    if (isOpening) depth++;
    if (isClosing) {
      if (depth > 0) depth--;
      else {
        yield* finish();
        if (isInMemberList) isInMemberList = false;
        else top = 'end';
        member = '';
        return;
      }
    }
    if (depth === 0 && letter === ',') {
      yield* finish();
      return;
    }
    text += letter;
  }

  return {
    push,
    *end(): Generator<JsonPart> {
      if (top !== 'end') throw new SourceError(top === 'start' ? 'is empty' : 'ends too early');
      yield* finish();
    },
  };
}

/** A text, or a number. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Parses a text. Errors: SyntaxError. */
export function parseExact(text: string): Json {
  const exact = /\d{16}|\d{4,}\.\d{12}|\.\d{16}/.test(text)
    ? text.replaceAll(tokens, (token) => (token.startsWith('"') || isKept(token) ? token : `"${token}"`))
    : text;
  // What it parses is JSON.
  return JSON.parse(exact) as Json;
}

/** Whether a number has the same digits when it is written again. */
const isKept = (token: string): boolean => digitsOf(String(Number(token))) === digitsOf(token);

const digitsOf = (number: string): string =>
  number.replace(/e.*$/i, '').replace('.', '').replace(/^-?0*/, '').replace(/0+$/, '');
