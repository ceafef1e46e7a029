/**
 * Asks before a part of a form goes that has text in it, such as an item of a list. The form keeps what goes, and offers it again.
 */
import { type ReactNode, use, useState } from 'react';
import { Confirm } from '../../../parts/confirm/confirm.tsx';
import { focusField } from '../../../parts/forms/field-link.tsx';
import { type Draft, isSameDraft, textsOf } from './draft.ts';
import { FormContext } from './form-context.ts';

/** What goes: the value, and its name in the form. `fresh` is the value as it was added. */
interface Removal<Key> {
  readonly key: Key;
  readonly name: string;
  readonly value: Draft;
  readonly fresh: Draft;
}

/** Removes something of the field at a path: at once if nothing is typed in it, otherwise after the question, which the caller renders. */
export function useRemoval<Key = void>(
  path: string,
  remove: (key: Key) => void,
): { readonly askToRemove: (removal: Removal<Key>) => void; readonly question: ReactNode } {
  const { keepRemoved } = use(FormContext);
  const [asked, setAsked] = useState<Removal<Key>>();
  return {
    askToRemove: (removal) => {
      if (textsOf(removal.value).length === 0 || isSameDraft(removal.value, removal.fresh))
        return remove(removal.key);
      setAsked(removal);
    },
    question: asked && (
      <Confirm
        title={`Remove ${asked.name}?`}
        consequence={
          keepRemoved
            ? 'What is written there goes. This browser keeps it, and the form offers to restore it.'
            : 'What is written there goes, and nothing brings it back.'
        }
        action="Remove"
        isOpen
        onClose={() => setAsked(undefined)}
        onConfirm={async () => {
          setAsked(undefined);
          keepRemoved?.(path, asked.name);
          remove(asked.key);
          requestAnimationFrame(() => focusWithin(path));
        }}
      />
    ),
  };
}

/** Keeps the focus in the field when the button that had it has gone. */
function focusWithin(path: string): void {
  const field = document.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`);
  if (!field?.contains(document.activeElement)) focusField(field);
}
