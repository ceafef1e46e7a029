/**
 * Puts the condition of a filter into words: `status = 'DRAFT'` is "Status is Draft".
 */
import type { ContentType, Field } from '../../../../api.ts';
import { wordsOf } from '../../../../parts/data/field-label.ts';
import { fieldPaths } from '../../../../parts/data/field-paths.ts';
import { viewOf } from '../../../../parts/data/scalar-views.ts';
import { describeTime } from '../../../../parts/time/local-time.ts';
import { nameOfColumn } from '../columns.ts';
import { comparisonsOf } from './operators.ts';

/** A condition in words. `reference` is the ID of the asset that it names, in place of a value. */
export interface DescribedCondition {
  readonly words: string;
  readonly value: string;
  readonly reference?: string;
}

/** Describes a condition that the form of conditions can make; undefined for another predicate. */
export function describeCondition(type: ContentType, condition: string): DescribedCondition | undefined {
  const parsed = /^(?:"([^"]+)"|([\p{L}\p{M}\p{N}_.-]+)) (.+)$/su.exec(condition);
  const path = parsed?.[1] ?? parsed?.[2];
  const rest = parsed?.[3] ?? '';
  const found = fieldPaths(type).find((each) => each.path === path);
  if (!found) return undefined;
  const { field } = found;
  for (const { operator, hasValue, words } of comparisonsOf(field)) {
    const label = `${nameOfColumn(type, found)} ${words}`;
    if (!hasValue && rest === operator) return { words: label, value: '' };
    const text = rest.startsWith(`${operator} `) ? readValue(rest.slice(operator.length + 1)) : undefined;
    if (hasValue && text !== undefined && text !== 'missing') return describeValue(field, label, text);
  }
  return undefined;
}

function describeValue({ type }: Field, words: string, text: string): DescribedCondition {
  if (type.kind === 'reference') return { words, value: '', reference: text };
  if (type.kind === 'enum') return { words, value: wordsOf(type, text) };
  if (viewOf(type) === 'yesOrNo') return { words, value: text === 'true' ? 'yes' : 'no' };
  const time = viewOf(type) === 'date' ? describeTime(Number(text)) : undefined;
  return { words, value: time ?? text };
}

/** The text of one value; undefined where something else follows. */
function readValue(text: string): string | undefined {
  const quoted = /^'((?:[^'\\]|\\.)*)'$/su.exec(text)?.[1];
  if (quoted === undefined) return /^[\p{L}\p{M}\p{N}_.:+-]+$/u.test(text) ? text : undefined;
  return quoted.replace(/\\(?:u\{([\da-f]+)\}|(.))/gisu, (_, code: string | undefined, character: string) =>
    code === undefined ? character : String.fromCodePoint(Number.parseInt(code, 16)),
  );
}
