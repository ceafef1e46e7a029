/**
 * Reads the front matter of a text: YAML between lines of `---`, TOML between lines of `+++`, or a JSON object.
 */
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import type { Json, JsonObject } from '../reader.ts';
import { SourceError } from '../source-error.ts';

/** A text without its front matter, and what that says. */
export interface FrontMatter {
  readonly data: JsonObject;
  readonly body: string;
}

/** Reads a text; one without front matter is all body. Errors: SourceError with the path. */
export function readFrontMatter(text: string, path: string): FrontMatter {
  const plain = text.replace(/^\uFEFF/, '');
  const [whole = '', mark = '', block = ''] =
    /^(---|\+\+\+)[ \t]*\r?\n([\s\S]*?)\r?\n?\1[ \t]*(?:\r?\n|$)/.exec(plain) ?? [];
  if (whole === '') return { data: {}, body: plain };
  try {
    const data =
      mark === '---' ? parseYaml(block, { intAsBigInt: true }) : parseToml(block, { integersAsBigInt: true });
    return { data: toObject(data), body: plain.slice(whole.length) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SourceError(`has a file whose front matter cannot be read: ${path}: ${reason}`);
  }
}

function toObject(data: unknown): JsonObject {
  if (data === null || data === undefined) return {};
  if (typeof data !== 'object' || Array.isArray(data)) throw new Error('it must have names and values');
  // Dates of TOML have a form as JSON; all else has one already.
  const plain = JSON.parse(JSON.stringify(data, withoutBigInts)) as JsonObject;
  return Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, withZone(value)]));
}

/** A number with more digits than JavaScript keeps is a text. */
const withoutBigInts = (_name: string, value: unknown): unknown => {
  if (typeof value !== 'bigint') return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
};

/** Writes a date and time with its zone as RFC 3339, such as `2024-05-01 10:00:00 +0200`. */
function withZone(value: Json): Json {
  if (typeof value !== 'string') return value;
  const [, day, time, seconds = ':00', zone = ''] =
    /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)? ?(Z|[+-]\d{2}:?\d{2})$/.exec(value) ?? [];
  if (day === undefined) return value;
  return `${day}T${time}${seconds}${zone === 'Z' ? zone : `${zone.slice(0, 3)}:${zone.slice(-2)}`}`;
}
