/**
 * Which items of a long list are shown: one page of them, since the browser takes seconds to draw a thousand inputs.
 */
import { use, useState } from 'react';
import type { Field } from '../../../api.ts';
import { FormContext } from '../draft/form-context.ts';

/** The items on a page; an embedded value has several inputs, and a rich text many buttons. */
const pageSize = { large: 10, other: 50 };

/** The page that is shown of `count` items, and how to go to the page of an item. */
export function useVisibleItems({ field, path, count }: { field: Field; path: string; count: number }) {
  const { target } = use(FormContext);
  const isLarge = field.type.kind === 'embedded' || field.type.name === 'RichText';
  const size = isLarge ? pageSize.large : pageSize.other;
  const [wanted, setWanted] = useState(0);
  const [reached, setReached] = useState(target);
  const show = (index: number) => setWanted(Math.floor(index / size) * size);
  if (target !== reached) {
    setReached(target);
    const inner = target?.path.startsWith(`${path}[`) ? target.path.slice(path.length) : '';
    const [, index] = /^\[(\d+)\]/.exec(inner) ?? [];
    if (index !== undefined) show(Number(index));
  }
  // Items may have been removed.
  const last = Math.max(0, Math.ceil(count / size) - 1) * size;
  return { offset: Math.min(wanted, last), limit: size, show };
}
